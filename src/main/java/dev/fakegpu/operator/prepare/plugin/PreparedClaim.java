package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.PreparedDevice;
import java.util.List;
import java.util.stream.Stream;

/** A claim whose devices of this driver are set up on the node. */
record PreparedClaim(ClaimRef claim, List<PreparedResult> results) {

    PreparedClaim {
        results = List.copyOf(results);
    }

    List<DeviceId> allocated() {
        return results.stream().map(PreparedResult::id).distinct().toList();
    }

    Stream<PreparedDevice> held() {
        return results.stream().flatMap(result -> result.held(claim).stream());
    }

    /** Whether the claim was prepared for this allocation. */
    boolean isFor(List<PreparedResult> allocation) {
        return results.size() == allocation.size()
                && Stream.iterate(0, i -> i < results.size(), i -> i + 1)
                        .allMatch(i -> results.get(i).isSameAllocation(allocation.get(i)));
    }
}
