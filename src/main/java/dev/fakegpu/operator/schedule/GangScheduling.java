package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.GangResources;
import dev.fakegpu.cluster.fit.OtherPodsFit;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.fit.UnsupportedFields;
import dev.fakegpu.cluster.pending.GangText;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.gang.GangOutcome;
import dev.fakegpu.engine.gang.GangProblem;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.operator.schedule.bind.BindingPlanner;
import dev.fakegpu.operator.schedule.bind.ClaimReleaser;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.report.UnschedulableExplainer;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.PodRequirements;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of a PodGroup all or none (KEP-4671). Each decision covers all pods of the group without a node, whichever of them is
 * next in the queue: their claims are written first, and their bindings once all claims are stored. If the write of a claim fails, the
 * claims of the other pods are released. Not thread-safe.
 */
final class GangScheduling {

    private final SchedulerCache cache;
    private final GangMembers members;
    private final SchedulingCycle cycle;
    private final NodeSearch nodeSearch;
    private final ClaimReleaser releaser;
    private final BindingPlanner planner;
    private final InFlightDecisions inFlight;
    private final GangRefusals refusals;

    GangScheduling(
            SchedulerCache cache,
            GangMembers members,
            SchedulingCycle cycle,
            NodeSearch nodeSearch,
            ClaimReleaser releaser,
            BindingPlanner planner,
            InFlightDecisions inFlight,
            UnschedulableExplainer explainer) {
        this.cache = cache;
        this.members = members;
        this.cycle = cycle;
        this.nodeSearch = nodeSearch;
        this.releaser = releaser;
        this.planner = planner;
        this.inFlight = inFlight;
        refusals = new GangRefusals(cache, explainer);
    }

    /** A pod without a node that waits only for a node and devices. */
    record Ready(QueueItem item, PodRequirements requirements) {
        Pod pod() {
            return requirements.pod();
        }

        String name() {
            return item.name();
        }
    }

    /** @return whether the pod belongs to a gang; if so, all of its pods are decided */
    boolean decide(QueueItem item, Pod pod) {
        Optional<String> name = PodGroup.nameFor(pod);
        if (name.isEmpty() || PodState.isBound(pod)) {
            return false;
        }
        if (!cache.knowsPodGroups()) {
            return isRefused(item, name.get());
        }
        Optional<PodGroup> found = cache.podGroup(pod);
        if (found.isEmpty()) {
            cycle.block(item, PendingReason.gangIncomplete(GangText.doesNotExist(name.get())));
            return true;
        }
        PodGroup group = found.get();
        if (group.isPartOfAnother()) {
            cycle.block(item, PendingReason.placementNotSupported(new GangText(group, 0).isPartOfAnother()));
            return true;
        }
        if (!group.isPlacedTogether()) {
            return false;
        }
        members.of(group, pod)
                .ifPresentOrElse(
                        gang -> {
                            if (gang.bound().size() + gang.ready().size()
                                    < gang.text().needed()) {
                                incomplete(gang);
                            } else {
                                place(gang);
                            }
                        },
                        () -> cycle.await(item)); // until the writes in flight have finished
        return true;
    }

    /** Where PodGroups cannot be read, a pod of a group is placed alone only if the settings allow it. */
    private boolean isRefused(QueueItem item, String group) {
        boolean isRefused = cache.options().unsupported() == UnsupportedFields.REFUSE;
        if (isRefused) {
            cycle.block(item, PendingReason.placementNotSupported(GangText.cannotBeRead(group)));
        }
        return isRefused;
    }

    private void incomplete(GangMembers.Gang gang) {
        GangText text = gang.text();
        if (gang.bound().size() + gang.ready().size() + gang.written().size() >= text.needed()) {
            gang.ready().forEach(each -> cycle.await(each.item())); // until their devices are ready
            return;
        }
        release(gang);
        String why = gang.all().size() < text.needed()
                ? text.tooFew(gang.all().size(), gang.others())
                : gang.notReady()
                        .flatMap(pod -> PodState.gated(pod)
                                .or(() -> cycle.reason(pod.getMetadata().getUid())
                                        .map(reason -> reason.text().shown()))
                                .map(obstacle -> text.notReady(pod.getMetadata().getName(), obstacle)))
                        .orElseGet(text::atOnce);
        gang.ready().forEach(each -> cycle.block(each.item(), PendingReason.gangIncomplete(why)));
    }

    private void place(GangMembers.Gang gang) {
        List<Ready> ready = gang.ready();
        Object requirements = gang.key();
        if (ready.isEmpty()) {
            return;
        }
        if (!cycle.isWorthAnAttempt(requirements)) {
            release(gang); // after an earlier write failed
            cycle.refuseAgain(items(ready), requirements);
            return;
        }
        GangOutcome outcome = nodeSearch.placeGang(context -> problem(context, gang));
        if (outcome instanceof GangOutcome.Placed placed) {
            submit(gang, placed.places());
        } else if (outcome instanceof GangOutcome.NotPlaced not) {
            release(gang);
            cycle.refuse(
                    items(ready),
                    requirements,
                    refusals.notPlaced(gang, not.some(), context -> problem(context, gang)));
        } else if (outcome instanceof GangOutcome.Failed failed) {
            release(gang);
            cycle.refuse(items(ready), requirements, Optional.of(refusals.failed(gang, failed)));
        } else {
            ready.forEach(each -> cycle.await(each.item()));
            cycle.interrupted(ready.get(0).item());
        }
    }

    private static List<QueueItem> items(Collection<Ready> pods) {
        return pods.stream().map(Ready::item).toList();
    }

    // --- the search

    private GangProblem problem(AllocationContext context, GangMembers.Gang gang) {
        List<SchedulableNode> nodes = gang.nodes(cache);
        List<Ready> ready = gang.ready();
        Set<ClaimRef> shared = GangResources.shared(
                ready.stream().map(each -> each.requirements().unallocated()).toList());
        List<GangProblem.Member> all = ready.stream()
                .map(Ready::requirements)
                .map(each -> new GangProblem.Member(
                        GangResources.key(each.pod(), each.fit(), each.podClaims(), shared),
                        node -> each.claims(nodes.get(node))))
                .toList();
        return new GangProblem(
                context,
                nodes.stream().map(SchedulableNode::devices).toList(),
                all,
                Math.max(1, gang.text().needed() - gang.bound().size()),
                gang.group().topologyKey(),
                new GangFit(ready, nodes, new GangResources(cache::holdsBeside, shared)));
    }

    private final class GangFit implements GangProblem.Fit {
        private final List<Ready> ready;
        private final List<SchedulableNode> nodes;
        private final GangResources resources;

        private final boolean dependsOnOthers;

        /** What {@link #among} found last. */
        private @Nullable Among latest;

        private record Among(int member, Map<Integer, Integer> others, PodRequirements requirements) {}

        GangFit(List<Ready> ready, List<SchedulableNode> nodes, GangResources resources) {
            this.ready = ready;
            this.nodes = nodes;
            this.resources = resources;
            dependsOnOthers = cache.profile().considersOtherPods()
                    && ready.stream().map(Ready::pod).anyMatch(OtherPodsFit::concerns);
        }

        @Override
        public boolean dependsOnOthers() {
            return dependsOnOthers;
        }

        @Override
        public boolean fits(int member, int node, List<Integer> beside) {
            PodRequirements requirements = ready.get(member).requirements();
            SchedulableNode where = nodes.get(node);
            return requirements.fits(where) // else not beside others either
                    && (beside.isEmpty()
                            || cache.holdsBeside(pods(beside), where.name(), () -> requirements.fits(where)));
        }

        @Override
        public boolean fitsWith(int member, int node, Map<Integer, Integer> others) {
            SchedulableNode where = nodes.get(node);
            PodRequirements requirements = among(member, others);
            List<Integer> beside = others.entrySet().stream()
                    .filter(other -> other.getValue() == node)
                    .map(Map.Entry::getKey)
                    .toList();
            return cache.holdsBeside(pods(beside), where.name(), () -> requirements.fits(where));
        }

        /** The requirements of a member, for which the pods of all nodes are counted once, not for each node. */
        private PodRequirements among(int member, Map<Integer, Integer> others) {
            Among known = latest;
            if (known != null && known.member() == member && known.others().equals(others)) {
                return known.requirements();
            }
            Map<String, List<Pod>> byNode = new HashMap<>();
            others.forEach((other, its) -> byNode.computeIfAbsent(nodes.get(its).name(), ignored -> new ArrayList<>())
                    .add(ready.get(other).pod()));
            PodRequirements alone = ready.get(member).requirements();
            cache.holdsBeside(byNode, () -> {
                var found = new PodRequirements(alone.pod(), alone.podClaims(), cache);
                latest = new Among(member, Map.copyOf(others), found);
                return true;
            });
            return Objects.requireNonNull(latest).requirements();
        }

        private List<Pod> pods(List<Integer> members) {
            return members.stream().map(ready::get).map(Ready::pod).toList();
        }

        @Override
        public boolean admits(int node, List<Integer> members, Map<ClaimRef, Allocation> allocations) {
            return resources.admits(
                    nodes.get(node),
                    members.stream()
                            .map(ready::get)
                            .map(Ready::requirements)
                            .map(PodRequirements::asMember)
                            .toList(),
                    allocations);
        }
    }

    // --- what the search leads to

    private void submit(GangMembers.Gang gang, GangOutcome.Places places) {
        List<Ready> ready = gang.ready();
        List<BindingPlanner.Placed> placed = places.nodes().entrySet().stream()
                .map(entry -> placed(ready.get(entry.getKey()), entry.getValue(), places))
                .toList();
        List<Ready> left = IntStream.range(0, ready.size())
                .filter(member -> !places.nodes().containsKey(member))
                .mapToObj(ready::get)
                .toList();
        if (!left.isEmpty()) {
            cycle.refuse(items(left), gang.key(), refusals.notPlaced(gang, places, context -> problem(context, gang)));
        }
        placed.forEach(each -> cycle.await(each.item())); // pods without a plan have nothing to write yet
        planner.forGang(placed).forEach(inFlight::submit);
    }

    private BindingPlanner.Placed placed(Ready pod, String node, GangOutcome.Places places) {
        List<Claim> claims = cache.node(node).map(pod.requirements()::claims).orElse(List.of());
        return new BindingPlanner.Placed(
                pod.item(),
                pod.requirements(),
                new NodeSearch.Placement(
                        node,
                        claims.stream()
                                .map(claim -> Objects.requireNonNull(
                                        places.allocations().get(claim.ref())))
                                .toList()));
    }

    /** Releases what was written for pods that get no node now. */
    private void release(GangMembers.Gang gang) {
        boolean isNew = gang.bound().isEmpty();
        List<Pod> pods =
                isNew ? gang.waiting() : gang.ready().stream().map(Ready::pod).toList();
        releaser.releaseClaims(pods, isNew ? Optional.of(gang.group()) : Optional.empty());
    }
}
