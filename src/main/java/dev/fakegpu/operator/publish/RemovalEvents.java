package dev.fakegpu.operator.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.operator.publish.condition.StatusReport;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Collection;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Records the events {@code RemovedWhileInUse} on a FakeGpu that is deleted and on each claim that holds one of its devices.
 *
 * @param reader what the event on the FakeGpu may name
 */
record RemovalEvents(EventRecorder events, NameScope reader) {

    private static final Logger LOG = Logger.getLogger(RemovalEvents.class);

    /**
     * @param claims all claims
     * @param holders the claims that hold devices of the FakeGpu
     */
    void record(FakeGpu fakeGpu, Collection<ResourceClaim> claims, List<ClaimRef> holders) {
        if (holders.isEmpty()) {
            return;
        }
        String name = fakeGpu.getMetadata().getName();
        var text = ScopedText.of(
                reader,
                scope -> "removed while these claims hold devices of it: "
                        + StatusReport.firstOf(holders.stream().map(scope::of).toList()));
        LOG.warnf("FakeGpu %s: %s", name, text.full());
        events.warning(fakeGpu, EventReason.RemovedWhileInUse, text.shown());
        claims.stream()
                .filter(claim -> holders.contains(ClaimReader.ref(claim)))
                .forEach(claim -> events.warning(
                        claim,
                        EventReason.RemovedWhileInUse,
                        "FakeGpu %s was removed, and with it devices that are allocated to this claim"
                                .formatted(name)));
    }
}
