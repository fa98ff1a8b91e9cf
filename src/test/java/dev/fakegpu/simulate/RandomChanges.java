package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Random objects of a small cluster, and random changes to it: FakeGpus of both allocators, pods of both schedulers with their own claims,
 * shared claims and templates, some of them gated or with a node, workloads and scale-ups of them, claims that the companion allocates
 * without a pod, and quotas.
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

    /** Pods may refer to any of these claims. */
    private final List<String> claims = new ArrayList<>();

    private final List<JsonNode> workloads = new ArrayList<>();
    private final List<JsonNode> gated = new ArrayList<>();
    private int pods;

    /** @param namespace the namespace of all pods and claims */
    public RandomChanges(long seed, String namespace) {
        random = new Random(seed);
        this.namespace = namespace;
    }

    private static JsonNode json(String yaml) {
        return Serialization.unmarshal(yaml, JsonNode.class);
    }

    /** The options, with a random setting of the gate for compatibility groups. */
    SimulationOptions options() {
        var on = SimulationOptions.DEFAULT.with(Schedulers.KUBE);
        return random.nextInt(4) > 0
                ? on
                : any(List.of(
                        on.with(GroupsGate.OFF),
                        on.with(on.settings().withKubeScheduler(GroupsGate.OFF)),
                        on.with(KubernetesVersion.V1_36)));
    }

    private boolean isOneOf(int times) {
        return random.nextInt(times) == 0;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** The objects that exist before: one or two FakeGpus, and pods that request some of their devices. */
    public List<JsonNode> cluster() {
        var objects = new ArrayList<>(IntStream.rangeClosed(0, random.nextInt(2))
                .mapToObj(index -> newFakeGpu())
                .toList());
        if (isOneOf(4)) {
            objects.add(quota("first"));
        }
        users(1 + random.nextInt(6)).forEach(objects::add);
        return objects;
    }

    /** The same objects, but one of the claims may be reserved for as many consumers as the API allows, or nearly as many. */
    ClusterObjects crowded(ClusterObjects cluster) {
        List<ResourceClaim> allocated =
                cluster.claims().stream().filter(Allocations::isAllocated).toList();
        if (allocated.isEmpty() || !isOneOf(3)) {
            return cluster;
        }
        ResourceClaim claim = any(allocated);
        int known = claim.getStatus().getReservedFor().size();
        List<ResourceClaimConsumerReference> jobs = IntStream.range(known, Limits.RESERVATIONS - random.nextInt(2))
                .mapToObj(index -> new ResourceClaimConsumerReference("batch", "job-" + index, "jobs", "uid-" + index))
                .toList();
        return cluster.with(List.of(new ResourceClaimBuilder(claim)
                .editStatus()
                .addAllToReservedFor(jobs)
                .endStatus()
                .build()));
    }

    /** The objects that are applied afterwards. */
    public List<JsonNode> changes() {
        var objects = new ArrayList<JsonNode>();
        if (isOneOf(3)) {
            objects.add(newFakeGpu());
        }
        if (isOneOf(4)) {
            objects.add(fakeGpu(random.nextInt(allocators.size())));
        }
        if (isOneOf(6)) {
            objects.add(quota("second"));
        }
        workloads.stream().filter(ignored -> isOneOf(3)).map(this::larger).forEach(objects::add);
        gated.stream().filter(ignored -> isOneOf(2)).map(RandomChanges::open).forEach(objects::add);
        users(1 + random.nextInt(4)).forEach(objects::add);
        return objects;
    }

    private JsonNode newFakeGpu() {
        allocators.add(random.nextInt(2) == 0 ? "Companion" : "KubeScheduler");
        return fakeGpu(allocators.size() - 1);
    }

    /** A FakeGpu with one node, so that the schedulers' preferences do not matter. */
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

    private JsonNode quota(String name) {
        String hard =
                any(List.of("pods", "count/resourceclaims.resource.k8s.io", "all.deviceclass.resource.k8s.io/devices"));
        return json("""
                apiVersion: v1
                kind: ResourceQuota
                metadata: {namespace: %s, name: %s}
                spec: {hard: {%s: %d}}
                """.formatted(namespace, name, hard, 1 + random.nextInt(8)));
    }

    private JsonNode larger(JsonNode workload) {
        ObjectNode larger = workload.deepCopy();
        larger.withObject("/spec").put("replicas", workload.at("/spec/replicas").asInt() + 1 + random.nextInt(2));
        return larger;
    }

    private static JsonNode open(JsonNode pod) {
        ObjectNode open = pod.deepCopy();
        open.withObject("/spec").putArray("schedulingGates");
        return open;
    }

    private Stream<JsonNode> users(int count) {
        return IntStream.range(0, count).boxed().flatMap(index -> user());
    }

    private Stream<JsonNode> user() {
        String name = "%s-%02d".formatted((char) ('a' + random.nextInt(26)), pods++);
        return switch (random.nextInt(12)) {
            case 0 -> Stream.of(template(name), workload(name));
            case 1 -> Stream.of(claim(name, "{fakegpu.dev/allocate: 'true'}"));
            case 2 ->
                Stream.of(
                        claim(name, "{}"),
                        pod(name, "resourceClaimName: " + name),
                        pod(name + "-too", "resourceClaimName: " + name));
            case 3 -> Stream.of(template(name), pod(name, "resourceClaimTemplateName: " + name));
            case 4 -> Stream.of(template(name), job(name));
            case 5 -> Stream.of(claim(name, "{}"), gated(name));
            case 6 -> Stream.of(claim(name, "{}"), onItsNode(name));
            case 7 -> claims.isEmpty() ? Stream.of() : Stream.of(pod(name, "resourceClaimName: " + any(claims)));
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
        claims.add(name);
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

    private JsonNode gated(String name) {
        JsonNode pod = pod(name, "resourceClaimName: " + name);
        ((ObjectNode) pod)
                .withObject("/spec")
                .putArray("schedulingGates")
                .addObject()
                .put("name", "wait");
        gated.add(pod);
        return pod;
    }

    /** A pod whose creator has chosen the node, which may not have the devices. */
    private JsonNode onItsNode(String name) {
        JsonNode pod = pod(name, "resourceClaimName: " + name);
        ((ObjectNode) pod)
                .withObject("/spec")
                .put("nodeName", "fake-%d-node-0".formatted(random.nextInt(allocators.size())));
        return pod;
    }

    private JsonNode workload(String name) {
        JsonNode workload = json("""
                apiVersion: apps/v1
                kind: %5$s
                metadata: {namespace: %1$s, name: %2$s}
                spec:
                  replicas: %3$d
                  selector: {matchLabels: {app: %2$s}}
                  template: {metadata: {labels: {app: %2$s}}, spec: %4$s}
                """.formatted(
                        namespace,
                        name,
                        1 + random.nextInt(3),
                        podSpec("resourceClaimTemplateName: " + name),
                        any(List.of("StatefulSet", "Deployment", "ReplicaSet"))));
        workloads.add(workload);
        return workload;
    }

    private JsonNode job(String name) {
        ObjectNode job = (ObjectNode) json(
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {namespace: %1$s, name: %2$s}
                spec: {parallelism: %3$d, completions: %3$d, template: {spec: %4$s}}
                """.formatted(namespace, name, 1 + random.nextInt(3), podSpec("resourceClaimTemplateName: " + name)));
        job.withObject("/spec/template/spec").put("restartPolicy", "Never");
        return job;
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
