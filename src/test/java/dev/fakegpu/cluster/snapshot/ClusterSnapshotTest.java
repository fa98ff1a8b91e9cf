package dev.fakegpu.cluster.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.testing.ClusterYaml;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterSnapshotTest {

    @Test
    void holdersAreUnknownWithoutSlicesAndClaims() {
        var slices = new Unseen(ObjectKind.SLICES, "list", null, Unseen.Cause.FORBIDDEN);
        var claims = new Unseen(ObjectKind.CLAIMS, "list", null, Unseen.Cause.FORBIDDEN);
        var own = new Unseen(ObjectKind.CLAIMS, "list", "team", Unseen.Cause.FORBIDDEN);

        assertThat(ClusterHoldings.unknown(ClusterObjects.NONE.withUnseen(List.of(slices, claims, own))))
                .hasValue("who holds devices is not known: you may list neither resourceslices.resource.k8s.io nor"
                        + " resourceclaims.resource.k8s.io");
        assertThat(ClusterHoldings.unknown(ClusterObjects.NONE.withUnseen(List.of(slices, claims))))
                .isEmpty();
        assertThat(ClusterHoldings.unknown(ClusterObjects.NONE.withUnseen(List.of(claims, own))))
                .isEmpty();
    }

    @Test
    void answersAreUnknownWithoutTheirObjects() {
        var slices = new Unseen(ObjectKind.SLICES, "list", null, Unseen.Cause.FORBIDDEN);
        var claims = new Unseen(ObjectKind.CLAIMS, "list", null, Unseen.Cause.FORBIDDEN);
        var own = new Unseen(ObjectKind.CLAIMS, "list", "team", Unseen.Cause.FORBIDDEN);
        ClusterObjects noClaims = ClusterObjects.NONE.withUnseen(List.of(claims, own));
        ClusterObjects ownClaims = ClusterObjects.NONE.withUnseen(List.of(claims));
        ClusterObjects noSlices = ClusterObjects.NONE.withUnseen(List.of(slices));

        assertThat(ClusterHoldings.unknownIn("team", noClaims))
                .hasValue("who holds devices in namespace \"team\" is not known: you may not list"
                        + " resourceclaims.resource.k8s.io there");
        assertThat(ClusterHoldings.unknownIn("team", ownClaims)).isEmpty();
        assertThat(ClusterHoldings.unknownIn("team", noSlices)).isEmpty();
        assertThat(ClusterHoldings.unknownHolders(noClaims))
                .hasValue("which claims hold devices is not known: you may not list resourceclaims.resource.k8s.io");
        assertThat(ClusterHoldings.unknownHolders(ownClaims)).isEmpty();
        assertThat(ClusterHoldings.unknownRoom(noClaims))
                .hasValue("how many more claims fit is not known: you may not list resourceclaims.resource.k8s.io");
        assertThat(ClusterHoldings.unknownRoom(noSlices))
                .hasValue("how many more claims fit is not known: you may not list resourceslices.resource.k8s.io");
        assertThat(ClusterHoldings.unknownRoom(ownClaims)).isEmpty();
        assertThat(ClusterHoldings.unknownRoom(ClusterObjects.NONE)).isEmpty();
    }

    private static final String SLICE = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: slice}
            spec:
              driver: d.example.com
              nodeName: node-1
              pool: {name: node-1, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            """;
    private static final String CLASS = """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: d.example.com}
            spec: {selectors: [{cel: {expression: "device.driver == 'd.example.com'"}}]}
            """;
    private static final String CLAIM = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {namespace: a, name: wanted}
            spec:
              devices:
                requests: [{name: gpu, exactly: {deviceClassName: d.example.com, allocationMode: ExactCount, count: 1}}]
            """;
    private static final String HOLDER = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {namespace: b, name: holder}
            spec: {devices: {requests: []}}
            status:
              reservedFor: [{resource: pods, name: user, uid: Pod-user}]
              allocation:
                devices:
                  results: [{request: gpu, driver: d.example.com, pool: node-1, device: gpu-0}]
            """;
    private static final String USER = """
            apiVersion: v1
            kind: Pod
            metadata: {namespace: b, name: user}
            spec: {containers: [], nodeName: node-1}
            """;
    private static final String RULE = """
            apiVersion: resource.k8s.io/v1
            kind: DeviceTaintRule
            metadata: {name: maintenance}
            spec: {deviceSelector: {driver: d.example.com}, taint: {key: k, effect: NoSchedule}}
            """;

    @Test
    void allocatesFromTheObjectsOfAnyDriver() {
        assertThat(allocate(objects(SLICE, CLASS, CLAIM))).isInstanceOf(Outcome.Allocated.class);
        assertThat(allocate(objects(SLICE, CLASS, CLAIM, HOLDER))).isNotInstanceOf(Outcome.Allocated.class);
        assertThat(allocate(objects(SLICE, CLASS, CLAIM, RULE))).isNotInstanceOf(Outcome.Allocated.class);
    }

    @Test
    void aClaimCanBeRemoved() {
        ClusterObjects all = objects(SLICE, CLASS, CLAIM, HOLDER);

        assertThat(allocate(all.without(object -> object.getMetadata().getName().equals("holder"))))
                .isInstanceOf(Outcome.Allocated.class);
    }

    @Test
    void knowsWhoUsesAClaim() {
        var snapshot = new ClusterSnapshot(objects(HOLDER, USER));

        var holder = ClaimReader.ref(snapshot.objects().claims().get(0));
        assertThat(snapshot.users().of(holder).pods()).containsExactly("user");
    }

    @Test
    void theLaterOfTwoObjectsOfOneNameCounts() {
        ClusterObjects objects =
                objects(CLAIM).with(ClusterYaml.objects(CLAIM.replace("metadata: {", "metadata: {uid: later, ")));

        assertThat(objects.claims())
                .extracting(claim -> claim.getMetadata().getUid())
                .containsExactly("later");
    }

    @Test
    void devicesWithTheCompanionsTaintAreTheCompanions() {
        String tainted = SLICE.replace(
                "name: gpu-0",
                "name: gpu-0, taints: [{key: fakegpu.dev/allocator, value: companion, effect: NoSchedule}]");
        var snapshot = new ClusterSnapshot(objects(tainted));

        assertThat(snapshot.slices(Scheduler.COMPANION, GroupsGate.ON)).hasSize(1);
        assertThat(snapshot.slices(Scheduler.KUBE_SCHEDULER, GroupsGate.ON)).isEmpty();
    }

    @Test
    void anObjectThatCannotBeReadIsNamedAndTheOthersCount() {
        var snapshot = new ClusterSnapshot(objects(
                SLICE,
                SLICE.replace("metadata: {name: slice}", "metadata: {name: odd}")
                        .replace("generation: 1", "generation: [1]")));

        assertThat(snapshot.slices()).hasSize(1);
        assertThat(snapshot.unreadable()).singleElement().asString().startsWith("ResourceSlice odd: field spec.pool");
    }

    @Test
    void permissionForOneNamespaceSaysNothingAboutAnother() {
        ClusterObjects objects = ClusterObjects.NONE.withUnseen(
                List.of(new Unseen(ObjectKind.PODS, "list", null, Unseen.Cause.FORBIDDEN)));

        assertThat(objects.isComplete(ObjectKind.PODS)).isFalse();
        assertThat(objects.isComplete(ObjectKind.PODS, "a")).isTrue();
        assertThat(objects.isComplete(ObjectKind.CLAIMS)).isTrue();
        assertThat(objects.unseen())
                .singleElement()
                .extracting(Unseen::text)
                .isEqualTo("may not list pods in all namespaces");
    }

    private static ClusterObjects objects(String... yaml) {
        return ClusterObjects.of(ClusterYaml.objects(yaml));
    }

    private static Outcome allocate(ClusterObjects objects) {
        var snapshot = new ClusterSnapshot(objects);
        var claim = snapshot.objects().claim("a", "wanted").orElseThrow();
        Assumptions assumed = Assumptions.of(snapshot, Scheduler.KUBE_SCHEDULER, GateSources.NONE);
        return new Allocator(snapshot.context(assumed, new Selectors()))
                .allocate(new NodeInfo("node-1", Map.of()), List.of(ClaimReader.read(claim)), SearchLimit.none());
    }
}
