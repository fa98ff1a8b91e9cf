package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The election of a leader, with a Lease of a real API server. */
class LeadershipIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();
    private final String namespace =
            "leadership-" + UUID.randomUUID().toString().substring(0, 8);

    @Test
    void oneLeadsAndGivesTheLeaseBackWhenItEnds() {
        var firstLeads = new AtomicBoolean();
        var secondLeads = new AtomicBoolean();
        try (var first = new Leadership(client, namespace, "first", System::nanoTime);
                var second = new Leadership(client, namespace, "second", System::nanoTime)) {
            // Given
            first.start(() -> firstLeads.set(true), () -> {});
            Awaitility.await().untilTrue(firstLeads);
            second.start(() -> secondLeads.set(true), () -> {});
            assertThat(first.isHeld()).isTrue();
            assertThat(second.isHeld()).isFalse();

            // When
            first.close();

            // Then
            assertThat(holder()).isNotEqualTo("first");
            assertThat(first.isHeld()).isFalse();
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilTrue(secondLeads);
            assertThat(second.isHeld()).isTrue();
            assertThat(holder()).isEqualTo("second");
        }
    }

    /** Decided by the time of the last renewal, not by the stored Lease. */
    @Test
    void leadershipIsOnlySureForAsLongAsTheLeaseWasRenewedFor() {
        var leads = new AtomicBoolean();
        var late = new AtomicBoolean();
        try (var leader = new Leadership(
                client,
                namespace,
                "leader",
                () -> System.nanoTime() + (late.get() ? Leadership.RENEW_DEADLINE.toNanos() : 0))) {
            leader.start(() -> leads.set(true), () -> {});
            Awaitility.await().untilTrue(leads);
            assertThat(leader.isHeld()).isTrue();

            late.set(true);

            assertThat(leader.isHeld()).isFalse();
        }
    }

    private String holder() {
        return client.leases()
                .inNamespace(namespace)
                .withName(Leadership.LEASE)
                .require()
                .getSpec()
                .getHolderIdentity();
    }
}
