package dev.fakegpu.simulate.change;

import static dev.fakegpu.simulate.change.TriedChanges.add;
import static dev.fakegpu.simulate.change.TriedChanges.adding;
import static dev.fakegpu.simulate.change.TriedChanges.devices;
import static dev.fakegpu.simulate.change.TriedChanges.tried;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.cluster.snapshot.AssumptionsJson;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.cluster.whatif.Attempt;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.cluster.whatif.WhatIf;
import dev.fakegpu.cluster.whatif.WhatIfText;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.OneGpu;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlayedChangesTest {

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

    @Test
    void aPodGetsDevicesForTheClaimOfItsTemplate() {
        Changes changed = adding(WITH_TEMPLATE);

        Attempt attempt = tried(running, changed).tried().get(0);

        assertThat(attempt.node()).isEqualTo("node-1");
        assertThat(devices(attempt)).containsExactly("part-1");
    }

    @Test
    void theDevicesOfTheClaimOfAGroupAreNamedOnce() {
        Changes changed = adding("""
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {namespace: team, name: ring}
                spec: {schedulingPolicy: {gang: {minCount: 2}}, resourceClaims: [{name: r, resourceClaimName: both}]}
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: both}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: part, allocationMode: ExactCount, count: 1}}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: one}
                spec: {schedulingGroup: {podGroupName: ring}, containers: [{name: c, image: x}], resourceClaims: [{name: r, resourceClaimName: both}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: other}
                spec: {schedulingGroup: {podGroupName: ring}, containers: [{name: c, image: x}], resourceClaims: [{name: r, resourceClaimName: both}]}
                """);

        assertThat(tried(running, changed).tried())
                .allMatch(Attempt::isPlaced)
                .flatExtracting(TriedChanges::devices)
                .containsExactly("part-1");
    }

    @Test
    void adminAccessIsNotRefusedWhereNamespacesMayNotBeListed() {
        var unseen = new Unseen(ObjectKind.NAMESPACES, "list", null, Unseen.Cause.FORBIDDEN);
        Changes changed = adding(WITH_TEMPLATE.replace("count: 1", "count: 1, adminAccess: true"));

        assertThatThrownBy(() -> tried(running, changed)).hasMessageContaining("Forbidden: admin access");
        assertThat(tried(running.withUnseen(List.of(unseen)), changed).notes())
                .containsExactly(
                        "ResourceClaimTemplate template asks for admin access, which is taken to be allowed: whether namespace"
                                + " \"team\" has the label resource.kubernetes.io/admin-access could not be read");
    }

    @Test
    void aPriorityClassOfTheClusterIsAccepted() {
        Changes changed = adding(
                WITH_TEMPLATE.replace("spec:\n  containers:", "spec:\n  priorityClassName: high\n  containers:"));

        WhatIf answer = tried(running, changed);

        assertThat(devices(answer.tried().get(0))).containsExactly("part-1");
        assertThat(answer.notes())
                .containsExactly(
                        "the value of PriorityClass \"high\" is not known, because no pod of the cluster has it, and is taken to be"
                                + " 0; add the class to the files of -f");
    }

    @Test
    void podsThatDoNotFitAreExplained() {
        Changes changed = adding(OneGpu.waiting("new", "whole"));

        WhatIf answer = tried(running, changed);

        assertThat(answer.isHarmless()).isFalse();
        assertThat(answer.tried().get(0).reason()).isEqualTo("DevicesIncompatible");
        assertThat(answer.tried().get(0).sentence()).contains("held with group \"parts\" by running");
    }

    /** Neither scheduler allocates it, regardless of which devices are free. */
    @Test
    void aClaimThatIsBeingDeletedCannotBeUsed() {
        List<HasMetadata> waiting = ClusterYaml.objects(OneGpu.waiting("new", "part"));
        waiting.stream().filter(ResourceClaim.class::isInstance).forEach(claim -> {
            claim.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
            claim.getMetadata().setFinalizers(List.of("example.com/keep"));
        });
        var changed = new Changes();
        add(changed, waiting);

        Attempt attempt = tried(running, changed).tried().get(0);

        assertThat(attempt.isPlaced()).isFalse();
        assertThat(attempt.sentence()).contains("is being deleted, which waits for finalizer \"example.com/keep\"");
    }

    /** The pod is as the API server would store it, with the limit as a request. */
    @Test
    void anUnservedExtendedResourceIsMissing() {
        Changes changed = adding("""
                apiVersion: v1
                kind: Pod
                metadata: {name: new, namespace: team}
                spec:
                  schedulerName: fakegpu-scheduler
                  containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 9}}}]
                """);

        Attempt attempt = tried(running, changed).tried().get(0);

        assertThat(attempt.isPlaced()).isFalse();
        assertThat(attempt.sentence()).contains("no DeviceClass has this extendedResourceName");
    }

    @Test
    void withoutAPodItsDevicesAreFree() {
        var changed = new Changes();
        changed.remove(running.pod("team", "running").orElseThrow());
        add(changed, ClusterYaml.objects(OneGpu.waiting("new", "whole")));

        assertThat(devices(tried(running, changed).tried().get(0))).containsExactly("gpu-0");
    }

    @Test
    void unusedClaimsKeepTheirDevicesFromLaterClaims() {
        var changed = new Changes();
        add(
                changed,
                Stream.of("one", "two")
                        .flatMap(name -> ClusterYaml.objects(OneGpu.waiting(name, "part")).stream())
                        .filter(ResourceClaim.class::isInstance)
                        .toList());

        WhatIf answer = tried(running, changed);

        assertThat(answer.tried()).extracting(TriedChanges::devices).containsExactly(List.of("part-1"), List.of());
    }

    @Test
    void anEvictedPodComesLast() {
        var changed = new Changes();
        changed.evict(running.pod("team", "running").orElseThrow());
        add(changed, ClusterYaml.objects(OneGpu.waiting("new", "whole")));

        List<Attempt> tried = tried(running, changed).tried();

        assertThat(tried).extracting(Attempt::name).containsExactly("new", "running");
        assertThat(tried).extracting(Attempt::why).containsExactly(Attempt.Why.NEW, Attempt.Why.EVICTED);
        assertThat(tried).extracting(Attempt::isPlaced).containsExactly(true, false);
    }

    @Test
    void podsThatShareANewClaimStayTogether() {
        var changed = new Changes();
        List<HasMetadata> first = ClusterYaml.objects(OneGpu.waiting("new", "part"));
        HasMetadata second = ClusterYaml.objects(OneGpu.waiting("new", "part")
                        .replace("name: new}\nspec: {schedulerName", "name: second}\nspec: {schedulerName"))
                .get(1);
        add(changed, List.of(first.get(0), first.get(1), second));

        List<Attempt> tried = tried(running, changed).tried();

        assertThat(tried).extracting(Attempt::node).containsOnly("node-1");
        assertThat(devices(tried.get(0))).containsExactly("part-1");
        assertThat(devices(tried.get(1))).isEmpty();
    }

    @Test
    void aClaimWithoutAPodIsTriedByItself() {
        var changed = new Changes();
        add(changed, List.of(ClusterYaml.objects(OneGpu.waiting("new", "part")).get(0)));

        Attempt attempt = tried(running, changed).tried().get(0);

        assertThat(attempt.kind()).isEqualTo("claim");
        assertThat(devices(attempt)).containsExactly("part-1");
    }

    /** kube-scheduler allocates no devices with groups if its gate is off. */
    @Test
    void theGateIsDetectedAndReported() {
        Changes changed = adding(OneGpu.waiting("new", "part"));
        add(changed, ClusterYaml.objects("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {namespace: fakegpu-system, name: fakegpu-operator}
                spec:
                  replicas: 0
                  template:
                    spec:
                      containers:
                      - {name: operator, env: [{name: FAKEGPU_KUBE_SCHEDULER_COMPATIBILITY_GROUPS, value: "Off"}]}
                """));

        WhatIf found = tried(running, changed);
        WhatIf chosen = PlayedChanges.of(running, changed, GateSources.chosen(GroupsGate.ON), KubernetesVersion.NEWEST);

        assertThat(found.tried()).extracting(Attempt::isPlaced).containsExactly(false);
        assertThat(found.assumed())
                .extracting(AssumptionsJson::of)
                .extracting(AssumptionsJson::gate)
                .containsExactly("Off");
        assertThat(String.join(" ", WhatIfText.of(found))).contains("Assumed:", "of the operator");
        assertThat(chosen.tried()).extracting(Attempt::isPlaced).containsExactly(true);
    }

    @Test
    void aPodWithANodeOfItsOwnWaitsForItsDevices() {
        Changes changed = adding(
                OneGpu.waiting("bound", "part").replace("spec: {scheduler", "spec: {nodeName: node-1, scheduler"));

        Attempt attempt = tried(running, changed).tried().get(0);

        assertThat(attempt.isPlaced()).isFalse();
        assertThat(attempt.reason()).isEqualTo("HasNode");
    }

    /** This applies to pods with the same priority. */
    @Test
    void theOrderIsThatOfTheFiles() {
        Changes changed = adding(OneGpu.waiting("zz-first", "part"), OneGpu.waiting("aa-second", "part"));

        assertThat(tried(running, changed).tried())
                .extracting(attempt -> attempt.name() + " " + attempt.isPlaced())
                .containsExactly("zz-first true", "aa-second false");
    }

    @Test
    void aWorkloadReplacesItsPodsOneAfterTheOther() {
        ClusterObjects before =
                objects(OneGpu.CLUSTER, OneGpu.running("set-0", "part-0")).with(ClusterYaml.objects("""
                        apiVersion: v1
                        kind: Pod
                        metadata:
                          namespace: team
                          name: set-0
                          ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: set, uid: old, controller: true}]
                        spec: {nodeName: node-1, containers: [{name: c, image: x}], resourceClaims: [{name: r, resourceClaimName: set-0}]}
                        """));
        Changes changed = adding("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {namespace: team, name: template}
                spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: part}}]}}}
                ---
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {namespace: team, name: set}
                spec:
                  replicas: 4
                  template:
                    spec:
                      containers: [{name: c, image: x}]
                      resourceClaims: [{name: r, resourceClaimTemplateName: template}]
                """);

        WhatIf answer = tried(before, changed);

        assertThat(answer.tried())
                .extracting(attempt -> attempt.name() + " " + attempt.isPlaced())
                .containsExactly("set-1 true", "set-2 false");
        assertThat(answer.notes())
                .containsExactly(
                        "StatefulSet team/set: an update replaces pods from the highest ordinal down, one after another;"
                                + " it would stop with 1 of 4 pods updated");
    }
}
