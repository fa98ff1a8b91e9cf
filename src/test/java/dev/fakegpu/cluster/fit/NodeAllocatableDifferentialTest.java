package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.problemfile.Oracle;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.testing.Prerequisite;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares this project with two plugins of kube-scheduler: for random pods whose devices consume resources of the node (KEP-5517), both
 * must agree whether the pods fit, why they do not, and what they consume. Pods are as users write them, and pods on the node may be in the
 * middle of a resize.
 *
 * <p>{@code -Dallocatable.problems=N} and {@code -Dallocatable.seed=S} set the number of problems and the first seed.
 */
@Tag("long")
class NodeAllocatableDifferentialTest {

    private static final int PROBLEMS = Integer.getInteger("allocatable.problems", 2_000);
    private static final long SEED = Long.getLong("allocatable.seed", 1);
    private static final int MAX_SHOWN = 5;
    private static final AllocatorOptions OPTIONS = new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of());

    private final Selectors selectors = new Selectors();

    /** @param reasons why the pod does not fit, or the resources that its devices consume if it fits */
    private record Decision(String outcome, List<String> reasons) {

        static Decision refused(List<String> reasons) {
            return new Decision(
                    "refused",
                    reasons.stream().map(Decision::kind).sorted().distinct().toList());
        }

        /** If several resources are insufficient, the order of a map decides which one upstream reports. */
        private static String kind(String reason) {
            return reason.startsWith("pod level") ? reason.substring(0, reason.indexOf(" for ")) : reason;
        }
    }

    @Test
    void decidesAsKubeScheduler() throws IOException, InterruptedException {
        Optional<Oracle> started = Oracle.built("hack/kubernetes/filter/build");
        Prerequisite.require(started.isPresent(), "hack/kubernetes/filter/build failed");
        var counts = new TreeMap<String, Integer>();
        var disagreements = new ArrayList<String>();
        try (Oracle oracle = started.get()) {
            for (int i = 0; i < PROBLEMS; i++) {
                ObjectNode problem = NodeAllocatableProblems.generate(SEED + i);
                oracle.send(problem);
                Decision ours = ours(problem);
                Decision upstream = upstream(oracle.receive());
                counts.merge(summary(upstream), 1, Integer::sum);
                if (!ours.equals(upstream)) {
                    disagreements.add("%s%n  upstream: %s%n  here:     %s".formatted(problem, upstream, ours));
                }
            }
        }
        System.out.println("NodeAllocatableDifferentialTest: " + counts + ", disagreements: " + disagreements.size());
        assertThat(disagreements.stream().limit(MAX_SHOWN))
                .as("from seed %s", SEED)
                .isEmpty();
    }

    private static String summary(Decision decision) {
        return decision.outcome()
                + (decision.outcome().equals("fits")
                        ? (decision.reasons().isEmpty() ? "" : " and takes")
                        : decision.reasons().stream()
                                .map(reason -> reason.replaceAll("claim-\\d", "claim"))
                                .collect(Collectors.joining(", ", ": ", "")));
    }

    private static Decision upstream(JsonNode answer) {
        return switch (answer.get("outcome").asText()) {
            case "fits" -> new Decision("fits", texts(answer.path("uses"), NodeAllocatableDifferentialTest::use));
            case "refused" -> Decision.refused(texts(answer.path("reasons"), JsonNode::asText));
            default -> new Decision("error", List.of());
        };
    }

    private static List<String> texts(JsonNode list, Function<JsonNode, String> text) {
        return StreamSupport.stream(list.spliterator(), false).map(text).toList();
    }

    private static String use(JsonNode use) {
        return "%s %s %s %s"
                .formatted(
                        use.get("resourceClaimName").asText(),
                        texts(use.path("containers"), JsonNode::asText),
                        texts(use.path("mapping"), each -> each.get("name").asText() + " " + amount(each, "quantity")),
                        texts(
                                use.path("overhead"),
                                each -> each.get("name").asText() + " " + amount(each, "perPod") + " "
                                        + amount(each, "perContainer")));
    }

    private static String amount(JsonNode owner, String field) {
        return owner.path(field).asText("-");
    }

    private static String use(NodeAllocatableUse use) {
        return "%s %s %s %s"
                .formatted(
                        use.claim(),
                        use.containers(),
                        use.mapping().entrySet().stream()
                                .map(each -> each.getKey() + " " + each.getValue())
                                .toList(),
                        use.overhead().entrySet().stream()
                                .map(each -> each.getKey() + " "
                                        + amount(each.getValue().perPod()) + " "
                                        + amount(each.getValue().perContainer()))
                                .toList());
    }

    private static String amount(Quantity quantity) {
        return quantity == null ? "-" : quantity.toString();
    }

    private Decision ours(ObjectNode problem) {
        SchedulableNode node = SchedulableNode.of(read(problem.get("node"), Node.class));
        Pod pod = read(problem.get("pod"), Pod.class);
        List<ResourceClaim> claims = all(problem.get("claims"), ResourceClaim.class);
        List<ResourceClaim> own = PodClaims.of(
                        pod,
                        (namespace, name) -> claims.stream()
                                .filter(claim -> claim.getMetadata().getName().equals(name))
                                .findFirst())
                .claims();
        var usage = new NodeUsage();
        all(problem.get("pods"), Pod.class).forEach(usage::update);
        var index = new SliceIndex(
                all(problem.get("slices"), ResourceSlice.class).stream()
                        .map(SliceReader::read)
                        .toList(),
                OPTIONS);
        var fit = new PodFit(pod, own, usage, ExtendedResources.NONE, DeviceLookup.in(index), null);
        List<String> problems = fit.problems(node);
        if (!problems.isEmpty()) {
            return Decision.refused(problems);
        }
        List<Claim> unallocated = own.stream()
                .filter(claim -> !Allocations.isAllocated(claim))
                .map(ClaimReader::read)
                .toList();
        Outcome outcome = new Allocator(context(problem, index, claims))
                .allocate(node.devices(), unallocated, SearchLimit.none());
        if (!(outcome instanceof Outcome.Allocated allocated)) {
            return Decision.refused(List.of("cannot allocate all claims"));
        }
        DeviceFootprint footprint = fit.withDevices().on(node, unallocated, allocated.allocations());
        if (footprint.problem() != null) {
            return new Decision("error", List.of());
        }
        List<String> after = fit.withDevices().problems(node, footprint);
        return after.isEmpty()
                ? new Decision(
                        "fits",
                        footprint.uses().stream()
                                .map(NodeAllocatableDifferentialTest::use)
                                .toList())
                : Decision.refused(after);
    }

    private AllocationContext context(ObjectNode problem, SliceIndex index, List<ResourceClaim> claims) {
        Map<String, DeviceClass> classes =
                all(problem.get("classes"), io.fabric8.kubernetes.api.model.resource.v1.DeviceClass.class).stream()
                        .map(ClaimReader::read)
                        .collect(Collectors.toMap(DeviceClass::name, Function.identity()));
        var held = claims.stream()
                .flatMap(claim -> DeviceStatuses.allocated(claim).stream())
                .toList();
        return new AllocationContext(index, classes, new AllocatedDevices(held, GroupPolicy.LIVE), selectors, OPTIONS);
    }

    private static <T> T read(JsonNode json, Class<T> type) {
        T object = Serialization.unmarshal(json.toString(), type);
        if (object instanceof Pod pod) {
            PodDefaults.set(pod);
        }
        return object;
    }

    private static <T> List<T> all(JsonNode list, Class<T> type) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(each -> read(each, type))
                .toList();
    }
}
