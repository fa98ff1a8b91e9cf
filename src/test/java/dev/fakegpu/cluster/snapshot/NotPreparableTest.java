package dev.fakegpu.cluster.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.holdings.HeldClaim;
import dev.fakegpu.testing.ClusterYaml;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NotPreparableTest {

    private static final String FAKE_GPU = """
            apiVersion: fakegpu.dev/v1alpha1
            kind: FakeGpu
            metadata: {name: heir, uid: heir}
            spec: {driver: gpu.example.com, model: L40S, nodes: {names: [node-1]}}
            """;
    private static final String NODE = """
            apiVersion: v1
            kind: Node
            metadata: {name: node-1}
            """;
    private static final String SLICE = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata:
              name: heir-0001
              ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: heir, uid: heir, controller: true}]
            spec:
              driver: gpu.example.com
              nodeName: node-1
              pool: {name: node-1/heir, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            """;
    private static final String LEFT = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata:
              name: left
              ownerReferences: [{apiVersion: v1, kind: Node, name: node-1, uid: node-1}]
            spec:
              driver: gpu.example.com
              nodeName: node-1
              pool: {name: node-1, generation: 1, resourceSliceCount: 1}
              devices: [{name: gpu-0}]
            """;

    @Test
    void withoutAPluginOnTheNodeNothingIsRegistered() {
        assertThat(of("Pending", "node-1/heir", "", SLICE))
                .containsExactly(
                        "the kubelet of node-1 has not registered driver gpu.example.com: no kubelet plugin of fakegpu-operator"
                                + " runs there; install it, or see the condition KubeletPluginReady of FakeGpu \"heir\"");
    }

    @Test
    void aPluginThatHasNotRegisteredTheDriverIsNamed() {
        assertThat(of("Pending", "node-1/heir", "", SLICE, plugin("other.example.com")))
                .containsExactly(
                        "the kubelet of node-1 has not registered driver gpu.example.com: look at the log of the kubelet plugin's"
                                + " pod there; once it is registered, the kubelet tries again within two minutes");
        assertThat(of("Pending", "node-1/heir", "", SLICE, plugin("gpu.example.com")))
                .as("it is starting")
                .isEmpty();
    }

    @Test
    void aDeviceOfAnotherDriverOfTheNameIsNotPrepared() {
        assertThat(of("Pending", "node-1", "", SLICE, LEFT, plugin("gpu.example.com")))
                .containsExactly(
                        "device gpu-0 is in pool node-1, which is of no FakeGpu: another driver with the name gpu.example.com"
                                + " published ResourceSlice left (owner Node/node-1); if that driver is no longer installed, delete"
                                + " the slice, and then the pod");
        assertThat(of("Pending", "node-1", "", LEFT))
                .as("no FakeGpu has its name")
                .isEmpty();
    }

    @Test
    void theReportOfThePluginTakesPrecedence() {
        String failed = "{type: Ready, status: \"False\", reason: PrepareFailed, message: it is held for another}";
        assertThat(of("Pending", "node-1/heir", failed, SLICE)).isEmpty();
        assertThat(of("Running", "node-1/heir", "", SLICE)).isEmpty();
    }

    @Test
    void theClaimIsNotedAsWaiting() {
        List<HeldClaim> held = new HeldClaims().of(new ClusterSnapshot(objects("Pending", "node-1/heir", "", SLICE)));

        assertThat(held)
                .singleElement()
                .satisfies(
                        claim -> assertThat(claim.notes())
                                .singleElement()
                                .asString()
                                .startsWith(
                                        "pod \"train\" cannot start on node-1: the kubelet of node-1 has not registered driver"));
        assertThat(new HeldClaims()
                        .of(new ClusterSnapshot(objects("Running", "node-1/heir", "", SLICE)))
                        .get(0)
                        .notes())
                .isEmpty();
    }

    /** Such a message names at most five nodes. */
    @Test
    void aMessageAboutAllNodesAppliesToNodesThatAreNotNamed() {
        String message =
                "pods cannot start with the devices of %s node(s): no kubelet plugin runs on node-2, node-3, node-4,"
                        + " node-5, node-6 and 1 more, install it with \"kubectl\"";

        assertThat(of(objectsOf(saying(message.formatted("6 of 6")), "Pending", "node-1/heir", "", SLICE)))
                .containsExactly("no kubelet plugin runs on node-1, install it with \"kubectl\"");
        for (String uncertain : List.of(
                message.formatted("6 of 7"),
                message.formatted("7 of 7") + "; the kubelet plugin on node-7 is not ready, see its pod and log")) {
            assertThat(of(objectsOf(saying(uncertain), "Pending", "node-1/heir", "", SLICE)))
                    .singleElement()
                    .asString()
                    .startsWith("the kubelet of node-1 has not registered driver");
        }
    }

    private static String saying(String message) {
        return FAKE_GPU
                + "status: {conditions: [{type: KubeletPluginReady, status: \"False\", reason: NoKubeletPlugin, message: '%s'}]}\n"
                        .formatted(message);
    }

    private static List<String> of(String phase, String pool, String condition, String... more) {
        return of(objects(phase, pool, condition, more));
    }

    private static List<String> of(ClusterObjects objects) {
        return new NotPreparable(objects)
                .of(
                        objects.pod("team", "train").orElseThrow(),
                        objects.claim("team", "train").orElseThrow());
    }

    private static ClusterObjects objects(String phase, String pool, String condition, String... more) {
        return objectsOf(FAKE_GPU, phase, pool, condition, more);
    }

    private static ClusterObjects objectsOf(
            String fakeGpu, String phase, String pool, String condition, String... more) {
        String claim = """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: train}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
                status:
                  reservedFor: [{resource: pods, name: train, uid: Pod-train}]
                  allocation:
                    devices: {results: [{request: gpu, driver: gpu.example.com, pool: %1$s, device: gpu-0}]}
                  devices: [{driver: gpu.example.com, pool: %1$s, device: gpu-0, conditions: [%2$s]}]
                """.formatted(pool, condition);
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: train}
                spec: {containers: [], nodeName: node-1, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                status: {phase: %s}
                """.formatted(phase);
        return ClusterObjects.of(
                ClusterYaml.objects(Stream.concat(Stream.of(fakeGpu, NODE, claim, pod), Stream.of(more))
                        .toArray(String[]::new)));
    }

    private static String plugin(String driver) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: fakegpu-system, name: plugin, labels: {app.kubernetes.io/name: fakegpu-kubelet-plugin}}
                spec: {containers: [], nodeName: node-1, serviceAccountName: fakegpu-kubelet-plugin}
                status: {phase: Running, conditions: [{type: fakegpu.dev/DriversRegistered, status: "True", message: %s}]}
                """.formatted(driver);
    }
}
