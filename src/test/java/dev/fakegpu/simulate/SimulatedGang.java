package dev.fakegpu.simulate;

import dev.fakegpu.simulate.ClusterView.Waiting;
import java.util.List;
import java.util.stream.Stream;

/** The PodGroup {@code ring} on four nodes with one GPU each, two in each rack. */
final class SimulatedGang {

    private static final String ONE_GPU =
            "{devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}";

    /** The claim of each pod, unless a test says otherwise. */
    static final String OWN_CLAIM = "resourceClaimTemplateName: one";

    private final YamlSimulation simulation;
    private final boolean isOfCompanion;

    SimulatedGang(Schedulers schedulers) {
        simulation = YamlSimulation.of(schedulers);
        isOfCompanion = schedulers == Schedulers.COMPANION;
        simulation.apply("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: gpus}
                spec:
                  driver: gpu.example.com
                  nodes: {simulated: {count: 4}}
                  model: L40S
                  count: 1
                  allocator: %s
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: one}
                spec: {spec: %s}
                """.formatted(isOfCompanion ? "Companion" : "KubeScheduler", ONE_GPU));
        for (int node = 0; node < 4; node++) {
            patch("Node", node(node), "{metadata: {labels: {rack: %s}}}".formatted(node < 2 ? "a" : "b"));
        }
    }

    static String node(int number) {
        return "gpus-node-" + number;
    }

    /** @param more further fields of the group's spec, beginning with a comma */
    void group(int minCount, String more) {
        apply("""
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {name: ring}
                spec: {schedulingPolicy: {gang: {minCount: %d}}%s}
                """.formatted(minCount, more));
    }

    void minCount(int pods) {
        patch("PodGroup", "ring", "{spec: {schedulingPolicy: {gang: {minCount: %d}}}}".formatted(pods));
    }

    void pods(int first, int last) {
        for (int pod = first; pod <= last; pod++) {
            pod(pod, OWN_CLAIM, "");
        }
    }

    /** @param more further fields of the pod's spec, each on a line */
    void pod(int number, String claim, String more) {
        apply(podYaml("worker-" + number, claim) + more.indent(2));
    }

    String podYaml(String name, String claim) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s, labels: {name: %1$s}}
                spec:
                  schedulerName: %2$s
                  schedulingGroup: {podGroupName: ring}
                  tolerations: [{key: fakegpu.dev/simulated, operator: Exists}]
                  containers: [{name: main, image: app, resources: {claims: [{name: gpu}], requests: {cpu: "1"}}}]
                  resourceClaims: [{name: gpu, %3$s}]
                """.formatted(name, isOfCompanion ? "fakegpu-scheduler" : "default-scheduler", claim);
    }

    /** Creates the claim {@code both}. */
    void createSharedClaim() {
        apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: both}
                spec: %s
                """.formatted(ONE_GPU));
    }

    /** For each pod with a node, whether the node is in the first rack. */
    Stream<Boolean> areInFirstRack() {
        return view().pods().stream()
                .flatMap(pod -> Stream.ofNullable(pod.node()))
                .map(node -> node.equals(node(0)) || node.equals(node(1)));
    }

    void apply(String yaml) {
        simulation.apply(yaml);
    }

    void patch(String kind, String name, String yaml) {
        simulation.patch(kind, name, yaml);
    }

    void delete(String kind, String name) {
        simulation.delete(kind, name);
    }

    Simulation simulation() {
        return simulation.simulation();
    }

    ClusterView view() {
        return simulation.view();
    }

    List<String> running() {
        return simulation.running();
    }

    Waiting waiting(String pod) {
        return simulation.waiting(pod);
    }

    List<String> held() {
        return simulation.held();
    }
}
