package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests explanations for pods that the real kube-scheduler refuses without a detailed reason. */
class ExplainerE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    @Test
    void eventForAPodOfKubeSchedulerNamesTheBlockingClaim() {
        try (var scenario = cluster.scenario(AllocatorName.KubeScheduler)) {
            // Given
            scenario.apply("example-3.yaml");
            scenario.podWithClaim("holder", GPU, "mig-1g");
            scenario.awaitRunning("holder");

            // When
            scenario.podWithClaim("waiting", GPU, "vgpu");

            // Then
            assertThat(scenario.awaitUnschedulable("waiting", "cannot allocate all claims"))
                    .doesNotContain("holder");
            awaitMessage(
                    scenario,
                    "waiting",
                    "DevicesUnavailable",
                    "no device for request \"gpu\": gpu-0-vgpu-0 needs group \"vgpu\" on gpu-0,"
                            + " held with group \"mig\" by holder; delete pod holder; 1 more likewise");

            // When the pod is looked at again because of another one
            scenario.podWithClaim("next", GPU, "vgpu");
            scenario.awaitEvent("next", "DevicesUnavailable");

            // Then
            assertThat(scenario.events("waiting", "DevicesUnavailable"))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.getCount()).isEqualTo(1);
                        assertThat(event.getReportingComponent()).isEqualTo("fakegpu-explainer");
                    });

            // When
            scenario.deletePod("holder");
            scenario.deleteClaim("holder");

            // Then
            scenario.awaitRunning("waiting");
        }
    }

    @Test
    void extendedResourcesAreExplainedToo() {
        try (var scenario = cluster.scenario(AllocatorName.KubeScheduler)) {
            // Given
            scenario.apply("example-1.yaml");
            scenario.podWithClaim("holder", GPU, "mig-1g");
            scenario.awaitRunning("holder");

            // When
            cluster.client()
                    .resource(new PodBuilder()
                            .withNewMetadata()
                            .withNamespace(scenario.namespace())
                            .withName("three")
                            .endMetadata()
                            .withNewSpec()
                            .addNewContainer()
                            .withName("main")
                            .withImage("busybox:1")
                            .withNewResources()
                            .addToRequests("deviceclass.resource.kubernetes.io/" + GPU, new Quantity("3"))
                            .addToLimits("deviceclass.resource.kubernetes.io/" + GPU, new Quantity("3"))
                            .endResources()
                            .endContainer()
                            .addNewToleration()
                            .withKey(Labels.SIMULATED)
                            .withOperator("Exists")
                            .endToleration()
                            .endSpec()
                            .build())
                    .create();

            // Then
            assertThat(scenario.awaitEvent(
                            "three",
                            "DevicesUnavailable",
                            "deviceclass.resource.kubernetes.io/gpu.example.com of container \"main\"",
                            "gpu-0-mig-1g-0 is held by holder"))
                    .doesNotContain("container-0-request-0");
        }
    }

    @Test
    void eventNamesTheAllocatorForAPodOfKubeScheduler() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            scenario.apply("example-1.yaml");
            scenario.claim("pod-k", GPU, "mig-1g");

            // When
            scenario.podForKubeScheduler("pod-k", "pod-k");

            // Then
            awaitMessage(
                    scenario,
                    "pod-k",
                    "WrongAllocator",
                    "devices of FakeGpu \"example-1\" are allocated by the companion: set schedulerName:"
                            + " fakegpu-scheduler in the pod, or spec.allocator: KubeScheduler in the FakeGpu");

            // When
            scenario.patch("{\"spec\":{\"allocator\":\"KubeScheduler\"}}");

            // Then
            scenario.awaitRunning("pod-k");
        }
    }

    @Test
    void eventNamesTheAllocatorForAPodOfTheCompanion() {
        try (var scenario = cluster.scenario(AllocatorName.KubeScheduler)) {
            // Given
            scenario.apply("example-1.yaml");
            scenario.claim("pod-c", GPU, "mig-1g");

            // When
            scenario.podForCompanion("pod-c", "pod-c");

            // Then
            awaitMessage(
                    scenario,
                    "pod-c",
                    "WrongAllocator",
                    "devices of FakeGpu \"example-1\" are allocated by kube-scheduler: remove"
                            + " schedulerName from the pod, or set spec.allocator: Companion in the FakeGpu");
            scenario.awaitEvent(
                    "pod-c",
                    "FailedScheduling",
                    "there are no devices to allocate except those of FakeGpu \"example-1\", whose spec.allocator is"
                            + " KubeScheduler");
        }
    }

    @Test
    void eventForAnUnusedClaimNamesTheLabel() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            scenario.apply("example-1.yaml");

            // When
            scenario.claim("alone", GPU, "mig-1g");

            // Then
            awaitMessage(
                    scenario,
                    "alone",
                    "WaitForFirstConsumer",
                    "waiting for a pod that uses the claim; the companion allocates it without one if the"
                            + " claim or its namespace has the label fakegpu.dev/allocate=true");

            // When
            cluster.client()
                    .resources(ResourceClaim.class)
                    .inNamespace(scenario.namespace())
                    .withName("alone")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"labels\":{\"fakegpu.dev/allocate\":\"true\"}}}");

            // Then
            scenario.awaitAllocated("alone");
        }
    }

    @Test
    void eventNamesTheAllocatorForALabelledClaim() {
        try (var scenario = cluster.scenario(AllocatorName.KubeScheduler)) {
            // Given
            scenario.apply("example-1.yaml");

            // When
            scenario.standaloneClaim("labelled", GPU, "mig-1g");

            // Then
            scenario.awaitEvent(
                    "labelled",
                    "WrongAllocator",
                    "devices of FakeGpu \"example-1\" are allocated by kube-scheduler, which allocates for pods only");
        }
    }

    @Test
    void eventForAnUnattendedPodNamesTheProblem() {
        try (var scenario = cluster.scenario(AllocatorName.KubeScheduler)) {
            // Given
            scenario.apply("example-1.yaml");
            scenario.claim("claim", GPU, "mig-1g");

            // When
            scenario.podForKubeScheduler("missing", "no-such-claim");
            scenario.pod(
                    "misspelt",
                    List.of("claim"),
                    pod -> pod.editSpec().withSchedulerName("fakegpu-schedular").endSpec());

            // Then
            awaitMessage(scenario, "missing", "ClaimsUnavailable", "ResourceClaim \"no-such-claim\" does not exist");
            scenario.awaitEvent(
                    "misspelt",
                    "NoScheduler",
                    "no scheduler has tried to schedule the pod: its schedulerName is \"fakegpu-schedular\"");

            // When
            scenario.claim("no-such-claim", GPU, "mig-1g");

            // Then
            scenario.awaitRunning("missing");
        }
    }

    @Test
    void eventNamesTheNodeOfAnAllocatedClaim() {
        try (var scenario = cluster.scenario(AllocatorName.KubeScheduler)) {
            // Given
            scenario.apply("example-1.yaml");
            scenario.podWithClaim("first", GPU, "mig-1g");
            scenario.awaitRunning("first");

            // When
            scenario.pod(
                    "second",
                    List.of("first"),
                    pod -> pod.editSpec()
                            .withSchedulerName("default-scheduler")
                            .addToNodeSelector("kubernetes.io/hostname", "elsewhere")
                            .addNewToleration()
                            .withKey(Labels.SIMULATED)
                            .withOperator("Exists")
                            .endToleration()
                            .endSpec());

            // Then
            scenario.awaitEvent(
                    "second",
                    "ClaimsUnavailable",
                    "ResourceClaim \"first\" is allocated on ",
                    " (used by pod \"first\"), where the pod does not fit: node(s) didn't match Pod's node");
        }
    }

    private static void awaitMessage(ClusterScenario scenario, String object, String reason, String message) {
        scenario.messages(object, reason)
                .satisfies(messages -> assertThat(messages).contains(message));
    }
}
