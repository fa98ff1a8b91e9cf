package dev.fakegpu.e2e.bench;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Random quotas, and random pods and claims that may exceed them. The same seed always gives the same objects. */
final class RandomQuotaObjects {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    /** The limits, each with an amount that is sufficient for some objects. */
    private static final List<String> HARD = List.of(
            "pods: %d",
            "count/pods: %d",
            "requests.cpu: %d",
            "cpu: %d500m",
            "memory: %dGi",
            "limits.cpu: %d",
            "limits.memory: %d512Mi",
            "requests.ephemeral-storage: %dGi",
            "requests.example.com/gpu: %d",
            "requests.example.com/other: %d",
            "gpu.deviceclass.resource.k8s.io/devices: %d",
            "nic.deviceclass.resource.k8s.io/devices: %d",
            "none.deviceclass.resource.k8s.io/devices: %d",
            "requests.deviceclass.resource.kubernetes.io/gpu: %d",
            "requests.deviceclass.resource.kubernetes.io/nic: %d",
            "requests.deviceclass.resource.kubernetes.io/none: %d",
            "count/resourceclaims.resource.k8s.io: %d",
            "services: %d");

    private static final List<String> SCOPES = List.of(
            "scopes: [Terminating]",
            "scopes: [NotTerminating]",
            "scopes: [NotBestEffort]",
            "scopes: [PriorityClass]",
            "scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}",
            "scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: NotIn, values: [high]}]}",
            "scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: DoesNotExist}]}");

    private static final int MAX_OF_PODS = 7;

    private final Random random;

    RandomQuotaObjects(long seed) {
        random = new Random(seed);
    }

    /** The quotas of a namespace. */
    List<ResourceQuota> quotas() {
        return IntStream.rangeClosed(0, random.nextInt(3)).mapToObj(this::quota).toList();
    }

    /** A quota; only quotas for pods have scopes. */
    private ResourceQuota quota(int index) {
        boolean hasScope = random.nextInt(3) == 0;
        if (hasScope && random.nextInt(3) == 0) {
            return quota("quota-" + index, "{pods: %d}".formatted(random.nextInt(10)), "scopes: [BestEffort]");
        }
        List<String> hard = new ArrayList<>(hasScope ? HARD.subList(0, MAX_OF_PODS) : HARD);
        Collections.shuffle(hard, random);
        return quota(
                "quota-" + index,
                hard.stream()
                        .limit(1 + random.nextInt(4))
                        .map(each -> each.formatted(random.nextInt(20)))
                        .collect(Collectors.joining(", ", "{", "}")),
                hasScope ? one(SCOPES) : "");
    }

    static ResourceQuota quota(String name, String hard, String scopes) {
        return SERIALIZATION.unmarshal(
                "---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: %s}, spec: {hard: %s%s}}"
                        .formatted(name, hard, scopes.isEmpty() ? "" : ", " + scopes));
    }

    /** A random pod or claim. */
    HasMetadata object(String name) {
        return random.nextInt(5) < 3 ? pod(name) : claim(name, requests());
    }

    private HasMetadata pod(String name) {
        String containers = IntStream.rangeClosed(0, random.nextInt(2))
                .mapToObj(i -> container("main-" + i, ""))
                .collect(Collectors.joining(", "));
        String before = sometimes(container("init", one(List.of("", "restartPolicy: Always, "))));
        return SERIALIZATION.unmarshal(
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {%s%s%scontainers: [%s]%s}}"
                        .formatted(
                                name,
                                sometimes("priorityClassName: high, "),
                                sometimes("activeDeadlineSeconds: 60, "),
                                sometimes("resources: {requests: {cpu: 7, memory: 7Gi}}, "),
                                containers,
                                before.isEmpty() ? "" : ", initContainers: [" + before + "]"));
    }

    private String container(String name, String more) {
        String requests = amounts("cpu: 500m", "cpu: 1", "memory: 512Mi", "memory: 1Gi", "ephemeral-storage: 1Gi");
        String extended = sometimes(one(List.of("example.com/gpu: 1", "example.com/other: 2")));
        String limits = Stream.of(amounts("cpu: 2", "memory: 2Gi", "ephemeral-storage: 2Gi"), extended)
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining(", "));
        return "{name: %s, image: app, %sresources: {requests: {%s}, limits: {%s}}}"
                .formatted(name, more, requests, limits);
    }

    /** Some of the amounts, with at most one for each resource. */
    private String amounts(String... all) {
        return Stream.of(all)
                .filter(each -> random.nextBoolean())
                .collect(Collectors.toMap(each -> each.split(":")[0], each -> each, (one, other) -> one))
                .values()
                .stream()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private String requests() {
        return IntStream.rangeClosed(0, random.nextInt(2))
                .mapToObj(i -> random.nextInt(3) == 0
                        ? "{name: r%d, firstAvailable: [%s, %s]}"
                                .formatted(i, request("name: a, "), request("name: b, "))
                        : "{name: r%d, exactly: %s}".formatted(i, request("")))
                .collect(Collectors.joining(", "));
    }

    private String request(String name) {
        return "{%sdeviceClassName: %s%s}"
                .formatted(
                        name,
                        one(List.of("gpu", "gpu", "nic", "none")),
                        one(List.of("", ", count: 2", ", count: 3", ", allocationMode: All")));
    }

    static ResourceClaim claim(String name, String requests) {
        return SERIALIZATION.unmarshal(
                "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: %s}, spec: {devices: {requests: [%s]}}}"
                        .formatted(name, requests));
    }

    private String sometimes(String text) {
        return random.nextInt(4) == 0 ? text : "";
    }

    private String one(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }
}
