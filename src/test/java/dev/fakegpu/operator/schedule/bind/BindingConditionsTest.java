package dev.fakegpu.operator.schedule.bind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.BindingConditions;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BindingConditionsTest {

    private static final ResourceClaim CLAIM = Serialization.unmarshal("""
            metadata: {name: c}
            status:
              allocation:
                devices:
                  results:
                    - {driver: d, pool: p, device: gpu-0, request: r, bindingConditions: [attached, cooled],
                       bindingFailureConditions: [failed]}
                    - {driver: d, pool: p, device: gpu-1, request: r, bindingConditions: [attached]}
              devices:
                - {driver: d, pool: p, device: gpu-0, conditions: [{type: cooled, status: "True"}]}
                - {driver: d, pool: p, device: gpu-1, conditions: [{type: attached, status: "True"}]}
            """, ResourceClaim.class);

    private static final QueueItem POD =
            new QueueItem(QueueItem.Kind.POD, "default", "pod", "uid", 0, "2026-01-01T00:00:00Z");

    @Test
    void unmetConditionsAreNamedWithTheirDevices() {
        assertThat(BindingConditions.unmet(CLAIM)).containsExactly("gpu-0 of ResourceClaim \"c\" for attached");
    }

    @Test
    void pendingConditionsAreReportedWithTheDeadlineAndTheLastFailure() {
        Instant until = Instant.parse("2026-01-01T09:29:39.5Z");
        assertThat(CompanionMessages.awaitsBindingConditions(BindingConditions.unmet(CLAIM), until, Optional.empty()))
                .isEqualTo("waiting until 2026-01-01T09:29:39Z for binding conditions: gpu-0 of ResourceClaim \"c\" for"
                        + " attached");
        assertThat(CompanionMessages.awaitsBindingConditions(
                        BindingConditions.unmet(CLAIM),
                        until,
                        Optional.of(BindingFailures.first(POD, "no power").and("no cable"))))
                .endsWith(" for attached; attempt 2 failed: no cable");
    }
}
