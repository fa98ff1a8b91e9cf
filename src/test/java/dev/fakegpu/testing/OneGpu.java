package dev.fakegpu.testing;

/** The YAML of a cluster with one GPU, which is used whole or as two parts of another group, and of pods that use it. */
public final class OneGpu {

    /** The node, the classes {@code whole} and {@code part}, and the slices with {@code gpu-0}, {@code part-0} and {@code part-1}. */
    public static final String CLUSTER = """
            apiVersion: v1
            kind: Node
            metadata: {name: node-1}
            status: {allocatable: {pods: 10}, conditions: [{type: Ready, status: 'True'}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: whole}
            spec: {selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].type == "whole"'}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: part}
            spec: {selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].type == "part"'}}]}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: a}
            spec:
              driver: gpu.example.com
              nodeName: node-1
              pool: {name: node-1, generation: 1, resourceSliceCount: 2}
              sharedCounters: [{name: gpu-0-counter-set, counters: {memory: {value: 40Gi}}}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: b}
            spec:
              driver: gpu.example.com
              nodeName: node-1
              pool: {name: node-1, generation: 1, resourceSliceCount: 2}
              devices:
              - name: gpu-0
                attributes: {type: {string: whole}, productName: {string: Example GPU}}
                consumesCounters: [{counterSet: gpu-0-counter-set, counters: {memory: {value: 40Gi}}, compatibilityGroups: [whole]}]
              - name: part-0
                attributes: {type: {string: part}}
                consumesCounters: [{counterSet: gpu-0-counter-set, counters: {memory: {value: 10Gi}}, compatibilityGroups: [parts]}]
              - name: part-1
                attributes: {type: {string: part}}
                consumesCounters: [{counterSet: gpu-0-counter-set, counters: {memory: {value: 10Gi}}, compatibilityGroups: [parts]}]
            """;

    private OneGpu() {}

    /** A pod {@code team/NAME} that has a device. */
    public static String running(String name, String device) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: %1$s}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: part, allocationMode: ExactCount, count: 1}}]}}
                status:
                  allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: node-1, device: %2$s}]}}
                  reservedFor: [{resource: pods, name: %1$s, uid: Pod-%1$s}]
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: %1$s}
                spec: {nodeName: node-1, containers: [{name: c, image: x}], resourceClaims: [{name: r, resourceClaimName: %1$s}]}
                """.formatted(name, device);
    }

    /** A pod {@code team/NAME} that requests a device of a class. */
    public static String waiting(String name, String deviceClass) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: %1$s}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: %2$s, allocationMode: ExactCount, count: 1}}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: %1$s}
                spec: {schedulerName: default-scheduler, containers: [{name: c, image: x}], resourceClaims: [{name: r, resourceClaimName: %1$s}]}
                """.formatted(name, deviceClass);
    }
}
