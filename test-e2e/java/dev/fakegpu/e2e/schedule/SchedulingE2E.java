package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What users of kube-scheduler expect of a scheduler, from the companion. */
class SchedulingE2E {

    private static final String GPU = "gpu.example.com";
    private static final String NODE = "example-3-node-0";

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
    void podThatHasANodeAlreadyIsServedThere() {
        // When
        scenario.claim("claim", GPU, "mig-1g");
        scenario.pod(
                "placed",
                List.of("claim"),
                pod -> pod.editSpec().withNodeName(NODE).endSpec());

        // Then
        scenario.awaitRunning("placed");
    }

    @Test
    void podThatHasANodeAlreadyIsToldWhyItCannotBeServedThere() {
        // Given
        scenario.podWithClaim("holder", GPU, "mig-1g");
        scenario.awaitRunning("holder");

        // When
        scenario.claim("claim", GPU, "vgpu");
        scenario.pod(
                "placed",
                List.of("claim"),
                pod -> pod.editSpec().withNodeName(NODE).endSpec());

        // Then
        String why = "on node " + NODE + ", where the pod is already: no device for request \"gpu\"";
        assertThat(scenario.awaitEvent("placed", "FailedScheduling", why)).startsWith(why);
    }

    @Test
    void nodeMustHaveWhatThePodRequests() {
        // When
        scenario.claim("claim", GPU, "mig-1g");
        scenario.pod(
                "greedy",
                List.of("claim"),
                pod -> pod.editSpec()
                        .editFirstContainer()
                        .withNewResources()
                        .addToRequests("cpu", new Quantity("100k"))
                        .endResources()
                        .endContainer()
                        .endSpec());

        // Then
        scenario.awaitUnschedulable("greedy", "1 Insufficient cpu.");
        assertThat(scenario.devices("claim")).isEmpty();
    }

    @Test
    void extendedResourceIsServedByADevice() {
        // Given
        var deviceClass = client.resource(new DeviceClassBuilder()
                        .withNewMetadata()
                        .withName("scheduling-e2e")
                        .endMetadata()
                        .withNewSpec()
                        .withExtendedResourceName("example.com/mig")
                        .addNewSelector()
                        .withNewCel(
                                "device.driver == '%1$s' && device.attributes['%1$s'].type == 'mig-1g'".formatted(GPU))
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
        try {
            // When
            scenario.pod(
                    "extended",
                    List.of(),
                    pod -> pod.editSpec()
                            .editFirstContainer()
                            .withNewResources()
                            .withRequests(Map.of("example.com/mig", new Quantity("1")))
                            .withLimits(Map.of("example.com/mig", new Quantity("1")))
                            .endResources()
                            .endContainer()
                            .endSpec());

            // Then
            scenario.awaitRunning("extended");
            var status = scenario.storedPod("extended").getStatus().getExtendedResourceClaimStatus();
            assertThat(status.getRequestMappings()).singleElement().satisfies(mapping -> {
                assertThat(mapping.getContainerName()).isEqualTo("main");
                assertThat(mapping.getResourceName()).isEqualTo("example.com/mig");
                assertThat(mapping.getRequestName()).isEqualTo("container-0-request-0");
            });
            assertThat(scenario.devices(status.getResourceClaimName())).hasSize(1);
        } finally {
            client.resource(deviceClass).delete();
        }
    }

    @Test
    void podIsBoundWhenTheConditionsOfItsDevicesAreMet() {
        // Given
        scenario.patch("{\"spec\":{\"binding\":{\"conditions\":[\"example.com/attached\"],"
                + "\"failureConditions\":[\"example.com/broken\"]}}}");
        scenario.podWithClaim("patient", GPU, "mig-1g");
        assertThat(scenario.awaitEvent("patient", "BindingConditionsPending"))
                .matches("waiting until \\S+Z for binding conditions: gpu-0-mig-1g-\\d of ResourceClaim \"patient\" for"
                        + " example.com/attached");
        assertThat(scenario.devices("patient")).hasSize(1);
        assertThat(scenario.storedPod("patient").getSpec().getNodeName()).isNull();

        // When an attempt fails
        setCondition("patient", "example.com/broken");

        // Then it is said, also while the next one goes on
        scenario.await(() -> assertThat(scenario.events("patient", "FailedScheduling"))
                .extracting(Event::getMessage)
                .anyMatch(message -> message.startsWith("device binding failed: claim=patient")));
        scenario.await(() -> assertThat(scenario.events("patient", "BindingConditionsPending"))
                .extracting(Event::getMessage)
                .anyMatch(message -> message.contains("; attempt 1 failed: device binding failed: claim=patient")));

        // When
        setCondition("patient", "example.com/attached");

        // Then
        scenario.awaitRunning("patient");
    }

    @Test
    void bindingConditionsAreSimulated() {
        // When
        scenario.patch("{\"spec\":{\"binding\":{\"conditions\":[\"example.com/attached\"],"
                + "\"failureConditions\":[\"example.com/broken\"],\"simulate\":{\"outcome\":\"Failed\"}}}}");
        scenario.podWithClaim("served", GPU, "mig-1g");

        // Then
        scenario.await(() -> assertThat(scenario.events("served", "FailedScheduling"))
                .extracting(Event::getMessage)
                .anyMatch(message -> message.startsWith("device binding failed: claim=served")
                        && message.contains(
                                "condition=example.com/broken, reason=SimulatedFailed, message=\"binding.simulate"
                                        + " of FakeGpu example-3 sets the condition 0 s after the allocation\"")));
        scenario.await(() -> assertThat(PodState.scheduled(scenario.storedPod("served")))
                .hasValueSatisfying(condition -> {
                    assertThat(condition.getStatus()).isEqualTo("False");
                    assertThat(condition.getMessage()).startsWith("device binding failed: claim=served");
                }));

        // When
        scenario.patch("{\"spec\":{\"binding\":{\"simulate\":{\"after\":\"1s\",\"outcome\":\"Ready\"}}}}");

        // Then
        scenario.awaitRunning("served");
        assertBindingIsSimulated(scenario.storedClaim("served"));
    }

    /** That the operator has set the condition example.com/attached of the claim's only device. */
    static void assertBindingIsSimulated(ResourceClaim claim) {
        assertThat(claim.getStatus().getDevices())
                .singleElement()
                .satisfies(device -> assertThat(device.getConditions())
                        .filteredOn(condition -> "example.com/attached".equals(condition.getType()))
                        .singleElement()
                        .extracting(Condition::getStatus, Condition::getReason)
                        .containsExactly("True", "SimulatedReady"));
    }

    @Test
    void gateCanBeChangedWhileTheOperatorRuns() {
        // Given
        scenario.podWithClaim("holder", GPU, "mig-1g");
        scenario.awaitRunning("holder");
        scenario.podWithClaim("waiting", GPU, "vgpu");
        scenario.awaitUnschedulable("waiting");

        // When
        var settings = client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("fakegpu-system")
                        .withName("fakegpu-operator")
                        .endMetadata()
                        .addToData("companion.gate", "Unaware")
                        .build())
                .create();

        // Then
        try {
            scenario.awaitAllocated("waiting");
            assertThat(scenario.awaitEvent("waiting", "Scheduled"))
                    .endsWith(" (compatibility groups Unaware, group policy Snapshot)");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(groupsServed()).contains("the companion does not enforce them"));
        } finally {
            client.resource(settings).delete();
            // Or the operator, which others share, may decide by these settings about their pods.
            scenario.await(() -> assertThat(groupsServed()).doesNotContain("the companion does not enforce them"));
        }
    }

    private String groupsServed() {
        var fakeGpu = client.resources(FakeGpu.class)
                .withName(scenario.fakeGpu().getMetadata().getName())
                .get();
        return FakeGpuFixture.condition(fakeGpu, "CompatibilityGroupsServed").getMessage();
    }

    /** Again if somebody else has written the claim meanwhile. */
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
        ResourceClaim changed = new ResourceClaimBuilder(scenario.storedClaim(claim))
                .editStatus()
                .editFirstDevice()
                .addToConditions(condition)
                .endDevice()
                .endStatus()
                .build();
        client.resource(changed).updateStatus();
    }
}
