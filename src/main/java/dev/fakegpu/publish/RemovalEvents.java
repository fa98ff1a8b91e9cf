package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Collection;
import java.util.List;

/** Events {@code RemovedWhileInUse}, on a FakeGpu that is deleted and on each claim that holds one of its devices. */
final class RemovalEvents {
    private RemovalEvents() {}

    /**
     * @param claims all claims
     * @param holders the claims that hold devices of the FakeGpu, as {@code namespace/name}
     */
    static void record(EventRecorder events, FakeGpu fakeGpu, Collection<ResourceClaim> claims, List<String> holders) {
        if (holders.isEmpty()) {
            return;
        }
        events.warning(
                fakeGpu,
                EventReason.RemovedWhileInUse,
                "removed while these claims hold devices of it: " + StatusReport.firstOf(holders));
        claims.stream()
                .filter(claim -> holders.contains(DevicesInUse.name(claim)))
                .forEach(claim -> events.warning(
                        claim,
                        EventReason.RemovedWhileInUse,
                        "FakeGpu %s was removed, and with it devices that are allocated to this claim"
                                .formatted(fakeGpu.getMetadata().getName())));
    }
}
