package dev.fakegpu.explain;

import dev.fakegpu.allocate.Refusal;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.PoolId;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What keeps one node from serving one request, or one alternative of a request.
 *
 * @param requestName the request's name
 * @param request what is asked for; it has a name of its own where it is an alternative
 * @param isAlternative whether the request has alternatives
 * @param wanted how many devices it is for
 * @param found how many of them could still be had
 * @param alongside the other requests that were served first; empty if the request cannot be served even on its own
 * @param considered how many devices the node can reach
 * @param stopped what stopped them, most telling first
 * @param inTheWay the claims that hold what the devices need
 * @param taints that stopped devices
 * @param pools what is wrong with pools of the node, whose devices could not be considered
 * @param problem what is the matter if it is not the devices, null otherwise
 * @param isExhaustive whether all combinations of devices were tried, so that no more than {@code found} can be had
 */
public record Finding(
        String node,
        ClaimRef claim,
        String requestName,
        ExactRequest request,
        boolean isAlternative,
        long wanted,
        long found,
        List<RequestRef> alongside,
        int considered,
        List<Stopped> stopped,
        List<ClaimRef> inTheWay,
        List<DeviceTaint> taints,
        List<PoolProblem> pools,
        @Nullable Problem problem,
        boolean isExhaustive) {

    public Finding {
        alongside = List.copyOf(alongside);
        stopped = List.copyOf(stopped);
        inTheWay = List.copyOf(inTheWay);
        taints = List.copyOf(taints);
        pools = List.copyOf(pools);
    }

    /**
     * Devices that were stopped for the same reason.
     *
     * @param devices how many
     * @param examples the first ways in which they were stopped
     * @param ways how many ways there are
     */
    public record Stopped(Reason reason, int devices, List<Example> examples, int ways) {
        public Stopped {
            examples = List.copyOf(examples);
        }
    }

    /**
     * Devices that were stopped in the very same way.
     *
     * @param device the first of them
     * @param devices how many
     */
    public record Example(Refusal refusal, DeviceId device, int devices) {}

    /**
     * Pools whose devices cannot be considered.
     *
     * @param incomplete the pool, if more slices may make it good
     */
    public record PoolProblem(
            Reason reason, String sentence, @Nullable PoolId incomplete) {}

    /** Something else than devices. */
    public record Problem(Reason reason, String sentence) {}

    /** What is the matter apart from devices: the problem, pools, and whether it is certain. */
    public List<Problem> others() {
        return Stream.of(
                        Stream.ofNullable(problem),
                        pools.stream().map(pool -> new Problem(pool.reason(), pool.sentence())),
                        isExhaustive || problem != null
                                ? Stream.<Problem>empty()
                                : Stream.of(new Problem(Reason.Undecided, Phrases.undecided())))
                .flatMap(Function.identity())
                .toList();
    }

    /** What stops some of the devices, for a person. */
    public String describe(Example example) {
        String rejected = Phrases.rejected(this, example);
        return rejected == null ? new Phrases(true).refusal(example.device().device(), example.refusal()) : rejected;
    }

    /** The request's name, or {@code request/alternative}. */
    public String resultName() {
        return isAlternative ? requestName + "/" + request.name() : requestName;
    }

    /** The most telling of all that is in the way. */
    public Reason reason() {
        if (problem != null) {
            return problem.reason();
        }
        Reason ofDevices = stopped.isEmpty() ? Reason.NoDevices : stopped.get(0).reason();
        Reason ofPools = pools.isEmpty() ? Reason.NoDevices : pools.get(0).reason();
        return ofDevices.compareTo(ofPools) <= 0 ? ofDevices : ofPools;
    }

    long missing() {
        return wanted - found;
    }
}
