package dev.fakegpu.cluster.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.snapshot.AssumptionsJson;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.OneGpu;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.List;
import org.junit.jupiter.api.Test;

class WhatIfTest {

    private static final String WITH_TEMPLATE = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {namespace: team, name: template}
            spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: part, allocationMode: ExactCount, count: 1}}]}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: team, name: new}
            spec:
              containers: [{name: c, image: x}]
              resourceClaims: [{name: r, resourceClaimTemplateName: template}]
            """;

    private final ClusterObjects running = objects(OneGpu.CLUSTER, OneGpu.running("running", "part-0"));

    private static ClusterObjects objects(String... yaml) {
        return ClusterObjects.of(ClusterYaml.objects(yaml));
    }

    private static WhatIf tried(ClusterObjects before, ChangedCluster changed) {
        return WhatIf.of(before, changed, GateSources.NONE);
    }

    private static List<String> devices(Attempt attempt) {
        return attempt.devices().stream().map(DeviceId::device).toList();
    }

    @Test
    void aPodGetsDevicesForTheClaimOfItsTemplate() {
        var changed = new ChangedCluster(running);
        changed.add(ClusterYaml.objects(WITH_TEMPLATE));

        Attempt attempt = tried(running, changed).tried().get(0);

        assertThat(attempt.node()).isEqualTo("node-1");
        assertThat(devices(attempt)).containsExactly("part-1");
    }

    @Test
    void whatDoesNotFitIsExplained() {
        var changed = new ChangedCluster(running);
        changed.add(ClusterYaml.objects(OneGpu.waiting("new", "whole")));

        WhatIf answer = tried(running, changed);

        assertThat(answer.isHarmless()).isFalse();
        assertThat(answer.tried().get(0).reason()).isEqualTo("DevicesIncompatible");
        assertThat(answer.tried().get(0).sentence()).contains("held with group \"parts\" by team/running");
    }

    /** Neither scheduler allocates it, whatever devices are free. */
    @Test
    void aClaimThatIsBeingDeletedIsOfNoUse() {
        List<HasMetadata> waiting = ClusterYaml.objects(OneGpu.waiting("new", "part"));
        waiting.stream().filter(ResourceClaim.class::isInstance).forEach(claim -> {
            claim.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
            claim.getMetadata().setFinalizers(List.of("example.com/keep"));
        });
        var changed = new ChangedCluster(running);
        changed.add(waiting);

        Attempt attempt = tried(running, changed).tried().get(0);

        assertThat(attempt.isPlaced()).isFalse();
        assertThat(attempt.sentence()).contains("is being deleted, which waits for finalizer \"example.com/keep\"");
    }

    /** As the API server would store it, with the limit as a request. */
    @Test
    void anExtendedResourceThatNobodyServesIsMissing() {
        var changed = new ChangedCluster(running);
        changed.add(ClusterYaml.objects("""
                apiVersion: v1
                kind: Pod
                metadata: {name: new, namespace: team}
                spec:
                  schedulerName: fakegpu-scheduler
                  containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 9}}}]
                """));

        Attempt attempt = tried(running, changed).tried().get(0);

        assertThat(attempt.isPlaced()).isFalse();
        assertThat(attempt.sentence())
                .contains("1 Insufficient nvidia.com/gpu")
                .contains("no DeviceClass has this extendedResourceName");
    }

    @Test
    void withoutAPodItsDevicesAreFree() {
        var changed = new ChangedCluster(running);
        changed.remove(running.pod("team", "running").orElseThrow());
        changed.add(ClusterYaml.objects(OneGpu.waiting("new", "whole")));

        assertThat(devices(tried(running, changed).tried().get(0))).containsExactly("gpu-0");
    }

    @Test
    void whatWaitsIsPlacedOnceAClaimIsReleased() {
        ClusterObjects before = running.with(ClusterYaml.objects(OneGpu.waiting("waiting", "whole")));
        var changed = new ChangedCluster(before);
        changed.place(before.pod("team", "waiting").orElseThrow());
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

    @Test
    void anEvictedPodComesLast() {
        var changed = new ChangedCluster(running);
        changed.evict(running.pod("team", "running").orElseThrow());
        changed.add(ClusterYaml.objects(OneGpu.waiting("new", "whole")));

        List<Attempt> tried = tried(running, changed).tried();

        assertThat(tried).extracting(Attempt::name).containsExactly("new", "running");
        assertThat(tried).extracting(Attempt::why).containsExactly(Attempt.Why.NEW, Attempt.Why.EVICTED);
        assertThat(tried).extracting(Attempt::isPlaced).containsExactly(true, false);
    }

    @Test
    void pendingPodsThatFitOnlyBeforeAreNamed() {
        ClusterObjects idle = objects(OneGpu.CLUSTER, OneGpu.waiting("waiting", "part"));
        var changed = new ChangedCluster(idle);
        changed.add(ClusterYaml.objects(OneGpu.waiting("new", "whole")));

        WhatIf answer = tried(idle, changed);

        assertThat(answer.refused()).extracting(Attempt::name).containsExactly("waiting");
        assertThat(answer.refused().get(0).sentence()).contains("held with group \"whole\" by team/new");
        assertThat(answer.isHarmless()).isFalse();
    }

    @Test
    void pendingPodsThatFitOnlyAfterwardsAreNamed() {
        ClusterObjects before = running.with(ClusterYaml.objects(OneGpu.waiting("waiting", "whole")))
                .with(ClusterYaml.objects(OneGpu.waiting("waiting-too", "whole")));
        var changed = new ChangedCluster(before);
        changed.remove(before.pod("team", "running").orElseThrow());

        WhatIf answer = tried(before, changed);

        assertThat(answer.helped()).extracting(Attempt::name).containsExactly("waiting");
        assertThat(answer.isHarmless()).isTrue();
    }

    @Test
    void podsThatShareANewClaimStayTogether() {
        var changed = new ChangedCluster(running);
        List<HasMetadata> first = ClusterYaml.objects(OneGpu.waiting("new", "part"));
        HasMetadata second = ClusterYaml.objects(OneGpu.waiting("new", "part")
                        .replace("name: new}\nspec: {schedulerName", "name: second}\nspec: {schedulerName"))
                .get(1);
        changed.add(List.of(first.get(0), first.get(1), second));

        List<Attempt> tried = tried(running, changed).tried();

        assertThat(tried).extracting(Attempt::node).containsOnly("node-1");
        assertThat(devices(tried.get(0))).containsExactly("part-1");
        assertThat(devices(tried.get(1))).isEmpty();
    }

    @Test
    void aClaimWithoutAPodIsTriedByItself() {
        var changed = new ChangedCluster(running);
        changed.add(List.of(ClusterYaml.objects(OneGpu.waiting("new", "part")).get(0)));

        Attempt attempt = tried(running, changed).tried().get(0);

        assertThat(attempt.kind()).isEqualTo("claim");
        assertThat(devices(attempt)).containsExactly("part-1");
    }

    /** kube-scheduler takes no devices with groups if its gate is off. */
    @Test
    void theGateIsFoundOutAndTold() {
        var changed = new ChangedCluster(running);
        changed.add(ClusterYaml.objects(OneGpu.waiting("new", "part")));
        changed.add(ClusterYaml.objects("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {namespace: fakegpu-system, name: fakegpu-operator}
                spec:
                  template:
                    spec:
                      containers:
                      - {name: operator, env: [{name: FAKEGPU_KUBE_SCHEDULER_COMPATIBILITY_GROUPS, value: "Off"}]}
                """));

        WhatIf found = tried(running, changed);
        WhatIf chosen = WhatIf.of(running, changed, GateSources.chosen(GroupsGate.ON));

        assertThat(found.tried()).extracting(Attempt::isPlaced).containsExactly(false);
        assertThat(found.assumed())
                .extracting(AssumptionsJson::of)
                .extracting(AssumptionsJson::gate)
                .containsExactly("Off");
        assertThat(String.join(" ", WhatIfText.of(found))).contains("Assumed:", "of the operator");
        assertThat(chosen.tried()).extracting(Attempt::isPlaced).containsExactly(true);
    }
}
