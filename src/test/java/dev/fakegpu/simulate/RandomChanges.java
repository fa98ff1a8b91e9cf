package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Random objects of a small cluster, and random changes of it: FakeGpus of both allocators, pods of both schedulers with claims of their own,
 * shared ones and templates, workloads, and claims that the companion allocates without a pod.
 */
public final class RandomChanges {

    private static final List<String> PARTITIONS = List.of(
            "{whole: true}",
            "{whole: true, mig: {profiles: [1g.5gb, 3g.20gb]}}",
            "{mig: {profiles: [3g.20gb]}, vgpu: {types: [10C]}}");

    private final Random random;
    private final String namespace;

    /** The allocators of the FakeGpus. */
    private final List<String> allocators = new ArrayList<>();

    private int pods;

    /** @param namespace of all pods and claims */
    public RandomChanges(long seed, String namespace) {
        random = new Random(seed);
        this.namespace = namespace;
    }

    private static JsonNode json(String yaml) {
        return Serialization.unmarshal(yaml, JsonNode.class);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** What is there before: one or two FakeGpus, and pods that want some of their devices. */
    public List<JsonNode> cluster() {
        return Stream.concat(
                        IntStream.rangeClosed(0, random.nextInt(2)).mapToObj(index -> newFakeGpu()).toList().stream(),
                        users(1 + random.nextInt(6)))
                .toList();
    }

    /** What is applied then. */
    public List<JsonNode> changes() {
        var objects = new ArrayList<JsonNode>();
        if (random.nextInt(3) == 0) {
            objects.add(newFakeGpu());
        }
        if (random.nextInt(4) == 0) {
            objects.add(fakeGpu(random.nextInt(allocators.size())));
        }
        users(1 + random.nextInt(4)).forEach(objects::add);
        return objects;
    }

    private JsonNode newFakeGpu() {
        allocators.add(random.nextInt(2) == 0 ? "Companion" : "KubeScheduler");
        return fakeGpu(allocators.size() - 1);
    }

    /** Each has one node, so that it makes no difference which a scheduler prefers. */
    private JsonNode fakeGpu(int index) {
        return json("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: fake-%1$d}
                spec:
                  driver: gpu.d%1$d.example
                  model: A100-SXM4-40GB
                  count: %2$d
                  allocator: %3$s
                  nodes: {simulated: {count: 1, taint: None}}
                  partitions: %4$s
                """.formatted(index, 1 + random.nextInt(2), allocators.get(index), any(PARTITIONS)));
    }

    private Stream<JsonNode> users(int count) {
        return IntStream.range(0, count).boxed().flatMap(index -> user());
    }

    private Stream<JsonNode> user() {
        String name = "%s-%02d".formatted((char) ('a' + random.nextInt(26)), pods++);
        return switch (random.nextInt(8)) {
            case 0 -> Stream.of(template(name), workload(name));
            case 1 -> Stream.of(claim(name, "{fakegpu.dev/allocate: 'true'}"));
            case 2 ->
                Stream.of(
                        claim(name, "{}"),
                        pod(name, "resourceClaimName: " + name),
                        pod(name + "-too", "resourceClaimName: " + name));
            case 3 -> Stream.of(template(name), pod(name, "resourceClaimTemplateName: " + name));
            default -> Stream.of(claim(name, "{}"), pod(name, "resourceClaimName: " + name));
        };
    }

    private String request() {
        int index = random.nextInt(allocators.size() + (random.nextInt(8) == 0 ? 1 : 0));
        String driver = "gpu.d%d.example".formatted(index);
        String kind = random.nextInt(3) == 0 ? "mig" : "whole";
        return "{name: r, exactly: {deviceClassName: all, count: %d, selectors: [{cel: {expression: 'device.driver == \"%s\"%s'}}]}}"
                .formatted(
                        1 + random.nextInt(2),
                        driver,
                        kind.equals("mig") ? " && device.attributes[\"%s\"].type == \"mig\"".formatted(driver) : "");
    }

    private JsonNode claim(String name, String labels) {
        return json("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: %s, name: %s, labels: %s}
                spec: {devices: {requests: [%s]}}
                """.formatted(namespace, name, labels, request()));
    }

    private JsonNode template(String name) {
        return json("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {namespace: %s, name: %s}
                spec: {spec: {devices: {requests: [%s]}}}
                """.formatted(namespace, name, request()));
    }

    private JsonNode pod(String name, String claim) {
        return json("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %s, name: %s}
                spec: %s
                """.formatted(namespace, name, podSpec(claim)));
    }

    private JsonNode workload(String name) {
        return json(
                """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {namespace: %1$s, name: %2$s}
                spec:
                  replicas: %3$d
                  serviceName: none
                  selector: {matchLabels: {app: %2$s}}
                  template: {metadata: {labels: {app: %2$s}}, spec: %4$s}
                """.formatted(namespace, name, 1 + random.nextInt(3), podSpec("resourceClaimTemplateName: " + name)));
    }

    private String podSpec(String claim) {
        return "{schedulerName: %s, containers: [{name: c, image: 'busybox:1', resources: {claims: [{name: gpu}]}}], resourceClaims: [{name: gpu, %s}]}"
                .formatted(random.nextInt(2) == 0 ? "fakegpu-scheduler" : "default-scheduler", claim);
    }

    /** The class of all requests. */
    public static JsonNode deviceClass() {
        return json("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: all}
                spec: {selectors: [{cel: {expression: 'true'}}]}
                """);
    }
}
