package dev.fakegpu.explain;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.ExactRequest;
import java.util.List;

/**
 * What keeps one node from serving one request.
 *
 * @param found how many of the request's devices could still be had
 * @param alongside the other requests that were served first; empty if the request cannot be served even on its own
 * @param considered how many devices the node can reach
 * @param stopped what stopped them, most telling first
 * @param pools what is wrong with pools of the node, whose devices could not be considered
 */
public record Finding(
        String node,
        ClaimRef claim,
        ExactRequest request,
        long found,
        List<RequestRef> alongside,
        int considered,
        List<Stopped> stopped,
        List<PoolProblem> pools) {

    public Finding {
        alongside = List.copyOf(alongside);
        stopped = List.copyOf(stopped);
        pools = List.copyOf(pools);
    }

    /** Devices that the same obstacle stopped. */
    public record Stopped(Obstacle obstacle, DeviceId example, int count) {}

    /** A pool whose devices cannot be considered. */
    public record PoolProblem(Reason reason, String sentence) {}

    /** The most telling of all that is in the way. */
    Reason reason() {
        Reason ofDevices =
                stopped.isEmpty() ? Reason.NoDevices : stopped.get(0).obstacle().reason();
        Reason ofPools = pools.isEmpty() ? Reason.NoDevices : pools.get(0).reason();
        return ofDevices.compareTo(ofPools) <= 0 ? ofDevices : ofPools;
    }
}
