package dev.fakegpu.operator.schedule;

import static dev.fakegpu.operator.schedule.MemoryCompanion.claim;
import static dev.fakegpu.operator.schedule.MemoryCompanion.create;
import static dev.fakegpu.operator.schedule.MemoryCompanion.deviceClass;
import static dev.fakegpu.operator.schedule.MemoryCompanion.readyNode;
import static dev.fakegpu.operator.schedule.MemoryCompanion.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a claim with the label {@link Labels#ALLOCATE} that pods use, beside kube-controller-manager. */
class LabeledClaimTest {

    private static final Duration TICK = Duration.ofMillis(100);

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final SteppedCompanion companion =
            MemoryCompanion.of(cluster, cluster, time, MemoryCompanion.OPTIONS).buildStepped();
    private int allocations;

    @BeforeEach
    void nodeWithTwoDevices() {
        create(
                cluster,
                deviceClass("gpu", "true"),
                readyNode("n0", 16),
                slice("n0", "gpu.example.com", "gpu-0", "gpu-1"));
        cluster.stores().claims().addListener((before, after) -> {
            if (after != null
                    && Allocations.isAllocated(after)
                    && (before == null || !Allocations.isAllocated(before))) {
                allocations++;
            }
        });
    }

    @Test
    void isAllocatedOnceIfAPodThatUsesItFitsNoNode() {
        create(cluster, labeled("w"), MemoryCompanion.pod("w", "nodeSelector: {zone: none}"));

        pass(Duration.ofSeconds(20));

        assertThat(stored()).matches(Allocations::isAllocated);
        assertThat(allocations).isEqualTo(1);
    }

    /** kube-controller-manager reserves allocated claims for every pod that has a node, and releases those of pods that have ended. */
    @Test
    void waitsForTheDeletionOfAnEndedPodForWhichItWouldBeReleased() {
        create(cluster, labeled("w"), MemoryCompanion.pod("w", "nodeName: n0"));
        endPod();

        pass(Duration.ofSeconds(20));

        assertThat(allocations).isLessThanOrEqualTo(1);
        assertThat(stored()).matches(claim -> !Allocations.isAllocated(claim));
        assertThat(stored().getMetadata().getAnnotations())
                .containsEntry(
                        Labels.NOT_ALLOCATED,
                        "ClaimsUnavailable: pod \"w\" has ended, but still refers to it, so kube-controller-manager would"
                                + " release its devices; delete the pod");

        int before = allocations;
        cluster.deleteImmediately(storedPod());
        pass(Duration.ofSeconds(20));

        assertThat(stored()).matches(Allocations::isAllocated);
        assertThat(allocations).isEqualTo(before + 1);
    }

    /** kube-controller-manager reserves such a claim for the group, which has not ended. */
    @Test
    void isAllocatedBesideAnEndedPodIfTheirGroupSharesTheClaim() {
        createMemberOf(group("resourceClaims: [{name: gpu, resourceClaimName: w}]"));
        endPod();

        pass(Duration.ofSeconds(20));

        assertThat(stored()).matches(Allocations::isAllocated);
    }

    /** kube-controller-manager fails before it reserves the claims of a pod whose group does not exist. */
    @Test
    void isAllocatedBesideAnEndedPodOnceItsGroupDoesNotExist() {
        createMemberOf(group("schedulingPolicy: {basic: {}}"));
        endPod();
        pass(Duration.ofSeconds(20));
        assertThat(stored()).matches(claim -> !Allocations.isAllocated(claim));

        cluster.deleteImmediately(
                cluster.stores().podGroups().get("default", "ring").orElseThrow());
        pass(Duration.ofSeconds(20));

        assertThat(stored()).matches(Allocations::isAllocated);
    }

    private void createMemberOf(String group) {
        create(
                cluster,
                group,
                labeled("w"),
                MemoryCompanion.pod("w", "nodeName: n0\n  schedulingGroup: {podGroupName: ring}"));
    }

    private static String group(String spec) {
        return """
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {namespace: default, name: ring}
                spec: {%s}
                """.formatted(spec);
    }

    /** kube-controller-manager reserves only the claims in the spec of pods. */
    @Test
    void isAllocatedBesideAnEndedPodWhoseStatusNamesIt() {
        create(
                cluster,
                labeled("w"),
                MemoryCompanion.pod("w", "nodeName: n0")
                        .replace("resourceClaims: [{name: gpu, resourceClaimName: w}]", ""));
        cluster.updateStatus(
                storedPod(),
                new PodBuilder(storedPod())
                        .editOrNewStatus()
                        .withNewExtendedResourceClaimStatus()
                        .withResourceClaimName("w")
                        .endExtendedResourceClaimStatus()
                        .endStatus()
                        .build());
        endPod();

        pass(Duration.ofSeconds(20));

        assertThat(stored()).matches(Allocations::isAllocated);
        assertThat(allocations).isEqualTo(1);
    }

    private static String labeled(String name) {
        return claim(name, "gpu", 1)
                .replace("name: " + name + "}", "name: %s, labels: {%s: \"true\"}}".formatted(name, Labels.ALLOCATE));
    }

    private void endPod() {
        cluster.updateStatus(
                storedPod(),
                new PodBuilder(storedPod())
                        .editOrNewStatus()
                        .withPhase("Failed")
                        .endStatus()
                        .build());
    }

    private Pod storedPod() {
        return cluster.stores().pods().get("default", "w").orElseThrow();
    }

    private ResourceClaim stored() {
        return cluster.stores().claims().get("default", "w").orElseThrow();
    }

    private void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        settle();
        while (time.instant().isBefore(end)) {
            time.moveTo(time.instant().plus(TICK));
            reserve();
            settle();
        }
    }

    /** {@code syncPod} in {@code pkg/controller/resourceclaim} does not ask whether the pod has ended. */
    private void reserve() {
        Optional<Pod> pod = cluster.stores().pods().get("default", "w");
        if (pod.isPresent()
                && !pod.get().getSpec().getResourceClaims().isEmpty()
                && pod.get().getSpec().getNodeName() != null
                && Allocations.isAllocated(stored())
                && !PodClaims.isReservedFor(stored(), pod.get())) {
            cluster.updateStatus(
                    stored(),
                    new ResourceClaimBuilder(stored())
                            .editStatus()
                            .withReservedFor(List.of(PodClaims.consumer(
                                    pod.get(), stored(), cluster.stores().podGroup(pod.get()))))
                            .endStatus()
                            .build());
        }
    }

    private void settle() {
        boolean works = true;
        while (works) {
            works = companion.runUntilIdle() | time.runDue();
        }
    }
}
