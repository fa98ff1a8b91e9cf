package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.ClaimReservations;
import dev.fakegpu.cluster.fit.GangClaims;
import dev.fakegpu.cluster.fit.GangResources;
import dev.fakegpu.cluster.fit.GroupMembers;
import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.QueuePosition;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.fit.TopologyDomain;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.GangRemedyFinder;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.gang.GangOutcome;
import dev.fakegpu.engine.gang.GangProblem;
import dev.fakegpu.engine.gang.GangSearch;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Explains the PodGroup of a pod (KEP-4671): how many pods are needed and exist, and for how many of them there is room at once, with
 * devices for all their claims.
 */
final class GangFacts {

    /**
     * The allocator's search steps for all gangs together, because the dashboard explains every waiting pod in each of its pictures; as many
     * again for what would make them fit.
     */
    private static final long MAX_STEPS = 300_000;

    private static final int MAX_TRIES = 100_000;

    /** As the scheduler sorts them. */
    private static final Comparator<Pod> IN_ORDER = Comparator.comparing(QueuePosition.Waiting::of);

    private final ExplainedCluster cluster;
    private final Selectors selectors = Selectors.shared();
    private final NodeUsage usage;
    private final SearchLimit limit = SearchLimit.steps(MAX_STEPS);
    private final SearchLimit waysOut = SearchLimit.steps(MAX_STEPS);
    private final GangClaims claims;
    private final Map<List<String>, Optional<Said>> known = new HashMap<>();

    GangFacts(ExplainedCluster cluster) {
        this.cluster = cluster;
        usage = cluster.snapshot().usage();
        claims = new GangClaims(cluster.snapshot().objects()::podGroup, this::named, cluster.snapshot()::podClaims);
    }

    /** A pod of a gang without a node. */
    private record Waiting(Pod pod, PodDemand demand) {}

    /**
     * The explanation of a group.
     *
     * @param code the code of the obstacle; empty if there is none or it is unknown
     */
    record Said(Optional<Code> code, String sentence) {

        private static Said known(Code code, String sentence) {
            return new Said(Optional.of(code), sentence);
        }

        private static Said fact(String sentence) {
            return new Said(Optional.empty(), sentence);
        }
    }

    /**
     * The explanation for a pod without a node; empty if it belongs to no gang.
     *
     * @param alone why a pod would be waiting if it were not in a group
     */
    Optional<Said> of(Pod pod, Function<Pod, Answer> alone) {
        Optional<String> name = PodGroup.nameFor(pod);
        if (name.isEmpty()) {
            return Optional.empty();
        }
        if (!cluster.sees(ObjectKind.POD_GROUPS)) {
            return Optional.of(
                    Said.fact("it is not known whether PodGroup \"%s\" needs more pods at once: you may not list %s"
                            .formatted(name.get(), ObjectKind.POD_GROUPS.resource())));
        }
        return known.computeIfAbsent(
                List.of(
                        pod.getMetadata().getNamespace(),
                        name.get(),
                        String.valueOf(pod.getSpec().getSchedulerName())),
                ignored -> cluster.snapshot()
                        .objects()
                        .podGroup(pod)
                        .map(group -> said(group, pod, alone))
                        .orElseGet(
                                () -> Optional.of(Said.known(Code.GangIncomplete, GangText.doesNotExist(name.get())))));
    }

    /** The claims of the pods of gangs. */
    GangClaims claims() {
        return claims;
    }

    private Optional<Said> said(PodGroup group, Pod member, Function<Pod, Answer> alone) {
        if (group.isPartOfAnother()) {
            return Optional.of(Said.known(Code.PlacementNotSupported, new GangText(group, 0).isPartOfAnother()));
        }
        GroupMembers pods = GroupMembers.of(
                named(member.getMetadata().getNamespace(), group.getMetadata().getName()), member);
        List<Pod> members = pods.counted();
        List<Pod> bound = members.stream().filter(PodState::isBound).toList();
        var text = new GangText(group, bound.size());
        if (!group.isPlacedTogether() || bound.size() >= text.needed()) {
            return Optional.empty();
        }
        if (members.size() < text.needed()) {
            return Optional.of(Said.known(Code.GangIncomplete, text.tooFew(members.size(), pods.others())));
        }
        if (!cluster.seesDevices() || !cluster.sees(ObjectKind.CLAIMS)) {
            return Optional.of(Said.fact(text.atOnce()));
        }
        var ready = new ArrayList<Waiting>();
        Optional<NotReady> notReady = ready(group, members, ready);
        return Optional.of(
                bound.size() + ready.size() < text.needed()
                        ? Said.known(
                                Code.GangIncomplete,
                                notReady.map(pod -> text.notReady(pod.pod(), pod.why()))
                                        .orElseGet(text::atOnce))
                        : searched(text, Scheduler.of(member), bound, ready, alone));
    }

    /** All pods that name the group. */
    private List<Pod> named(String namespace, String group) {
        return cluster.snapshot().objects().pods().stream()
                .filter(pod -> pod.getMetadata().getNamespace().equals(namespace)
                        && PodGroup.nameFor(pod).filter(group::equals).isPresent())
                .toList();
    }

    /** A pod that cannot be placed, for a reason of its own. */
    private record NotReady(String pod, String why) {}

    /** Adds the pods without a node that nothing but nodes and devices stops; returns the first of those that something else stops. */
    private Optional<NotReady> ready(PodGroup group, List<Pod> members, List<Waiting> ready) {
        var reservations = new ClaimReservations();
        var notReady = new ArrayList<NotReady>();
        members.stream().filter(PodDemand::isPending).sorted(IN_ORDER).forEach(pod -> {
            PodClaims claims = cluster.snapshot().podClaims(pod);
            PodDemand demand = demand(pod, claims);
            PodState.gated(pod)
                    .or(() -> PlacementFacts.refusal(pod, cluster.snapshot()))
                    .or(() -> demand.claimProblem().map(EventText::full))
                    .or(() -> reservations.add(pod, claims.claims(), Optional.of(group)))
                    .ifPresentOrElse(
                            why -> notReady.add(new NotReady(pod.getMetadata().getName(), why)),
                            () -> ready.add(new Waiting(pod, demand)));
        });
        return notReady.stream().findFirst();
    }

    private PodDemand demand(Pod pod, PodClaims claims) {
        return new PodDemand(
                pod,
                claims,
                usage,
                cluster.snapshot().extendedResources(),
                cluster.snapshot().devices());
    }

    private Said searched(
            GangText text, Scheduler scheduler, List<Pod> bound, List<Waiting> waiting, Function<Pod, Answer> alone) {
        List<SchedulableNode> nodes = TopologyDomain.of(
                text.group().topologyKey(), bound, cluster.snapshot().nodes());
        GangProblem problem = problem(text, scheduler, nodes, waiting);
        GangOutcome outcome = GangSearch.place(problem, limit, MAX_TRIES);
        if (outcome instanceof GangOutcome.Placed placed) {
            return Said.fact(text.fits(placed.places(), waiting.size()));
        }
        if (outcome instanceof GangOutcome.NotPlaced not) {
            return Said.known(
                    Code.GangDoesNotFit,
                    text.fitsNot(
                            not.some(),
                            waiting.size(),
                            lack(not.some(), waiting, nodes, alone, () -> wayOut(problem, bound, waiting))));
        }
        return outcome instanceof GangOutcome.Failed failed
                ? Said.known(
                        Code.GangDoesNotFit,
                        fault(text, waiting.get(failed.member()).pod(), alone)
                                .orElseGet(() -> failed(text.notKnown(failed.message()), waiting)))
                : Said.fact(text.notKnown(((GangOutcome.Aborted) outcome).message()));
    }

    /** The mistake in the claims of a pod, unless it is one that kube-scheduler reports as an error. */
    private static Optional<String> fault(GangText text, Pod pod, Function<Pod, Answer> alone) {
        return Optional.of(alone.apply(pod))
                .filter(answer -> Reason.isFault(answer.code()))
                .filter(answer -> !SchedulerFacts.isKubeScheduler(pod)
                        || answer.evidence()
                                .flatMap(Evidence::explanation)
                                .filter(Explanation::isError)
                                .isEmpty())
                .map(answer -> text.notReady(answer.subject().name(), answer.sentence()));
    }

    private static String failed(String sentence, List<Waiting> waiting) {
        return SchedulerFacts.isKubeScheduler(waiting.get(0).pod()) ? EventText.retried(sentence) : sentence;
    }

    private GangProblem problem(
            GangText text, Scheduler scheduler, List<SchedulableNode> nodes, List<Waiting> waiting) {
        Set<ClaimRef> shared = GangResources.shared(
                waiting.stream().map(each -> each.demand().unallocated()).toList());
        List<GangProblem.Member> members = waiting.stream()
                .map(Waiting::demand)
                .map(demand -> new GangProblem.Member(demand.keyInGang(shared), node -> demand.claims(nodes.get(node))))
                .toList();
        return new GangProblem(
                cluster.snapshot().context(cluster.assumptions(scheduler), selectors),
                PodDemand.devices(nodes),
                members,
                text.needed() - text.bound(),
                text.group().topologyKey(),
                new WaitingFit(usage, nodes, waiting, new GangResources(usage::holdsBeside, shared)));
    }

    private record WaitingFit(
            NodeUsage usage, List<SchedulableNode> nodes, List<Waiting> waiting, GangResources resources)
            implements GangProblem.Fit {

        @Override
        public boolean fits(int member, int node, List<Integer> beside) {
            PodDemand demand = waiting.get(member).demand();
            return usage.holdsBeside(
                    beside.stream().map(waiting::get).map(Waiting::pod).toList(),
                    nodes.get(node).name(),
                    () -> !demand.fitting(List.of(nodes.get(node))).isEmpty());
        }

        @Override
        public boolean admits(int node, List<Integer> members, Map<ClaimRef, Allocation> allocations) {
            return resources.admits(
                    nodes.get(node),
                    members.stream()
                            .map(waiting::get)
                            .map(Waiting::demand)
                            .map(PodDemand::asMember)
                            .toList(),
                    allocations);
        }
    }

    /** What would make the gang fit. */
    private Optional<String> wayOut(GangProblem problem, List<Pod> bound, List<Waiting> waiting) {
        Set<ClaimRef> ofGang = GangClaims.of(
                Stream.concat(bound.stream(), waiting.stream().map(Waiting::pod))
                        .toList(),
                cluster.snapshot()::podClaims);
        String namespace = waiting.get(0).pod().getMetadata().getNamespace();
        return new GangRemedyFinder(problem, ofGang, cluster.pendingChanges(), waysOut)
                .wayOut()
                .map(clause -> clause.apply(cluster.names(namespace)));
    }

    /**
     * What the first pod without a place needs.
     *
     * @param wayOut what would make the gang fit
     */
    private static String lack(
            GangOutcome.Places places,
            List<Waiting> waiting,
            List<SchedulableNode> nodes,
            Function<Pod, Answer> alone,
            Supplier<Optional<String>> wayOut) {
        Waiting first = IntStream.range(0, waiting.size())
                .filter(member -> !places.nodes().containsKey(member))
                .mapToObj(waiting::get)
                .findFirst()
                .orElseThrow();
        List<SchedulableNode> fitting = first.demand().fitting(nodes);
        String name = first.pod().getMetadata().getName();
        if (places.nodes().isEmpty()) {
            Answer answer = alone.apply(first.pod());
            String why = GangText.alone(name, answer.sentence());
            Optional<String> change = fitting.isEmpty() ? Optional.empty() : wayOut.get();
            return fitting.isEmpty() || change.map(why::contains).orElse(!hasRelease(answer))
                    ? why
                    : with(change, GangText.lackOfAll(name, first.demand().claims(fitting)));
        }
        return fitting.isEmpty()
                ? GangText.alone(name, first.demand().candidates(nodes).noneFits())
                : with(wayOut.get(), GangText.lack(name, first.demand().claims(fitting)));
    }

    private static boolean hasRelease(Answer answer) {
        return answer.evidence()
                .flatMap(Evidence::explanation)
                .filter(Explanation::hasRelease)
                .isPresent();
    }

    private static String with(Optional<String> wayOut, String lack) {
        return lack + wayOut.map(change -> "; " + change).orElse("");
    }
}
