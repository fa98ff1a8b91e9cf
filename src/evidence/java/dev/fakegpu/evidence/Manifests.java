package dev.fakegpu.evidence;

import java.util.ArrayList;
import java.util.List;

/** Objects other than slices, as YAML that readers of the report can apply. */
public final class Manifests {

    private Manifests() {}

    static String namespace(String name) {
        return """
                apiVersion: v1
                kind: Namespace
                metadata: {name: %s}
                """.formatted(name);
    }

    static String node(String name) {
        return """
                apiVersion: v1
                kind: Node
                metadata: {name: %s, labels: {kubernetes.io/hostname: %s}}
                status:
                  allocatable: {cpu: "100", memory: 100Gi, pods: "500"}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(name, name);
    }

    static String deviceClass(String driver) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: %s}
                spec: {selectors: [{cel: {expression: device.driver == '%s'}}]}
                """.formatted(driver, driver);
    }

    /** @param types the types, with one request each; if there are none, the claim has one request for any device */
    static String claim(String namespace, String name, String driver, String... types) {
        return claim(namespace, name, "", requests(driver, types));
    }

    /** @param more fields of the spec before the requests, ending with a comma */
    static String claim(String namespace, String name, String more, List<String> requests) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: %s, name: %s}
                spec:
                  devices: {%srequests: [%s]}
                """.formatted(namespace, name, more, String.join(", ", requests));
    }

    static List<String> requests(String driver, String... types) {
        var requests = new ArrayList<String>();
        for (String type : types) {
            requests.add(request("r" + requests.size(), driver, type));
        }
        return requests.isEmpty() ? List.of(any("r0", driver)) : requests;
    }

    static String request(String name, String driver, String type) {
        return "{name: %s, exactly: {deviceClassName: %s, selectors: [{cel: {expression: \"device.attributes['%s'].type == '%s'\"}}]}}"
                .formatted(name, driver, driver, type);
    }

    static String any(String name, String driver) {
        return "{name: %s, exactly: {deviceClassName: %s}}".formatted(name, driver);
    }

    static String all(String name, String driver) {
        return "{name: %s, exactly: {deviceClassName: %s, allocationMode: All}}".formatted(name, driver);
    }

    /** A pod with a claim of the same name. API servers taint new nodes; without kubelets, the taint stays. */
    static String pod(String namespace, String name, String... nodes) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %s, name: %s}
                spec:
                  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                    {matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%s]}]}]}}}
                  tolerations: [{operator: Exists}]
                  resourceClaims: [{name: device, resourceClaimName: %s}]
                  containers: [{name: main, image: busybox, resources: {claims: [{name: device}]}}]
                """.formatted(namespace, name, String.join(", ", nodes), name);
    }

    /** A pod with a claim of the same name, for any node. */
    static String podAnywhere(String namespace, String name) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %s, name: %s}
                spec:
                  tolerations: [{operator: Exists}]
                  resourceClaims: [{name: device, resourceClaimName: %s}]
                  containers: [{name: main, image: busybox, resources: {claims: [{name: device}]}}]
                """.formatted(namespace, name, name);
    }

    static String witnessSlice(String name, String node, String driver) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %s}
                spec:
                  driver: %s
                  nodeName: %s
                  pool: {name: %s, generation: 1, resourceSliceCount: 1}
                  devices: [{name: witness}]
                """.formatted(name, driver, node, name);
    }
}
