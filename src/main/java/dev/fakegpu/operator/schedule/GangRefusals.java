package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.NodeCandidates;
import dev.fakegpu.cluster.pending.EventText;
import dev.fakegpu.cluster.pending.GangText;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.gang.GangOutcome;
import dev.fakegpu.engine.gang.GangProblem;
import dev.fakegpu.operator.schedule.GangMembers.Gang;
import dev.fakegpu.operator.schedule.GangScheduling.Ready;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.Unschedulable;
import dev.fakegpu.operator.schedule.report.UnschedulableExplainer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Says why a gang cannot be placed. Not thread-safe. */
final class GangRefusals {

    private final SchedulerCache cache;
    private final UnschedulableExplainer explainer;

    GangRefusals(SchedulerCache cache, UnschedulableExplainer explainer) {
        this.cache = cache;
        this.explainer = explainer;
    }

    /** Why an error ended the search for places. */
    PendingReason failed(Gang gang, GangOutcome.Failed failed) {
        return fault(gang, gang.ready().get(failed.member()))
                .orElseGet(() -> error(gang.text().notKnown(failed.message())));
    }

    private PendingReason error(String sentence) {
        boolean isReported = cache.profile().reportsErrors();
        return PendingReason.gangFailed(ScopedText.of(isReported ? EventText.retried(sentence) : sentence), isReported);
    }

    /** The mistake in the claims of a pod, unless it is one that kube-scheduler reports as an error. */
    private Optional<PendingReason> fault(Gang gang, Ready pod) {
        UnaryOperator<String> whole = obstacle -> gang.text().notReady(pod.name(), obstacle);
        return explained(pod)
                .map(Unschedulable::reason)
                .filter(reason -> Reason.isFault(reason.code()) && !reason.isError())
                .map(PendingReason::text)
                .map(text -> PendingReason.gangFailed(
                        new ScopedText(whole.apply(text.shown()), whole.apply(text.full())), false));
    }

    private Optional<Unschedulable> explained(Ready pod) {
        return explainer.explain(pod.item(), explainer.turn(0, () -> false));
    }

    /**
     * Why not enough pods have a place; empty for pods that come later, which are explained like any other pod.
     *
     * @param some the places that there are
     */
    Optional<PendingReason> notPlaced(
            Gang gang, GangOutcome.Places some, Function<AllocationContext, GangProblem> problem) {
        GangText text = gang.text();
        if (gang.bound().size() >= text.needed()) {
            return Optional.empty();
        }
        List<Ready> ready = gang.ready();
        Ready first = IntStream.range(0, ready.size())
                .filter(member -> !some.nodes().containsKey(member))
                .mapToObj(ready::get)
                .findFirst()
                .orElseThrow();
        ScopedText lack = lack(gang, first, some, problem);
        UnaryOperator<String> whole = end -> text.fitsNot(some, ready.size(), end);
        return Optional.of(
                PendingReason.gangDoesNotFit(new ScopedText(whole.apply(lack.shown()), whole.apply(lack.full()))));
    }

    /** What a pod needs that gets no place. */
    private ScopedText lack(
            Gang gang, Ready pod, GangOutcome.Places some, Function<AllocationContext, GangProblem> problem) {
        var candidates =
                new NodeCandidates(gang.nodes(cache), pod.requirements().fit());
        Optional<List<Claim>> claims = candidates.fitting().stream().findFirst().map(pod.requirements()::claims);
        Optional<Unschedulable> alone = some.nodes().isEmpty() ? explained(pod) : Optional.empty();
        Optional<ScopedText> why = alone.map(each -> alone(pod, each.reason().text()));
        if (claims.isEmpty()) {
            return why.orElseGet(() -> ScopedText.of(GangText.alone(pod.name(), candidates.noneFits())));
        }
        boolean isPlaced =
                gang.bound().size() + some.nodes().size() >= gang.text().needed();
        Optional<ScopedText> wayOut = isPlaced
                ? Optional.empty()
                : explainer.wayOutOfGang(gang.ready().get(0).item(), gang.all(), problem);
        if (why.isPresent()
                && wayOut.map(change -> why.get().full().contains(change.full()))
                        .orElse(!alone.get().hasRelease())) {
            return why.get();
        }
        String lack = why.isPresent()
                ? GangText.lackOfAll(pod.name(), claims.get())
                : GangText.lack(pod.name(), claims.get());
        return wayOut.map(change -> with(change, lack)).orElseGet(() -> ScopedText.of(lack));
    }

    private static ScopedText with(ScopedText wayOut, String lack) {
        return ScopedText.of(lack + "; ").append(wayOut);
    }

    private static ScopedText alone(Ready pod, ScopedText why) {
        return new ScopedText(GangText.alone(pod.name(), why.shown()), GangText.alone(pod.name(), why.full()));
    }
}
