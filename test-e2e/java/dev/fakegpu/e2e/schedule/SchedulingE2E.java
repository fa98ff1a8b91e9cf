package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the companion does what users expect of kube-scheduler. */
class SchedulingE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    private final KubernetesClient client = cluster.client();

    @AutoClose
    private final ClusterScenario scenario = new ClusterScenario(client, AllocatorName.Companion);

    @BeforeEach
    void begin() {
        scenario.apply("example-3.yaml");
    }

    @Test
    void podIsBoundWhenTheConditionsOfItsDevicesAreMet() {
        // Given
        scenario.patch("{\"spec\":{\"binding\":{\"conditions\":[\"example.com/attached\"],"
                + "\"failureConditions\":[\"example.com/broken\"]}}}");
        scenario.podWithClaim("patient", GPU, "mig-1g");
        scenario.messages("patient", "BindingConditionsPending")
                .satisfies(messages -> assertThat(messages)
                        .anySatisfy(message -> assertThat(message)
                                .matches("waiting until \\S+Z for binding conditions: gpu-0-mig-1g-\\d of ResourceClaim"
                                        + " \"patient\" for example.com/attached")));
        scenario.claim("patient")
                .map(Allocations::devices)
                .satisfies(devices -> assertThat(devices).hasSize(1));
        scenario.pod("patient")
                .satisfies(pod -> assertThat(pod.getSpec().getNodeName()).isNull());

        // When an attempt fails
        setCondition("patient", "example.com/broken");

        // Then the failure is reported, even while the next attempt is in progress
        scenario.messages("patient", "FailedScheduling")
                .satisfies(messages -> assertThat(messages)
                        .anyMatch(message -> message.startsWith("device binding failed: claim=patient")));
        scenario.messages("patient", "BindingConditionsPending")
                .satisfies(messages -> assertThat(messages)
                        .anyMatch(message ->
                                message.contains("; attempt 1 failed: device binding failed: claim=patient")));

        // When
        setCondition("patient", "example.com/attached");

        // Then
        scenario.awaitRunning("patient");
    }

    /** Retries if the claim was written meanwhile. */
    private void setCondition(String claim, String type) {
        scenario.await(() -> assertThatCode(() -> addCondition(claim, type)).doesNotThrowAnyException());
    }

    private void addCondition(String claim, String type) {
        Condition condition = new ConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withReason("Test")
                .withMessage("")
                .withLastTransitionTime(
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .build();
        ResourceClaim changed = new ResourceClaimBuilder(scenario.claim(claim).now())
                .editStatus()
                .editFirstDevice()
                .addToConditions(condition)
                .endDevice()
                .endStatus()
                .build();
        client.resource(changed).updateStatus();
    }
}
