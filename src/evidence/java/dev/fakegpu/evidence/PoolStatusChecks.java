package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Hardware.GPU_0;
import static dev.fakegpu.evidence.Partition.grouped;
import static dev.fakegpu.evidence.Partition.plain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.evidence.Check.Topic;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Compares how many devices of a type are allocatable according to a ResourcePoolStatusRequest with how many kube-scheduler then allocates
 * to pods that arrive one after the other.
 */
final class PoolStatusChecks {

    private static final String SECTION = "Status Fields, partitionSummary";

    private final Lab lab;
    private final Findings findings;
    private int requests;

    PoolStatusChecks(Lab lab, Findings findings) {
        this.lab = lab;
        this.findings = findings;
    }

    void run() {
        findings.attempt("the KEP's example", this::example);
        findings.attempt("groups", this::groups);
        findings.attempt("groups, nothing allocated", this::groupsOfEmpty);
        findings.attempt("two GPUs", this::twoGpus);
        findings.attempt("one pool for each GPU", this::poolForEach);
        findings.attempt("tainted and allocated", this::tainted);
    }

    private static Hardware fullAndHalf(String... gpus) {
        var partitions = new ArrayList<Partition>();
        for (String gpu : gpus) {
            partitions.add(Partition.of(gpu + "-full", "Full", plain(gpu + "-counters", 100)));
            partitions.add(Partition.of(gpu + "-half-0", "Half", plain(gpu + "-counters", 50)));
            partitions.add(Partition.of(gpu + "-half-1", "Half", plain(gpu + "-counters", 50)));
        }
        Partition[] all = partitions.toArray(Partition[]::new);
        return (gpus.length == 1 ? Hardware.gpu(all) : Hardware.gpus(all)).withPartitionType();
    }

    private void example() {
        var experiment = lab.begin(fullAndHalf("gpu-0"));
        experiment.pod("held", "Half");
        compare(
                "status-example",
                "The KEP's example: one GPU as one Full or two Half; one Half is in use.",
                experiment,
                "Full",
                "Half");
    }

    private void groups() {
        var experiment = lab.begin(Hardware.gpu(
                        Partition.of("mig-0", "mig", grouped(GPU_0, 20, "mig")),
                        Partition.of("mig-1", "mig", grouped(GPU_0, 20, "mig")),
                        Partition.of("vgpu-0", "vgpu", grouped(GPU_0, 50, "vgpu")))
                .withPartitionType());
        experiment.pod("held", "mig");
        compare(
                "status-groups",
                "One GPU with two MIG devices and a vGPU; one MIG device is in use, and its group excludes vGPUs.",
                experiment,
                "vgpu",
                "mig");
    }

    private void groupsOfEmpty() {
        var experiment = lab.begin(Hardware.gpu(
                        Partition.of("part-0", "part", grouped(GPU_0, 20, "a")),
                        Partition.of("part-1", "part", grouped(GPU_0, 20, "b")))
                .withPartitionType());
        compare(
                "status-groups-of-one-type",
                "A free GPU with two devices of one type in different groups.",
                experiment,
                "part");
    }

    private void twoGpus() {
        var experiment = lab.begin(fullAndHalf("gpu-0", "gpu-1"));
        experiment.pod("held", "Half");
        compare(
                "status-two-gpus",
                "Two GPUs in one pool, each with its own counter set, as one Full or two Half each; one Half is in use.",
                experiment,
                "Half");
    }

    private void poolForEach() {
        var experiment = lab.begin(fullAndHalf("gpu-0"), 2);
        experiment.pod("held", "Half");
        compare(
                "status-pool-for-each",
                "Two such GPUs in two pools; one Half is in use. The request's number is the sum over the pools.",
                experiment,
                "Half");
    }

    private void tainted() {
        var experiment = lab.begin(Hardware.gpu(
                        Partition.of("half-0", "Half", plain(GPU_0, 50)),
                        Partition.of("half-1", "Half", plain(GPU_0, 50)))
                .withPartitionType());
        experiment.taint("half-0");
        compare(
                "status-taint",
                "One GPU as two Half, one of which has a taint with the effect NoSchedule.",
                experiment,
                "Half");
    }

    /** Requests the status, and then tries to allocate. */
    private void compare(String id, String says, Experiment experiment, String... types) {
        List<JsonNode> pools = ask(experiment);
        var said = new ArrayList<String>();
        var allocated = new ArrayList<String>();
        for (String type : types) {
            said.add(type + " " + allocatable(pools, type));
            allocated.add(type + " " + allocate(experiment, type));
        }
        findings.add(experiment.check(
                id,
                Topic.POOL_STATUS,
                SECTION,
                says,
                String.join(", ", allocated),
                String.join(", ", said) + errors(pools)));
    }

    private List<JsonNode> ask(Experiment experiment) {
        var pools = new ArrayList<JsonNode>();
        for (String pool : experiment.pools()) {
            String name = "request-" + ++requests;
            experiment.ask(name, pool);
            Lab.await(
                    "an answer to " + name, () -> !request(name).path("status").isMissingNode());
            request(name).path("status").path("pools").forEach(pools::add);
        }
        experiment.note("partitionSummary: "
                + pools.stream()
                        .map(pool -> pool.has("partitionSummary")
                                ? pool.get("partitionSummary").toString()
                                : "none")
                        .collect(Collectors.joining(" "))
                + errors(pools));
        return pools;
    }

    private JsonNode request(String name) {
        GenericKubernetesResource stored = lab.client()
                .genericKubernetesResources("resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest")
                .withName(name)
                .require();
        return Serialization.jsonMapper().valueToTree(stored);
    }

    private static String allocatable(Collection<JsonNode> pools, String type) {
        int sum = 0;
        for (JsonNode pool : pools) {
            boolean found = false;
            for (JsonNode entry : pool.path("partitionSummary")) {
                if (entry.path("type").asText().equals(type)) {
                    sum += entry.path("allocatable").asInt();
                    found = true;
                }
            }
            if (!found) {
                return "unknown";
            }
        }
        return String.valueOf(sum);
    }

    private static String errors(Collection<JsonNode> pools) {
        return pools.stream()
                .map(pool -> pool.path("validationError").asText())
                .filter(error -> !error.isEmpty())
                .map(error -> ": " + error)
                .collect(Collectors.joining());
    }

    /** Returns how many pods get a device of a type until one waits; the devices are released afterwards. */
    private static int allocate(Experiment experiment, String type) {
        int count = 0;
        String pod = "more-" + type.toLowerCase(Locale.ROOT) + "-";
        while (experiment.pod(pod + count, type).equals(Experiment.ALLOCATED)) {
            count++;
        }
        for (int i = 0; i <= count; i++) {
            experiment.release(pod + i);
        }
        experiment.settle();
        return count;
    }
}
