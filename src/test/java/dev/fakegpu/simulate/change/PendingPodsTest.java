package dev.fakegpu.simulate.change;

import static dev.fakegpu.simulate.change.TriedChanges.adding;
import static dev.fakegpu.simulate.change.TriedChanges.devices;
import static dev.fakegpu.simulate.change.TriedChanges.tried;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.whatif.Attempt;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.cluster.whatif.WhatIf;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.OneGpu;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import org.junit.jupiter.api.Test;

/** Pods that waited before the changes. */
class PendingPodsTest {

    private final ClusterObjects running = objects(OneGpu.CLUSTER, OneGpu.running("running", "part-0"));

    private static ClusterObjects objects(String... yaml) {
        return ClusterObjects.of(ClusterYaml.objects(yaml));
    }

    /** A user who makes room for a pod wants to see it placed, even if another pod would be placed before it. */
    @Test
    void awaitedPodsArePlacedBeforeOtherWaitingPods() {
        ClusterObjects before = running.with(ClusterYaml.objects(OneGpu.waiting("a-first", "whole")))
                .with(ClusterYaml.objects(OneGpu.waiting("second", "whole")));
        var changed = new Changes()
                .release(before.claim("team", "running").orElseThrow())
                .await(before.pod("team", "second").orElseThrow());

        WhatIf answer = tried(before, changed);

        assertThat(answer.tried())
                .singleElement()
                .satisfies(attempt -> assertThat(devices(attempt)).containsExactly("gpu-0"));
    }

    @Test
    void waitingPodsArePlacedOnceAClaimIsReleased() {
        ClusterObjects before = running.with(ClusterYaml.objects(OneGpu.waiting("waiting", "whole")));
        var changed = new Changes();
        changed.await(before.pod("team", "waiting").orElseThrow());
        changed.release(before.claim("team", "running").orElseThrow());

        WhatIf answer = tried(before, changed);

        assertThat(answer.tried()).extracting(Attempt::why).containsExactly(Attempt.Why.PENDING);
        assertThat(devices(answer.tried().get(0))).containsExactly("gpu-0");
        assertThat(answer.after().pod("team", "running")).isEmpty();
        assertThat(answer.after().pod("team", "waiting").orElseThrow().getSpec().getNodeName())
                .isEqualTo("node-1");
        assertThat(answer.after().claim("team", "waiting").orElseThrow().getStatus())
                .satisfies(status -> {
                    assertThat(status.getAllocation().getDevices().getResults())
                            .extracting(DeviceRequestAllocationResult::getDevice)
                            .containsExactly("gpu-0");
                    assertThat(status.getReservedFor())
                            .extracting(ResourceClaimConsumerReference::getName)
                            .containsExactly("waiting");
                });
        assertThat(before.pod("team", "running")).as("nothing else changes").isPresent();
    }

    /** The waiting pod would have been placed by now without changes; a new pod comes after it. */
    @Test
    void waitingPodsArePlacedBeforeNewOnes() {
        ClusterObjects idle = objects(OneGpu.CLUSTER, OneGpu.waiting("waiting", "part"));
        Changes changed = adding(OneGpu.waiting("new", "whole"));

        WhatIf answer = tried(idle, changed);

        assertThat(answer.refused()).isEmpty();
        assertThat(answer.tried()).extracting(Attempt::isPlaced).containsExactly(false);
        assertThat(answer.tried().get(0).sentence()).contains("held with group \"parts\" by waiting");
    }

    @Test
    void pendingPodsThatFitOnlyWithoutTheChangesAreNamed() {
        ClusterObjects idle = objects(OneGpu.CLUSTER, OneGpu.waiting("waiting", "part"));
        Changes changed = adding("""
                apiVersion: v1
                kind: Node
                metadata: {name: node-1}
                spec: {unschedulable: true}
                """);

        WhatIf answer = tried(idle, changed);

        assertThat(answer.refused()).extracting(Attempt::name).containsExactly("waiting");
        assertThat(answer.refused().get(0).reason()).isEqualTo("NoNodeFits");
        assertThat(answer.isHarmless()).isFalse();
    }

    @Test
    void pendingPodsThatFitOnlyAfterwardsAreNamed() {
        ClusterObjects before = running.with(ClusterYaml.objects(OneGpu.waiting("waiting", "whole")))
                .with(ClusterYaml.objects(OneGpu.waiting("waiting-too", "whole")));
        var changed = new Changes();
        changed.remove(before.pod("team", "running").orElseThrow());

        WhatIf answer = tried(before, changed);

        assertThat(answer.helped()).extracting(Attempt::name).containsExactly("waiting");
        assertThat(answer.isHarmless()).isTrue();
    }
}
