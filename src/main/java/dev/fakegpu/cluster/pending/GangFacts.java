package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.gang.GangOutcome;
import dev.fakegpu.engine.gang.GangProblem;
import dev.fakegpu.engine.gang.GangSearch;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What is said about the PodGroup of a pod (KEP-4671): how many of its pods there have to be and are, and for how many of them there is place
 * at once, with devices for all their claims.
 */
final class GangFacts {

    /** Of the allocator's searches for a gang together. */
    private static final long MAX_STEPS = 1_000_000;

    private static final int MAX_TRIES = 100_000;

    private final ExplainedCluster cluster;
    private final Selectors selectors = new Selectors();
    private final NodeUsage usage;
    private final Map<String, Optional<String>> known = new HashMap<>();

    GangFacts(ExplainedCluster cluster) {
        this.cluster = cluster;
        usage = cluster.snapshot().usage();
    }

    /** A pod of a gang without a node. */
    private record Waiting(Pod pod, PodDemand demand) {}

    /** Of a pod without a node; empty if it belongs to no gang, or if that is not known. */
    List<String> of(Pod pod) {
        Optional<String> name = name(pod);
        if (name.isPresent() && !cluster.sees(ObjectKind.POD_GROUPS)) {
            return List.of("whether PodGroup \"%s\" needs more pods at once is not known: you may not list %s"
                    .formatted(name.get(), ObjectKind.POD_GROUPS.resource()));
        }
        return group(pod)
                .flatMap(group -> known.computeIfAbsent(
                        pod.getMetadata().getNamespace() + "/"
                                + group.getMetadata().getName(),
                        ignored -> sentence(group, Scheduler.of(pod))))
                .stream()
                .toList();
    }

    private Optional<PodGroup> group(Pod pod) {
        return name(pod)
                .flatMap(name ->
                        cluster.snapshot().objects().podGroup(pod.getMetadata().getNamespace(), name));
    }

    private static Optional<String> name(Pod pod) {
        return Optional.ofNullable(pod.getSpec().getSchedulingGroup()).map(PodSchedulingGroup::getPodGroupName);
    }

    private Optional<String> sentence(PodGroup group, Scheduler scheduler) {
        int needed = group.minCount().orElse(0);
        List<Pod> members = cluster.snapshot().objects().pods().stream()
                .filter(pod -> pod.getMetadata()
                                .getNamespace()
                                .equals(group.getMetadata().getNamespace())
                        && name(pod)
                                .filter(group.getMetadata().getName()::equals)
                                .isPresent()
                        && pod.getMetadata().getDeletionTimestamp() == null
                        && !PodState.hasEnded(pod))
                .toList();
        List<Pod> bound = members.stream().filter(PodState::isBound).toList();
        if (bound.size() >= needed) {
            return Optional.empty();
        }
        String who = "PodGroup \"%s\"".formatted(group.getMetadata().getName());
        if (members.size() < needed) {
            return Optional.of("%s needs %s, %d %s"
                    .formatted(who, pods(needed), members.size(), members.size() == 1 ? "exists" : "exist"));
        }
        if (!cluster.seesDevices() || !cluster.sees(ObjectKind.CLAIMS)) {
            return Optional.of("%s needs %s at once".formatted(who, pods(needed)));
        }
        List<Waiting> waiting = members.stream()
                .filter(PodDemand::isPending)
                .map(pod -> new Waiting(pod, demand(pod)))
                .toList();
        return Optional.of(
                who + incomplete(waiting, needed).orElseGet(() -> searched(group, scheduler, bound, waiting, needed)));
    }

    private PodDemand demand(Pod pod) {
        return new PodDemand(
                pod,
                cluster.snapshot().podClaims(pod),
                usage,
                cluster.snapshot().extendedResources());
    }

    /** That claims of its pods are missing. */
    private static Optional<String> incomplete(List<Waiting> waiting, int needed) {
        return waiting.stream()
                .flatMap(each -> each
                        .demand()
                        .claimProblem()
                        .map(problem -> " needs %s at once, and pod \"%s\" cannot be placed: %s"
                                .formatted(
                                        pods(needed), each.pod().getMetadata().getName(), problem.full()))
                        .stream())
                .findFirst();
    }

    private String searched(PodGroup group, Scheduler scheduler, List<Pod> bound, List<Waiting> waiting, int needed) {
        List<SchedulableNode> nodes = nodes(group, bound);
        GangOutcome outcome = GangSearch.place(
                problem(group, scheduler, nodes, waiting, needed - bound.size()),
                SearchLimit.steps(MAX_STEPS),
                MAX_TRIES);
        String all = bound.isEmpty()
                ? ""
                : ", of which %d %s a node".formatted(bound.size(), bound.size() == 1 ? "has" : "have");
        String begin = " needs %s at once%s: ".formatted(pods(needed), all + domain(group));
        if (outcome instanceof GangOutcome.Placed placed) {
            return begin + "there is place for %s".formatted(fitting(placed.places(), waiting));
        }
        if (outcome instanceof GangOutcome.NotPlaced not) {
            return begin + "%s; %s".formatted(fits(not.some(), waiting), lack(not.some(), waiting, nodes));
        }
        String why = outcome instanceof GangOutcome.Failed failed
                ? failed.message()
                : ((GangOutcome.Aborted) outcome).message();
        return begin + "whether there is place for them is not known: " + why;
    }

    private static String domain(PodGroup group) {
        return group.topologyKey()
                .map(key -> ", on nodes with the same value of label " + key)
                .orElse("");
    }

    /** Those of the domain in which the first pods are. */
    private List<SchedulableNode> nodes(PodGroup group, List<Pod> bound) {
        List<SchedulableNode> all = cluster.snapshot().nodes();
        Set<String> names =
                bound.stream().map(pod -> pod.getSpec().getNodeName()).collect(Collectors.toSet());
        if (names.isEmpty() || group.topologyKey().isEmpty()) {
            return all;
        }
        String key = group.topologyKey().get();
        Set<Optional<String>> values = all.stream()
                .filter(node -> names.contains(node.name()))
                .map(node -> Optional.ofNullable(node.devices().labels().get(key)))
                .collect(Collectors.toSet());
        return all.stream()
                .filter(node -> values.equals(
                        Set.of(Optional.ofNullable(node.devices().labels().get(key)))))
                .toList();
    }

    private GangProblem problem(
            PodGroup group, Scheduler scheduler, List<SchedulableNode> nodes, List<Waiting> waiting, int atLeast) {
        List<GangProblem.Member> members = waiting.stream()
                .map(each -> new GangProblem.Member(
                        each.demand().requirements(),
                        each.demand().claims(each.demand().fitting(nodes))))
                .toList();
        return new GangProblem(
                cluster.snapshot().context(cluster.assumptions(scheduler), selectors),
                PodDemand.devices(nodes),
                members,
                atLeast,
                group.topologyKey(),
                (member, node, beside) -> fits(waiting, member, nodes.get(node), beside));
    }

    private boolean fits(List<Waiting> waiting, int member, SchedulableNode node, List<Integer> beside) {
        beside.forEach(other -> usage.assume(waiting.get(other).pod(), node.name()));
        boolean fits = !waiting.get(member).demand().fitting(List.of(node)).isEmpty();
        beside.forEach(
                other -> usage.remove(waiting.get(other).pod().getMetadata().getUid()));
        return fits;
    }

    private static String fitting(GangOutcome.Places places, List<Waiting> waiting) {
        return places.nodes().size() == waiting.size()
                ? "all"
                : "%d of %d".formatted(places.nodes().size(), waiting.size());
    }

    private static String fits(GangOutcome.Places places, List<Waiting> waiting) {
        int some = places.nodes().size();
        return some == 0
                ? "none of %s fits".formatted(pods(waiting.size()))
                : "%d of %s %s".formatted(some, pods(waiting.size()), some == 1 ? "fits" : "fit");
    }

    /** What the first pod without a place needs. */
    private static String lack(GangOutcome.Places places, List<Waiting> waiting, List<SchedulableNode> nodes) {
        Waiting first = IntStream.range(0, waiting.size())
                .filter(member -> !places.nodes().containsKey(member))
                .mapToObj(waiting::get)
                .findFirst()
                .orElseThrow();
        List<SchedulableNode> fitting = first.demand().fitting(nodes);
        String name = first.pod().getMetadata().getName();
        if (fitting.isEmpty()) {
            return "for %s, %s".formatted(name, first.demand().summary(nodes).replaceFirst("\\.$", ""));
        }
        List<Claim> claims = first.demand().claims(fitting);
        return claims.isEmpty()
                ? "%s finds no node beside the others".formatted(name)
                : "%s needs %s, which it does not get beside the others".formatted(name, wanted(claims));
    }

    private static String wanted(List<Claim> claims) {
        return claims.stream()
                .flatMap(claim -> claim.requests().stream())
                .map(GangFacts::wanted)
                .collect(Collectors.joining(" and "));
    }

    private static String wanted(DeviceRequest request) {
        return Stream.concat(Stream.ofNullable(request.exactly()), request.firstAvailable().stream())
                .map(GangFacts::wanted)
                .collect(Collectors.joining(" or "));
    }

    private static String wanted(ExactRequest request) {
        String number =
                request.isAll() ? "all devices" : request.count() == 1 ? "1 device" : request.count() + " devices";
        return "%s of class \"%s\"".formatted(number, request.deviceClassName());
    }

    private static String pods(int count) {
        return count == 1 ? "1 pod" : count + " pods";
    }
}
