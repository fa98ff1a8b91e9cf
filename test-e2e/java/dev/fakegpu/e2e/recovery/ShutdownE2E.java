package dev.fakegpu.e2e.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.OperatorProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** SIGTERM, as for a deleted pod: everything stops within Kubernetes' grace period of 30 s, even if requests hang. */
class ShutdownE2E {

    private static final Duration GRACE_PERIOD = Duration.ofSeconds(30);

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    @Test
    void leaseIsReleasedAtShutdown() {
        try (var operator = cluster.startOperator(Map.of())) {
            awaitLeader(operator);
            assertThat(holder()).isEqualTo("e2e");

            var took = stop(operator);

            System.out.printf("stopped within %s ms%n", took.toMillis());
            assertThat(holder()).isNullOrEmpty();
            assertThat(took).isLessThan(GRACE_PERIOD);
        }
    }

    /** No request is answered, so the Lease cannot be released, but the process ends anyway. */
    @Tag("long")
    @Test
    void anApiServerThatHangsDoesNotDelayIt() {
        try (var network = HeldConnections.to(cluster.controlPlane().config().getMasterUrl());
                var operator = OperatorProcess.start(cluster.controlPlane(), network.address(), Map.of());
                var fakeGpus = cluster.fakeGpus()) {
            // Given: all parts have work to do
            awaitLeader(operator);
            fakeGpus.create("hanging", "{nodes: {simulated: {count: 20}}, model: L40S}");
            fakeGpus.awaitReady("hanging");
            network.hold();
            fakeGpus.patchSpec("hanging", "{\"nodes\": {\"simulated\": {\"count\": 25}}}");
            Awaitility.await().until(() -> network.heldBytes() > 0);

            // When
            var took = stop(operator);
            network.release();

            // Then
            System.out.printf("stopped within %s ms%n", took.toMillis());
            assertThat(took).isLessThan(GRACE_PERIOD);
        }
    }

    private static Duration stop(OperatorProcess operator) {
        var begun = Instant.now();
        operator.close();
        return Duration.between(begun, Instant.now());
    }

    private static void awaitLeader(OperatorProcess operator) {
        Awaitility.await().until(operator::hasLed);
    }

    private static String holder() {
        return cluster.client()
                .leases()
                .inNamespace("fakegpu-system")
                .withName("fakegpu-operator")
                .require()
                .getSpec()
                .getHolderIdentity();
    }
}
