package dev.fakegpu.cluster.fit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random pods with claims for devices that consume resources of the node, as problems for {@code hack/kubernetes/filter}. */
final class NodeAllocatableProblems {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DRIVER = "cpu.example.com";
    private static final String NODE = "n1";
    private static final String POD = "pod";

    private final Random random;
    private final ObjectNode problem = JSON.createObjectNode();
    private final List<Made> devices = new ArrayList<>();
    private int shares;

    /** A random device. */
    private record Made(String pool, String name, boolean isShared) {}

    private NodeAllocatableProblems(long seed) {
        random = new Random(seed);
    }

    static ObjectNode generate(long seed) {
        return new NodeAllocatableProblems(seed).generate("seed " + seed);
    }

    private ObjectNode generate(String name) {
        problem.put("name", name);
        node();
        classes();
        ArrayNode slices = problem.putArray("slices");
        for (int i = 0, count = 1 + random.nextInt(2); i < count; i++) {
            slice(slices.addObject(), "pool-" + i);
        }
        ArrayNode claims = problem.putArray("claims");
        int own = 1 + random.nextInt(3);
        for (int i = 0; i < own; i++) {
            claim(claims.addObject(), "claim-" + i, 3);
        }
        if (chance(3)) {
            claim(claims.addObject(), "other", 1);
        }
        pod(problem.putObject("pod"), POD, own);
        problem.withObject("/pod/metadata").put("uid", POD);
        ArrayNode pods = problem.putArray("pods");
        for (int i = random.nextInt(4); i > 0; i--) {
            ObjectNode pod = pods.addObject();
            pod(pod, "other-" + i, 0);
            pod.withObject("/spec").put("nodeName", NODE);
            uses(pod);
            resizes(pod);
        }
        return problem;
    }

    private boolean chance(int oneOf) {
        return random.nextInt(oneOf) == 0;
    }

    private String any(String... values) {
        return values[random.nextInt(values.length)];
    }

    private void node() {
        ObjectNode node = problem.putObject("node");
        node.putObject("metadata").put("name", NODE);
        ObjectNode status = node.putObject("status");
        status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
        ObjectNode allocatable = status.putObject("allocatable");
        allocatable
                .put("cpu", any("4", "8", "12", "6500m", "24", "32"))
                .put("memory", any("8Gi", "16Gi", "4000000000", "32Gi", "64Gi"));
        allocatable.put("pods", any("110", "110", "110", "2"));
        if (chance(2)) {
            allocatable.put("hugepages-2Mi", any("64Mi", "6Mi", "0"));
        }
        allocatable.put("example.com/card", any("1", "2"));
    }

    private void classes() {
        problem.putArray("classes").addObject().putObject("metadata").put("name", "shared");
        ArrayNode classes = problem.withArray("classes");
        classes.addObject().putObject("metadata").put("name", "whole");
        for (int i = 0; i < 2; i++) {
            ((ObjectNode) classes.get(i))
                    .putObject("spec")
                    .putArray("selectors")
                    .addObject()
                    .putObject("cel")
                    .put("expression", i == 0 ? "device.allowMultipleAllocations" : "!device.allowMultipleAllocations");
        }
    }

    private void slice(ObjectNode slice, String pool) {
        slice.putObject("metadata").put("name", pool);
        ObjectNode spec = slice.putObject("spec").put("driver", DRIVER);
        spec.putObject("pool").put("name", pool).put("generation", 1).put("resourceSliceCount", 1);
        boolean perDevice = chance(8);
        if (perDevice) {
            spec.put("perDeviceNodeSelection", true);
        } else if (chance(5)) {
            spec.put("allNodes", true);
        } else {
            spec.put("nodeName", NODE);
        }
        ArrayNode list = spec.putArray("devices");
        for (int i = 0, count = 1 + random.nextInt(4); i < count; i++) {
            ObjectNode device = device(list.addObject(), pool, "dev-" + i);
            if (perDevice) {
                device.put("nodeName", chance(4) ? "elsewhere" : NODE);
            }
        }
    }

    private ObjectNode device(ObjectNode device, String pool, String name) {
        boolean isShared = random.nextBoolean();
        devices.add(new Made(pool, name, isShared));
        device.put("name", name);
        ObjectNode capacity = device.putObject("capacity");
        capacity.putObject("cores").put("value", any("8", "16", "64"));
        capacity.putObject("mem").put("value", "64Gi");
        if (isShared) {
            device.put("allowMultipleAllocations", true);
            ((ObjectNode) capacity.get("cores")).putObject("requestPolicy").put("default", any("1", "500m"));
        }
        if (!chance(5)) {
            ObjectNode takes = device.putObject("nodeAllocatableResources");
            for (String resource : List.of("cpu", "memory", "hugepages-2Mi")) {
                if (chance(resource.equals("cpu") ? 2 : 4)) {
                    takes(takes.putObject(resource), resource, isShared);
                }
            }
        }
        return device;
    }

    private String amount(String resource) {
        return switch (resource) {
            case "cpu" -> any("1", "2", "500m", "250m", "1500m", "3");
            case "memory" -> any("1Gi", "512Mi", "100M", "2Gi");
            default -> any("2Mi", "4Mi");
        };
    }

    private void takes(ObjectNode takes, String resource, boolean isShared) {
        boolean isMapped = chance(2);
        if (isMapped) {
            ObjectNode mapping = takes.putObject("mapping");
            if (isShared ? !chance(3) : chance(12)) {
                boolean isMemory = resource.equals("memory");
                mapping.put("capacityKey", isMemory ? "mem" : "cores");
                mapping.put("capacityMultiplier", isMemory ? any("1", "0.125") : any("1", "2", "500m", "1333u"));
            } else {
                mapping.put("deviceMultiplier", amount(resource));
            }
        }
        if (!isMapped || chance(3)) {
            ObjectNode overhead = takes.putObject("overhead");
            boolean perPod = chance(2);
            if (perPod) {
                overhead.put("perPod", amount(resource));
            }
            if (!perPod || chance(2)) {
                overhead.put("perContainer", amount(resource));
            }
        }
    }

    /** @param allocated one in this number of claims is already allocated */
    private void claim(ObjectNode claim, String name, int allocated) {
        claim.putObject("metadata")
                .put("name", name)
                .put("namespace", "default")
                .put("uid", name);
        ArrayNode requests = claim.putObject("spec").putObject("devices").putArray("requests");
        for (int i = 0, count = chance(3) ? 2 : 1; i < count; i++) {
            boolean isShared = random.nextBoolean();
            ObjectNode exactly =
                    requests.addObject().put("name", "request-" + i).putObject("exactly");
            exactly.put("deviceClassName", isShared ? "shared" : "whole");
            exactly.put("allocationMode", "ExactCount").put("count", chance(4) ? 2 : 1);
            if (isShared && !chance(3)) {
                exactly.putObject("capacity").putObject("requests").put("cores", any("1", "2", "3", "1500m"));
            }
        }
        if (chance(allocated)) {
            allocate(claim);
        }
    }

    private void allocate(ObjectNode claim) {
        ObjectNode status = claim.putObject("status");
        ArrayNode results = status.putObject("allocation").putObject("devices").putArray("results");
        for (int i = 0, count = 1 + random.nextInt(2); i < count; i++) {
            Made device = devices.get(random.nextInt(devices.size()));
            ObjectNode result = results.addObject().put("request", "request-0").put("driver", DRIVER);
            result.put("pool", device.pool()).put("device", chance(40) ? "gone" : device.name());
            if (device.isShared()) {
                result.put("shareID", "00000000-0000-0000-0000-00000000000" + shares++);
                ObjectNode consumed = result.putObject("consumedCapacity").put("mem", any("1Gi", "3Gi"));
                if (!chance(8)) {
                    consumed.put("cores", any("1", "2", "4", "1500m"));
                }
            }
        }
        String user = any("", POD, "somebody");
        if (!user.isEmpty()) {
            status.putArray("reservedFor")
                    .addObject()
                    .put("resource", "pods")
                    .put("name", user)
                    .put("uid", user);
        }
    }

    /** @param claims the number of the pod's claims */
    private void pod(ObjectNode pod, String name, int claims) {
        pod.putObject("metadata").put("name", name).put("namespace", "default").put("uid", name);
        ObjectNode spec = pod.putObject("spec");
        ArrayNode references = spec.putArray("resourceClaims");
        for (int i = 0; i < claims; i++) {
            references.addObject().put("name", "ref-" + i).put("resourceClaimName", "claim-" + i);
        }
        ArrayNode init = spec.putArray("initContainers");
        for (int i = chance(2) ? random.nextInt(3) : 0; i > 0; i--) {
            ObjectNode container = container(init.addObject(), "init-" + i, references);
            if (chance(3)) {
                container.put("restartPolicy", "Always");
            }
        }
        ArrayNode containers = spec.putArray("containers");
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            container(containers.addObject(), "c" + i, references);
        }
        if (chance(4)) {
            resources(spec.putObject("resources"), any("4", "8", "2500m"), any("4Gi", "12Gi"), any("8Mi", "32Mi"), 2);
        }
        if (chance(10)) {
            spec.putObject("overhead").put("cpu", "250m").put("memory", "64Mi");
        }
    }

    private ObjectNode container(ObjectNode container, String name, ArrayNode references) {
        container.put("name", name);
        ObjectNode resources = container.putObject("resources");
        resources(resources, any("100m", "500m", "1"), any("128Mi", "1Gi"), any("2Mi", "4Mi"), 2);
        ArrayNode claims = resources.putArray("claims");
        references.forEach(each -> {
            if (chance(2)) {
                claims.addObject().set("name", each.get("name"));
            }
        });
        return container;
    }

    private void resources(ObjectNode resources, String cpu, String memory, String pages, int oneOf) {
        ObjectNode requests = resources.putObject("requests");
        ObjectNode limits = resources.putObject("limits");
        if (chance(oneOf)) {
            compute(requests, limits, "cpu", cpu);
        }
        if (chance(oneOf)) {
            compute(requests, limits, "memory", memory);
        }
        if (chance(8)) {
            requests.put("hugepages-2Mi", pages);
            limits.put("hugepages-2Mi", pages);
        }
        if (chance(20)) {
            limits.put("example.com/card", "1");
        }
    }

    private void compute(ObjectNode requests, ObjectNode limits, String resource, String amount) {
        boolean isLimited = chance(3);
        if (isLimited) {
            limits.put(resource, amount);
        }
        if (!isLimited || chance(2)) {
            requests.put(resource, amount);
        }
    }

    /** Adds the status that a kubelet writes while a pod on its node is being resized. */
    private void resizes(ObjectNode pod) {
        ObjectNode status = pod.withObject("/status");
        for (String kind : List.of("containers", "initContainers")) {
            ArrayNode statuses =
                    status.putArray(kind.equals("containers") ? "containerStatuses" : "initContainerStatuses");
            pod.at("/spec/" + kind).forEach(each -> {
                if (chance(3)) {
                    ObjectNode container = statuses.addObject().set("name", each.get("name"));
                    resized(container, "100m", "750m", "2");
                }
            });
        }
        if (chance(4)) {
            resized(status, "1", "3", "6");
        }
        if (chance(4)) {
            ArrayNode conditions = status.putArray("conditions");
            ObjectNode condition =
                    conditions.addObject().put("type", "PodResizePending").put("status", "True");
            condition.put("reason", any("Infeasible", "Deferred"));
        }
    }

    private void resized(ObjectNode status, String... cpus) {
        if (chance(2)) {
            status.putObject("allocatedResources").put("cpu", any(cpus)).put("memory", any("256Mi", "2Gi"));
        }
        if (chance(2)) {
            ObjectNode resources = status.putObject("resources");
            if (!chance(4)) {
                resources.putObject("requests").put("cpu", any(cpus)).put("memory", any("256Mi", "2Gi"));
            }
        }
    }

    private void uses(ObjectNode pod) {
        ArrayNode statuses = pod.putObject("status").putArray("nodeAllocatableResourceClaimStatuses");
        for (int i = random.nextInt(3); i > 0; i--) {
            ObjectNode use = statuses.addObject().put("resourceClaimName", "of-other-" + i);
            ArrayNode containers = use.putArray("containers");
            pod.at("/spec/containers").forEach(each -> {
                if (chance(2)) {
                    containers.add(each.get("name"));
                }
            });
            String resource = any("cpu", "memory", "hugepages-2Mi");
            if (chance(2)) {
                use.putArray("mapping").addObject().put("name", resource).put("quantity", amount(resource));
            }
            ObjectNode overhead = use.putArray("overhead").addObject().put("name", any(resource, "cpu"));
            overhead.put("perContainer", amount(overhead.get("name").asText()));
        }
    }
}
