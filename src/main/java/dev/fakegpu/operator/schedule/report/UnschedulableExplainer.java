package dev.fakegpu.operator.schedule.report;

import dev.fakegpu.api.FakeGpuProblems;
import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.cluster.fit.DeviceFootprint;
import dev.fakegpu.cluster.fit.GangClaims;
import dev.fakegpu.cluster.fit.NodeCandidates;
import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.OtherNodes;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.QueuePosition.Waiting;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.pending.EventText;
import dev.fakegpu.cluster.pending.MissingDevices;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.gang.GangProblem;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.bind.CompanionMessages;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.queue.EquivalenceClass;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.Unschedulable;
import dev.fakegpu.operator.schedule.search.ExplanationTurn;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.PodRequirements;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Computes why a pod or claim is unschedulable: which devices are missing, or, in the words of kube-scheduler, why no node fits.
 * Not thread-safe.
 */
public final class UnschedulableExplainer {

    /** The length in characters reserved for the items before a pod; only very long names need more. */
    private static final int QUEUE_CLAUSE = 200;

    private final SchedulerCache cache;
    private final CompanionScope scope;
    private final NodeSearch nodeSearch;
    private final ClaimNaming naming;

    public UnschedulableExplainer(
            SchedulerCache cache, CompanionScope scope, NodeSearch nodeSearch, ClaimNaming naming) {
        this.cache = cache;
        this.scope = scope;
        this.nodeSearch = nodeSearch;
        this.naming = naming;
    }

    /** A text in the version for each reader. */
    private record Explained(
            Function<ScopedText, PendingReason> reason, Function<NameScope, String> text, boolean hasRelease) {

        static Explained of(Explanation explanation, Function<NameScope, String> text) {
            return new Explained(
                    scoped -> PendingReason.devices(explanation.reason(), scoped), text, explanation.hasRelease());
        }

        static Explained error(Explanation explanation, Function<NameScope, String> text) {
            return new Explained(scoped -> PendingReason.error(explanation.reason(), scoped), text, false);
        }

        static Explained noNodeFits(Function<NameScope, String> text) {
            return new Explained(PendingReason::noNodeFits, text, false);
        }

        Unschedulable to(NameScope reader) {
            return new Unschedulable(reason.apply(ScopedText.of(reader, text)), hasRelease);
        }
    }

    /** The text for one member of an equivalence class, with the items before it. */
    PendingReason of(QueueItem item, EquivalenceClass equivalenceClass, Unschedulable why) {
        return equivalenceClass
                .position(item, this::waiting)
                .filter(position -> why.hasRelease())
                .map(position -> why.reason()
                        .append(ScopedText.of(
                                naming.forReaderIn(item.namespace()),
                                reader -> position.clause(waiting(item), reader))))
                .orElse(why.reason());
    }

    private Waiting waiting(QueueItem item) {
        return item.waiting(
                item.kind() == QueueItem.Kind.POD
                        ? scope.pendingPod(item).map(PodClaims::names).orElse(List.of())
                        : List.of());
    }

    /** @see NodeSearch#turn */
    public ExplanationTurn turn(int before, BooleanSupplier othersWait) {
        return nodeSearch.turn(before, othersWait);
    }

    /**
     * Returns empty if the pod or claim is no longer pending.
     *
     * @param turn the result is meaningless if the turn is over at the end
     */
    public Optional<Unschedulable> explain(QueueItem item, ExplanationTurn turn) {
        cache.nominations().decideAbout(item.uid(), item.priority());
        NameScope reader = reader(item);
        return switch (item.kind()) {
            case POD -> scope.pendingPod(item).map(pod -> explain(pod, turn).to(reader));
            case CLAIM ->
                scope.pendingClaim(item).map(claim -> explain(claim, turn).to(reader));
        };
    }

    /**
     * A clause with what would make a gang fit; empty if that is not known.
     *
     * @param pod a pod of the gang
     * @param members all pods of the gang
     */
    public Optional<ScopedText> wayOutOfGang(
            QueueItem pod, List<Pod> members, Function<AllocationContext, GangProblem> problem) {
        return nodeSearch
                .wayOutOfGang(problem, GangClaims.of(members, scope::claims))
                .map(clause -> ScopedText.of(reader(pod), clause));
    }

    private NameScope reader(QueueItem item) {
        return naming.forReaderIn(item.namespace()).with(scope.users().or(cache::assumedUse));
    }

    private Explained explain(ResourceClaim claim, ExplanationTurn turn) {
        var nodes = cache.nodes().stream()
                .filter(node -> NodeFit.problem(node.stored(), null).isEmpty())
                .toList();
        List<Claim> claims = List.of(ClaimReader.read(claim));
        var explanation = nodeSearch.explain(nodes, node -> claims, turn);
        List<String> problems = problems(explanation, claims, nodes);
        return Explained.of(explanation, reader -> EventText.joined(explanation.sentence(reader), problems));
    }

    private Explained explain(Pod pod, ExplanationTurn turn) {
        var requirements = new PodRequirements(pod, scope.claims(pod), cache);
        Set<ClaimRef> ofGang = new GangClaims(cache::podGroup, scope::podsOfGroup, scope::claims).of(pod);
        if (PodState.isBound(pod)) {
            String name = pod.getSpec().getNodeName();
            return cache.node(name)
                    .map(node -> nodeSearch.explain(List.of(node), requirements::claims, ofGang, turn))
                    .map(explanation -> Explained.of(
                            explanation, reader -> CompanionMessages.notOnItsNode(name, explanation.sentence(reader))))
                    .orElseGet(() -> Explained.noNodeFits(
                            reader -> CompanionMessages.notOnItsNode(name, CompanionMessages.noSuchNode())));
        }
        return explain(requirements, new NodeCandidates(cache.nodes(), requirements.fit()), ofGang, turn);
    }

    private Explained explain(
            PodRequirements requirements, NodeCandidates candidates, Set<ClaimRef> ofGang, ExplanationTurn turn) {
        if (candidates.fitting().isEmpty()) {
            return withoutNode(requirements, candidates, turn);
        }
        var explanation = nodeSearch.explain(candidates.fitting(), requirements::claims, ofGang, turn);
        if (explanation.reason() == Reason.Allocatable) {
            var withDevices = candidates.withDevices(node -> footprint(node, requirements, turn));
            if (withDevices.fitting().size() < candidates.fitting().size()) {
                return explain(requirements, withDevices, ofGang, turn);
            }
        }
        UnaryOperator<String> wording = requirements
                .extendedResourceClaim(candidates.fitting().get(0))
                .<UnaryOperator<String>>map(claim -> claim::inWordsOfPod)
                .orElse(UnaryOperator.identity());
        List<Claim> claims = requirements.claims(candidates.fitting().get(0));
        var missing = new MissingDevices(
                explanation,
                wording,
                problems(explanation, claims, candidates.fitting()),
                OtherNodes.of(explanation, candidates, cache.nodes(), node -> serves(node, requirements, turn)),
                explanation.isError() && cache.profile().reportsErrors());
        int length = Explanation.MAX_SENTENCE - (explanation.hasRelease() ? QUEUE_CLAUSE : 0);
        Function<NameScope, String> text = reader -> missing.sentence(reader, length);
        return missing.isRetried() ? Explained.error(explanation, text) : Explained.of(explanation, text);
    }

    private DeviceFootprint footprint(SchedulableNode node, PodRequirements requirements, ExplanationTurn turn) {
        return nodeSearch
                .find(node, requirements.claims(node), turn)
                .map(found -> requirements.footprint(node, found))
                .orElse(DeviceFootprint.NOTHING);
    }

    private boolean serves(NodeInfo node, PodRequirements requirements, ExplanationTurn turn) {
        return cache.node(node.name())
                .filter(each -> nodeSearch
                                .explain(List.of(each), requirements::claims, turn)
                                .reason()
                        == Reason.Allocatable)
                .isPresent();
    }

    /** Problems of the claims on any node take precedence over problems of these nodes. */
    private Explained withoutNode(PodRequirements requirements, NodeCandidates candidates, ExplanationTurn turn) {
        Optional<String> problem = ClaimProblems.elsewhere(
                        requirements.pod(), requirements.podClaims().claims(), cache.nodes(), requirements.fit())
                .or(() -> cache.extendedResources().unserved(requirements.fit().requests(), cache.nodes()));
        if (problem.isPresent()) {
            return Explained.noNodeFits(reader -> problem.get());
        }
        Explanation anywhere = nodeSearch.explainAnywhere(requirements.unallocated(), turn);
        if (anywhere.reason() != Reason.NoDevices) {
            return Explained.of(anywhere, anywhere::sentence);
        }
        String summary = cache.nodes().isEmpty()
                ? EventText.joined(candidates.noneFits(), cache.fakeGpuProblems())
                : candidates.noneFits();
        return Explained.noNodeFits(reader -> summary);
    }

    private List<String> problems(Explanation explanation, List<Claim> claims, List<SchedulableNode> nodes) {
        Stream<String> ofFakeGpus = fakeGpuProblems(explanation, claims, nodes).stream()
                .map(problem -> SafeText.of(problem, FakeGpuProblems.MAX_PHRASE));
        return Stream.concat(ofFakeGpus, cache.notConsidered().stream()).toList();
    }

    private List<String> fakeGpuProblems(Explanation explanation, List<Claim> claims, List<SchedulableNode> nodes) {
        if (!explanation.reason().isLackOfDevices()) {
            return List.of();
        }
        if (explanation.reason() == Reason.NoDevices) {
            return cache.fakeGpuProblems(); // The sentence itself names the problems of other FakeGpus.
        }
        SortedSet<String> others = cache.slices()
                .notManagedOn(nodes.stream().map(SchedulableNode::devices).toList(), nodeSearch.asked(claims));
        return others.isEmpty()
                ? cache.fakeGpuProblems()
                : Stream.concat(cache.fakeGpuProblems().stream(), Stream.of(EventText.notForTheCompanion(others)))
                        .toList();
    }
}
