package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How pods and claims come together: templates, shared claims, several claims, nodes, and what somebody else wrote. */
class PodsE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    private final KubernetesClient client = cluster.client();

    @AutoClose
    private final ClusterScenario scenario = new ClusterScenario(client, AllocatorName.Companion);

    // --- where claims come from ---

    @Test
    void claimsFromTemplatesAreMadeAndGoWithTheirPods() {
        // Given
        scenario.apply("example-3.yaml");
        template("one-vgpu", "vgpu");
        podFromTemplate("pod-a", "one-vgpu");
        podFromTemplate("pod-b", "one-vgpu");
        scenario.awaitRunning("pod-a");
        scenario.awaitRunning("pod-b");
        assertThat(List.of(scenario.devices(generatedClaim("pod-a")), scenario.devices(generatedClaim("pod-b"))))
                .doesNotHaveDuplicates()
                .allSatisfy(devices -> assertThat(devices).hasSize(1));
        podFromTemplate("pod-c", "one-vgpu");
        scenario.awaitUnschedulable("pod-c");

        // When
        scenario.deletePod("pod-a");

        // Then
        scenario.awaitRunning("pod-c");
    }

    @Test
    void podWhoseClaimDoesNotExistYetWaitsForIt() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.pod("early", "late");
        scenario.await(() -> assertThat(scenario.events("early", "FailedScheduling"))
                .anySatisfy(event -> assertThat(event.getMessage()).contains("ResourceClaim \"late\" does not exist")));

        // When
        scenario.claim("late", GPU, "vgpu");

        // Then
        scenario.awaitRunning("early");
    }

    @Test
    void podWhoseClaimIsDeletedWhileItWaitsWaitsForANewOne() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.podWithClaim("holder", GPU, "mig-1g");
        scenario.awaitRunning("holder");
        scenario.podWithClaim("waiting", GPU, "vgpu");
        scenario.awaitUnschedulable("waiting");

        // When
        scenario.deleteClaim("waiting");
        scenario.awaitUnschedulable("waiting", "does not exist");
        scenario.claim("waiting", GPU, "mig-1g");

        // Then
        scenario.awaitRunning("waiting");
    }

    // --- several pods, several claims ---

    @Test
    void sharedClaimIsGivenBackByTheLastPodOnly() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.claim("shared", GPU, "mig-1g");
        scenario.pod("pod-a", "shared");
        scenario.pod("pod-b", "shared");
        scenario.pod("pod-c", "shared");
        scenario.awaitRunning("pod-a");
        scenario.awaitRunning("pod-b");
        scenario.awaitRunning("pod-c");
        assertThat(reservedFor("shared")).containsExactlyInAnyOrder("pod-a", "pod-b", "pod-c");
        var device = scenario.devices("shared").get(0);

        // When
        scenario.deletePod("pod-a");
        scenario.deletePod("pod-c");
        scenario.await(() -> assertThat(reservedFor("shared")).containsExactly("pod-b"));

        // Then
        assertThat(scenario.devices("shared")).containsExactly(device);
        assertThat(DeviceStatuses.isPrepared(scenario.storedClaim("shared"), device))
                .isTrue();
        scenario.awaitRunning("pod-b");

        // When
        scenario.deletePod("pod-b");

        // Then
        scenario.await(() -> {
            assertThat(scenario.devices("shared")).isEmpty();
            assertThat(scenario.storedClaim("shared").getMetadata().getFinalizers())
                    .isEmpty();
        });
    }

    /** Two vGPUs fill the GPU's counters, so a pod that wants two gets both or none. */
    @Test
    void podWithTwoClaimsGetsBothOrNone() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.podWithClaim("holder", GPU, "vgpu");
        scenario.awaitRunning("holder");
        scenario.claim("first", GPU, "vgpu");
        scenario.claim("second", GPU, "vgpu");

        // When
        podWithClaims("both", "first", "second");
        scenario.awaitUnschedulable("both");

        // Then
        assertThat(scenario.devices("first")).isEmpty();
        assertThat(scenario.devices("second")).isEmpty();

        // When
        scenario.deletePod("holder");

        // Then
        scenario.awaitRunning("both");
        assertThat(scenario.devices("first")).isNotEmpty().doesNotContainAnyElementsOf(scenario.devices("second"));
    }

    @Test
    void claimsOfOnePodMustGoTogether() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.claim("mig", GPU, "mig-1g");
        scenario.claim("vgpu", GPU, "vgpu");

        // When
        podWithClaims("mixed", "mig", "vgpu");

        // Then
        assertThat(scenario.awaitUnschedulable("mixed", "nodes are available")).startsWith("0/");
        assertThat(scenario.devices("mig")).isEmpty();
        assertThat(scenario.devices("vgpu")).isEmpty();
    }

    // --- claims without pods ---

    @Test
    void namespaceAsksForAllItsClaimsAndAClaimCanOptOut() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.claim("in-labelled-namespace", GPU, "mig-1g");
        client.resource(new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(scenario.namespace())
                        .withName("opted-out")
                        .addToLabels(Labels.ALLOCATE, "false")
                        .endMetadata()
                        .withNewSpecLike(
                                scenario.storedClaim("in-labelled-namespace").getSpec())
                        .endSpec()
                        .build())
                .create();
        assertThat(scenario.devices("in-labelled-namespace")).isEmpty();

        // When
        client.namespaces()
                .withName(scenario.namespace())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"fakegpu.dev/allocate\":\"true\"}}}");

        // Then
        scenario.awaitAllocated("in-labelled-namespace");
        scenario.claim("created-later", GPU, "mig-1g");
        scenario.awaitAllocated("created-later");
        assertThat(scenario.devices("opted-out")).isEmpty();
    }

    // --- nodes ---

    @Test
    void nodeSelectorChoosesTheNode() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.patch("{\"spec\":{\"nodes\":{\"simulated\":{\"count\":2}}}}");
        scenario.claim("selecting", GPU, "vgpu");

        // When
        scenario.pod(
                "selecting",
                List.of("selecting"),
                pod -> pod.editSpec()
                        .addToNodeSelector("kubernetes.io/hostname", "example-3-node-1")
                        .endSpec());

        // Then
        scenario.awaitRunning("selecting");
        assertThat(scenario.storedPod("selecting").getSpec().getNodeName()).isEqualTo("example-3-node-1");
        assertThat(scenario.devices("selecting").get(0).pool()).isEqualTo("example-3-node-1/example-3");
    }

    @Test
    void nodeSelectorThatNoNodeMatchesIsTheReason() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.claim("nowhere", GPU, "vgpu");

        // When
        scenario.pod(
                "nowhere",
                List.of("nowhere"),
                pod -> pod.editSpec()
                        .addToNodeSelector("kubernetes.io/hostname", "no-such-node")
                        .endSpec());

        // Then
        scenario.awaitUnschedulable("nowhere", "1 node(s) didn't match Pod's node affinity/selector.");
    }

    @Test
    void cordonedNodeIsUsedAgainWhenItIsUncordoned() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.cordon("example-3-node-0", true);
        scenario.podWithClaim("patient", GPU, "vgpu");
        scenario.awaitUnschedulable("patient", "1 node(s) were unschedulable.");
        assertThat(scenario.devices("patient")).isEmpty();

        // When
        scenario.cordon("example-3-node-0", false);

        // Then
        scenario.awaitRunning("patient");
    }

    // --- what somebody else wrote ---

    /** The API server checks no allocation; the preparer is the last line of defence. */
    @Test
    void incompatibleAllocationWrittenByHandFailsToBePrepared() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.podWithClaim("holder", GPU, "mig-1g");
        scenario.awaitRunning("holder");
        scenario.claim("by-hand", GPU, "vgpu");

        // When
        scenario.pod(
                "by-hand",
                List.of("by-hand"),
                pod -> pod.editSpec()
                        .withSchedulerName("nobody")
                        .withNodeName("example-3-node-0")
                        .endSpec());
        allocateByHand("by-hand", "by-hand", new DeviceId(GPU, "example-3-node-0/example-3", "gpu-0-vgpu-0"));

        // Then
        var problem = "gpu-0-vgpu-0 needs the hardware behind gpu-0-counters configured as \"vgpu\", but it is"
                + " configured as \"mig\" for " + scenario.namespace() + "/holder (gpu-0-mig-1g-0)";
        scenario.await(() -> assertThat(scenario.events("by-hand", "FailedPrepareDynamicResources"))
                .anySatisfy(event -> assertThat(event.getMessage())
                        .isEqualTo("Failed to prepare dynamic resources: prepare dynamic resources:"
                                + " NodePrepareResources failed for ResourceClaim by-hand: " + problem)));
        assertThat(DeviceStatuses.readyCondition(
                        scenario.storedClaim("by-hand"),
                        scenario.devices("by-hand").get(0)))
                .hasValueSatisfying(condition -> {
                    assertThat(condition.getStatus()).isEqualTo("False");
                    assertThat(condition.getReason()).isEqualTo("PrepareFailed");
                    assertThat(condition.getMessage()).isEqualTo(problem);
                });
        assertThat(scenario.storedPod("by-hand").getStatus().getPhase()).isEqualTo("Pending");

        // When
        scenario.deletePod("holder");

        // Then
        scenario.awaitRunning("by-hand");
    }

    /** Reserving what is allocated is left to kube-controller-manager, which does it for every pod that has a node. */
    @Test
    void podOnANodeWaitsForItsClaimToBeAllocatedAndReserved() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.claim("late", GPU, "mig-1g");
        scenario.pod(
                "bound",
                List.of("late"),
                pod -> pod.editSpec()
                        .withSchedulerName("nobody")
                        .withNodeName("example-3-node-0")
                        .endSpec());
        assertThat(scenario.awaitEvent("bound", "FailedPrepareDynamicResources"))
                .contains("pod bound (", "is not allowed to use ResourceClaim late (");

        // When
        client.resource(new ResourceClaimBuilder(scenario.storedClaim("late"))
                        .editMetadata()
                        .addToLabels(Labels.ALLOCATE, "true")
                        .endMetadata()
                        .build())
                .update();

        // Then
        scenario.awaitRunning("bound");
        assertThat(reservedFor("late")).containsExactly("bound");
    }

    // --- helpers ---

    private void template(String name, String type) {
        client.resource(new ResourceClaimTemplateBuilder()
                        .withNewMetadata()
                        .withNamespace(scenario.namespace())
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withNewSpec()
                        .withNewDevices()
                        .addNewRequest()
                        .withName("gpu")
                        .withNewExactly()
                        .withDeviceClassName(GPU)
                        .addNewSelector()
                        .withNewCel("device.attributes['%s'].type == '%s'".formatted(GPU, type))
                        .endSelector()
                        .endExactly()
                        .endRequest()
                        .endDevices()
                        .endSpec()
                        .endSpec()
                        .build())
                .create();
    }

    private void podFromTemplate(String name, String template) {
        scenario.pod(
                name,
                List.of(),
                pod -> pod.editSpec()
                        .addNewResourceClaim()
                        .withName("gpu")
                        .withResourceClaimTemplateName(template)
                        .endResourceClaim()
                        .endSpec());
    }

    private void podWithClaims(String name, String... claims) {
        scenario.pod(name, Arrays.asList(claims), pod -> pod);
    }

    private String generatedClaim(String pod) {
        return scenario.storedPod(pod)
                .getStatus()
                .getResourceClaimStatuses()
                .get(0)
                .getResourceClaimName();
    }

    private List<String> reservedFor(String claim) {
        return scenario.storedClaim(claim).getStatus().getReservedFor().stream()
                .map(consumer -> consumer.getName())
                .toList();
    }

    private void allocateByHand(String claim, String pod, DeviceId device) {
        ResourceClaim stored = scenario.storedClaim(claim);
        client.resource(new ResourceClaimBuilder(stored)
                        .withNewStatus()
                        .withNewAllocation()
                        .withNewDevices()
                        .addNewResult()
                        .withRequest("gpu")
                        .withDriver(device.driver())
                        .withPool(device.pool())
                        .withDevice(device.device())
                        .endResult()
                        .endDevices()
                        .endAllocation()
                        .addNewReservedFor()
                        .withResource("pods")
                        .withName(pod)
                        .withUid(scenario.storedPod(pod).getMetadata().getUid())
                        .endReservedFor()
                        .endStatus()
                        .build())
                .updateStatus();
    }
}
