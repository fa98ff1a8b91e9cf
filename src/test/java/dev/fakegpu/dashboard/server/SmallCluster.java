package dev.fakegpu.dashboard.server;

import dev.fakegpu.snapshot.ClusterObjects;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.List;

/** A cluster in memory: one GPU, whole or as two parts of another group, and what a test adds. */
final class SmallCluster extends LiveObjects {

    private static final String GPU = """
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

    SmallCluster() {
        super(ClusterYaml.objects(GPU));
    }

    /** A pod {@code team/NAME} that has a device. */
    SmallCluster running(String name, String device) {
        return with("""
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
                """.formatted(name, device));
    }

    /** What the driver reports about the device of a claim. */
    SmallCluster prepared(String name, String device, String reason, String message) {
        ResourceClaim claim = objects().claim("team", name).orElseThrow();
        add(List.of(new ResourceClaimBuilder(claim)
                .editStatus()
                .addNewDevice()
                .withDriver("gpu.example.com")
                .withPool("node-1")
                .withDevice(device)
                .withConditions(new ConditionBuilder()
                        .withType("Ready")
                        .withStatus(reason.equals("Prepared") ? "True" : "False")
                        .withReason(reason)
                        .withMessage(message)
                        .build())
                .endDevice()
                .endStatus()
                .build()));
        return this;
    }

    /** A pod {@code team/NAME} that wants a device of a class. */
    SmallCluster waiting(String name, String deviceClass) {
        return with("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: %1$s}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: %2$s, allocationMode: ExactCount, count: 1}}]}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: %1$s}
                spec: {schedulerName: default-scheduler, containers: [{name: c, image: x}], resourceClaims: [{name: r, resourceClaimName: %1$s}]}
                """.formatted(name, deviceClass));
    }

    private SmallCluster with(String yaml) {
        add(ClusterYaml.objects(yaml));
        return this;
    }

    void delete(String name) {
        change(objects()
                .without((HasMetadata object) -> object.getMetadata().getName().equals(name)));
    }

    void empty() {
        change(ClusterObjects.NONE);
    }
}
