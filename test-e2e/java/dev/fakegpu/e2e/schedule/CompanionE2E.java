package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import org.junit.jupiter.api.Test;

/** KEP-5963's examples with the companion, beside a real kube-scheduler that keeps off its devices. */
class CompanionE2E extends KepExamples {

    CompanionE2E() {
        super(AllocatorName.Companion);
    }

    @Test
    void claimsWithoutPodsAreAllocatedAndExplained() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("example-3.yaml");
            scenario.standaloneClaim("claim-a", "gpu.example.com", "mig-1g");
            scenario.awaitAllocated("claim-a");
            scenario.standaloneClaim("claim-b", "gpu.example.com", "vgpu");

            var sentence = scenario.awaitEvent("claim-b", "NotAllocated");
            assertThat(sentence)
                    .startsWith(
                            "no device for request \"gpu\": gpu-0-vgpu-0 needs group \"vgpu\" on gpu-0-counters, which is held"
                                    + " with group \"mig\" by " + scenario.namespace() + "/claim-a (gpu-0-mig-1g-0)");
            scenario.await(() -> assertThat(
                            scenario.storedClaim("claim-b").getMetadata().getAnnotations())
                    .containsEntry("fakegpu.dev/not-allocated", "DevicesIncompatible: " + sentence));

            scenario.deleteClaim("claim-a");
            scenario.awaitAllocated("claim-b");
            assertThat(scenario.storedClaim("claim-b").getMetadata().getAnnotations())
                    .doesNotContainKey("fakegpu.dev/not-allocated");
        }
    }

    @Test
    void aClaimForAllDevicesGetsAllOrNone() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("example-1.yaml");
            scenario.standaloneClaimForAll("everything", "gpu.example.com");
            assertThat(scenario.awaitAllocated("everything")).hasSize(3);
            scenario.standaloneClaimForAll("once-more", "gpu.example.com");
            scenario.awaitEvent("once-more", "NotAllocated", "everything");
            assertThat(scenario.devices("once-more")).isEmpty();
        }
    }

    @Test
    void ofAlternativesTheFirstThatCanBeHadIsTaken() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("example-1.yaml");
            scenario.standaloneClaimForOneOf("either", "gpu.example.com", "no-such-type", "mig-1g");
            assertThat(scenario.awaitAllocated("either")).hasSize(1);
            assertThat(scenario.storedClaim("either")
                            .getStatus()
                            .getAllocation()
                            .getDevices()
                            .getResults()
                            .get(0)
                            .getRequest())
                    .isEqualTo("gpu/mig-1g");
        }
    }

    @Test
    void kubeSchedulerKeepsOffTheCompanionsDevices() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("example-1.yaml");
            scenario.claim("pod-k", "gpu.example.com", "mig-1g");
            scenario.podForKubeScheduler("pod-k", "pod-k");
            scenario.awaitUnschedulable("pod-k", "cannot allocate all claims");
        }
    }
}
