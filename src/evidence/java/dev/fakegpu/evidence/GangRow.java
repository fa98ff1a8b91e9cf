package dev.fakegpu.evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A gang, as objects that both schedulers get.
 *
 * @param id a namespace, and a label of the nodes that its pods select
 * @param says a description of the gang
 * @param pods the names of its pods
 * @param objects the objects as YAML, in the order in which they are created; {@code $scheduler} stands for the scheduler's name
 */
record GangRow(String id, String says, List<String> pods, List<String> objects) {

    /** The rows of the table, from the simplest to the rarest. */
    static List<GangRow> all() {
        return List.of(
                row("incomplete", "fewer pods than `minCount`", 1, node("incomplete", 3), group("incomplete", 3, "")),
                row("no-group", "no PodGroup with this name", 1, node("no-group", 1)),
                row("fits", "as many pods as `minCount`, and enough devices", 3, node("fits", 3), group("fits", 3, "")),
                row(
                        "too-few-devices",
                        "5 pods, 4 devices",
                        5,
                        node("too-few-devices", 4),
                        group("too-few-devices", 5, "")),
                row("more-pods", "`minCount` 2, 4 pods, 3 devices", 4, node("more-pods", 3), group("more-pods", 2, "")),
                alternatives(),
                groupClaim(),
                sharedClaim(),
                topology(),
                priorities(),
                preemption());
    }

    /** A row whose pods have a claim each, from the template of the row. */
    private static GangRow row(String id, String says, int pods, String... before) {
        var objects = new ArrayList<>(Arrays.asList(before));
        objects.add(template(id, "exactly: {deviceClassName: gang.example.com}"));
        List<String> names = names(pods);
        names.forEach(pod -> objects.add(pod(id, pod, "", "resourceClaimTemplateName: one")));
        return new GangRow(id, says, names, objects);
    }

    private static GangRow alternatives() {
        String id = "alternatives";
        String slices = """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: alternatives-counters}
                spec:
                  driver: gang.example.com
                  nodeName: alternatives
                  pool: {name: alternatives, generation: 1, resourceSliceCount: 2}
                  sharedCounters: [{name: gpu, counters: {parts: {value: "2"}}}]
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: alternatives}
                spec:
                  driver: gang.example.com
                  nodeName: alternatives
                  pool: {name: alternatives, generation: 1, resourceSliceCount: 2}
                  devices:
                  - {name: whole, attributes: {size: {string: whole}}, consumesCounters: [{counterSet: gpu, counters: {parts: {value: "2"}}}]}
                  - {name: half-0, attributes: {size: {string: half}}, consumesCounters: [{counterSet: gpu, counters: {parts: {value: "1"}}}]}
                  - {name: half-1, attributes: {size: {string: half}}, consumesCounters: [{counterSet: gpu, counters: {parts: {value: "1"}}}]}
                """;
        String template = template(id, "firstAvailable: [" + alternative("whole") + ", " + alternative("half") + "]");
        return new GangRow(
                id,
                "each of 2 pods prefers a whole device and accepts half of it; there is one device",
                names(2),
                List.of(
                        onlyNode(id, id, ""),
                        slices,
                        group(id, 2, ""),
                        template,
                        pod(id, "pod-0", "", "resourceClaimTemplateName: one"),
                        pod(id, "pod-1", "", "resourceClaimTemplateName: one")));
    }

    private static String alternative(String size) {
        return "{name: %1$s, deviceClassName: gang.example.com, selectors: [{cel: {expression: 'device.attributes[\"gang.example.com\"].size == \"%1$s\"'}}]}"
                .formatted(size);
    }

    private static GangRow groupClaim() {
        String id = "claim-of-the-group";
        return shared(
                id,
                "the PodGroup has a claim (`spec.resourceClaims`), which its 2 pods share",
                group(id, 2, ", resourceClaims: [{name: gpu, resourceClaimName: shared}]"));
    }

    private static GangRow sharedClaim() {
        String id = "shared-claim";
        return shared(id, "2 pods share a claim without the PodGroup", group(id, 2, ""));
    }

    private static GangRow shared(String id, String says, String group) {
        String claim = """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: %s, name: shared}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gang.example.com}}]}}
                """.formatted(id);
        return new GangRow(
                id,
                says,
                names(2),
                List.of(
                        node(id, 1),
                        claim,
                        group,
                        pod(id, "pod-0", "", "resourceClaimName: shared"),
                        pod(id, "pod-1", "", "resourceClaimName: shared")));
    }

    /** Each rack has two nodes; only the devices of rack b are enough for all pods. */
    private static GangRow topology() {
        String id = "topology";
        var objects = new ArrayList<String>();
        for (String node : List.of("a-0 1", "a-1 1", "b-0 2", "b-1 1")) {
            String name = id + "-" + node.substring(0, 3);
            objects.add(onlyNode(id, name, ", example.com/rack: " + node.charAt(0)));
            objects.add(slice(name, node.charAt(4) - '0'));
        }
        objects.add(group(id, 3, ", schedulingConstraints: {topology: [{key: example.com/rack}]}"));
        objects.add(template(id, "exactly: {deviceClassName: gang.example.com}"));
        names(3).forEach(pod -> objects.add(pod(id, pod, "", "resourceClaimTemplateName: one")));
        return new GangRow(
                id, "`schedulingConstraints.topology` by rack: rack a has 2 devices, rack b has 3", names(3), objects);
    }

    private static GangRow priorities() {
        String id = "priorities";
        return new GangRow(
                id,
                "2 pods with different priorities, and a PodGroup without priority",
                names(2),
                List.of(
                        priorityClass("gang-low", 100),
                        priorityClass("gang-high", 1000),
                        node(id, 2),
                        group(id, 2, ""),
                        template(id, "exactly: {deviceClassName: gang.example.com}"),
                        pod(id, "pod-0", "priorityClassName: gang-low", "resourceClaimTemplateName: one"),
                        pod(id, "pod-1", "priorityClassName: gang-high", "resourceClaimTemplateName: one")));
    }

    private static GangRow preemption() {
        String id = "preemption";
        return new GangRow(
                id,
                "a gang of high priority; a pod of low priority holds one of its 2 devices",
                List.of("low", "pod-0", "pod-1"),
                List.of(
                        priorityClass("gang-low", 100),
                        priorityClass("gang-high", 1000),
                        node(id, 2),
                        template(id, "exactly: {deviceClassName: gang.example.com}"),
                        pod(id, "low", "priorityClassName: gang-low", "resourceClaimTemplateName: one")
                                .replace("schedulingGroup: {podGroupName: ring}", "restartPolicy: Always"),
                        WAIT_FOR_LOW,
                        group(id, 2, ", priorityClassName: gang-high"),
                        pod(id, "pod-0", "priorityClassName: gang-high", "resourceClaimTemplateName: one"),
                        pod(id, "pod-1", "priorityClassName: gang-high", "resourceClaimTemplateName: one")));
    }

    /** Separates objects that are created before a decision from those that are created after it. */
    static final String WAIT_FOR_LOW = "# until pod low has a node\n";

    // --- objects

    private static List<String> names(int pods) {
        return IntStream.range(0, pods).mapToObj(i -> "pod-" + i).toList();
    }

    private static String node(String id, int devices) {
        return onlyNode(id, id, "") + "---\n" + slice(id, devices);
    }

    private static String onlyNode(String row, String name, String labels) {
        return """
                apiVersion: v1
                kind: Node
                metadata: {name: %s, labels: {example.com/row: %s%s}}
                status:
                  allocatable: {cpu: "100", memory: 100Gi, pods: "500"}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(name, row, labels);
    }

    private static String slice(String node, int devices) {
        String names = String.join(
                ", ",
                IntStream.range(0, devices)
                        .mapToObj(i -> "{name: gpu-" + i + "}")
                        .toList());
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %1$s}
                spec:
                  driver: gang.example.com
                  nodeName: %1$s
                  pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
                  devices: [%2$s]
                """.formatted(node, names);
    }

    private static String group(String namespace, int minCount, String more) {
        return """
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {namespace: %s, name: ring}
                spec: {schedulingPolicy: {gang: {minCount: %d}}%s}
                """.formatted(namespace, minCount, more);
    }

    private static String priorityClass(String name, int value) {
        return """
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: %s}
                value: %d
                """.formatted(name, value);
    }

    private static String template(String namespace, String request) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {namespace: %s, name: one}
                spec: {spec: {devices: {requests: [{name: gpu, %s}]}}}
                """.formatted(namespace, request);
    }

    private static String pod(String namespace, String name, String more, String claim) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %1$s, name: %2$s}
                spec:
                  schedulerName: $scheduler
                  schedulingGroup: {podGroupName: ring}
                  nodeSelector: {example.com/row: %1$s}
                  tolerations: [{operator: Exists}]
                  containers: [{name: main, image: busybox, resources: {claims: [{name: gpu}]}}]
                  resourceClaims: [{name: gpu, %4$s}]
                %3$s""".formatted(namespace, name, more.isEmpty() ? "" : "  " + more + "\n", claim);
    }
}
