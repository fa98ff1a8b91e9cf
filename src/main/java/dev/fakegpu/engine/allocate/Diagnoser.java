package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Examines claims and says what refuses each device. It uses the same parts as the {@link Allocator}, but is slow. For use after a failure.
 */
public final class Diagnoser {

    private final AllocationContext context;
    private final LimitCheck limit;

    /** @param limit the limit of all diagnoses together; when it is reached, they end with {@link EvaluationInterrupted} */
    public Diagnoser(AllocationContext context, SearchLimit limit) {
        this.context = context;
        this.limit = new LimitCheck(limit);
    }

    /** The problem of the claims themselves, on every node. */
    public Optional<RequestError> error(List<Claim> claims) {
        NodePools nothing = new NodePools(new NodeInfo("", Map.of()), List.of());
        return diagnose(nothing, claims) instanceof DiagnosisResult.Invalid invalid
                ? Optional.of(invalid.error())
                : Optional.empty();
    }

    public DiagnosisResult diagnose(NodeInfo node, List<Claim> claims) {
        try {
            return diagnose(context.slices().of(node, limit), claims);
        } catch (AllocationException e) {
            return new DiagnosisResult.Invalid(e.error());
        }
    }

    private DiagnosisResult diagnose(NodePools pools, List<Claim> claims) {
        try {
            SearchProblem problem = context.problem(pools, claims, limit);
            var refusals = new RefusalFinder(problem, context.allocated(), context.options());
            return new DiagnosisResult.Diagnosed(new Diagnosis(problem, refusals));
        } catch (AllocationException e) {
            return new DiagnosisResult.Invalid(e.error());
        }
    }
}
