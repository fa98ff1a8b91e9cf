package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.testing.ClusterYaml;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Objects of a cluster with a driver that does not belong to a FakeGpu: nodes {@code n1}, {@code n2}, … with a device {@code gpu-0} each.
 */
final class PendingCluster {

    private static final String CLASS = """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu.vendor.com}
            spec: {selectors: [{cel: {expression: "device.driver == 'vendor.com'"}}]}
            """;

    private final List<String> documents = new ArrayList<>(List.of(CLASS));

    /** A cluster with a claim {@code train}, and one matching device that a pod of another namespace holds. */
    static PendingCluster held() {
        return new PendingCluster().node("n1", "").holder("other", "h", "n1").claim("train", "");
    }

    PendingCluster with(String... more) {
        documents.addAll(List.of(more));
        return this;
    }

    /**
     * Adds a node with one device.
     *
     * @param device additional fields of the device
     */
    PendingCluster node(String name, String device) {
        return node(name).with("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: slice-%1$s}
                spec:
                  driver: vendor.com
                  nodeName: %1$s
                  pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0%2$s}]
                """.formatted(name, device));
    }

    /** Adds a device of a FakeGpu that the companion allocates. */
    PendingCluster deviceOfCompanion(String fakeGpu, String node) {
        return deviceOfCompanion(fakeGpu, node, "vendor.com");
    }

    PendingCluster deviceOfCompanion(String fakeGpu, String node, String driver) {
        return with("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: %1$s, uid: %1$s}
                spec: {driver: %2$s, allocator: Companion, nodes: {selector: {nodeSelectorTerms: []}}}
                """.formatted(fakeGpu, driver), """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata:
                  name: slice-%2$s
                  ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: %1$s, uid: %1$s, controller: true}]
                spec:
                  driver: %3$s
                  nodeName: %2$s
                  pool: {name: %2$s, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0, taints: [{key: fakegpu.dev/allocator, value: companion, effect: NoSchedule}]}]
                """.formatted(fakeGpu, node, driver));
    }

    PendingCluster node(String name) {
        return with("""
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                spec: {}
                status: {conditions: [{type: Ready, status: "True"}], allocatable: {pods: "110"}}
                """.formatted(name));
    }

    /** Adds a claim that requests one device. */
    PendingCluster claim(String name, String selector) {
        return with("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: %s}
                spec:
                  devices:
                    requests:
                    - name: gpu
                      exactly: {deviceClassName: gpu.vendor.com, allocationMode: ExactCount, count: 1%s}
                """.formatted(name, selector));
    }

    /** Adds a running pod with the label {@code app: NAME}, and its claim, which holds the device of a node. */
    PendingCluster holder(String namespace, String name, String node) {
        return holder(namespace, name, node, "");
    }

    /** Adds such a pod with additional fields in its spec, which replaces a pod with this name. */
    PendingCluster holder(String namespace, String name, String node, String spec) {
        return with("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: %1$s, name: %2$s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vendor.com}}]}}
                status:
                  reservedFor: [{resource: pods, name: %2$s, uid: Pod-%2$s}]
                  allocation:
                    allocationTimestamp: "2026-01-01T00:00:00Z"
                    devices: {results: [{request: gpu, driver: vendor.com, pool: %3$s, device: gpu-0}]}
                """.formatted(namespace, name, node)).with("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %1$s, name: %2$s, labels: {app: %2$s}}
                spec: {containers: [], nodeName: %3$s, schedulerName: default-scheduler, resourceClaims: [{name: gpu, resourceClaimName: %2$s}]%4$s}
                status:
                  phase: Running
                  conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T00:00:01Z"}]
                """.formatted(namespace, name, node, spec));
    }

    /** Adds a pod that kube-scheduler refused, with its own claim and additional fields in its spec. */
    PendingCluster pod(String name, String claim, String spec) {
        return pod(name, claim, spec, "default-scheduler");
    }

    PendingCluster pod(String name, String claim, String spec, String scheduler) {
        return with("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: %1$s}
                spec: {containers: [], schedulerName: %4$s, resourceClaims: [{name: gpu, resourceClaimName: %2$s}]%3$s}
                status:
                  conditions:
                  - {type: PodScheduled, status: "False", reason: Unschedulable, lastTransitionTime: "2026-01-01T00:00:02Z", message: "0/1 nodes are available: 1 cannot allocate all claims."}
                """.formatted(name, claim, spec, scheduler));
    }

    /** Adds a PodGroup in namespace {@code team} with a gang policy and additional fields in its spec. */
    PendingCluster gang(String name, int minCount, String spec) {
        return with("""
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {namespace: team, name: %s}
                spec: {schedulingPolicy: {gang: {minCount: %d}}%s}
                """.formatted(name, minCount, spec));
    }

    ClusterObjects objects() {
        return ClusterObjects.of(ClusterYaml.objects(documents.toArray(String[]::new)));
    }

    ClusterSnapshot snapshot() {
        return new ClusterSnapshot(objects());
    }

    PendingExplainer explainer() {
        return new PendingExplainer(snapshot(), ExplainSettings.DEFAULT);
    }

    /** The text about one pod in namespace {@code team}. */
    String textAboutPod(String name) {
        ClusterSnapshot snapshot = snapshot();
        Answer answer = new PendingExplainer(snapshot, ExplainSettings.DEFAULT).pod("team", name);
        return text(Report.of(List.of(answer), snapshot));
    }

    static String text(Report report) {
        return String.join(
                "\n",
                Stream.concat(ReportText.of(report).stream(), Stream.of("")).toList());
    }
}
