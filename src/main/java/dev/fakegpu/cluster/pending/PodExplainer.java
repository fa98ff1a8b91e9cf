package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.NodeAdmission;
import dev.fakegpu.cluster.fit.NodeCandidates;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.QueuePosition;
import dev.fakegpu.cluster.fit.QueuePosition.Waiting;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class PodExplainer {

    /** Codes of obstacles that are found before the search for room for the pod or its gang. */
    private static final Set<String> BEFORE_ITS_PLACE = Stream.concat(
                    Stream.of(
                                    Code.Unreadable,
                                    Code.SchedulingGated,
                                    Code.PlacementNotSupported,
                                    Code.BindingFailed,
                                    Code.NotVisible)
                            .map(Code::name),
                    Stream.of(EventReason.ClaimsUnavailable, EventReason.NoScheduler, EventReason.WrongAllocator)
                            .map(EventReason::name))
            .collect(Collectors.toUnmodifiableSet());

    private final ExplainedCluster cluster;
    private final DeviceExplainer devices;
    private final QuotaFacts quotas;
    private final MissingClaims missing;
    private final TwiceFacts twice;
    private final GangFacts gangs;
    private final PreemptionFacts preemptions;
    private final Map<Object, Evidence> explained = new HashMap<>();

    PodExplainer(ExplainedCluster cluster) {
        this.cluster = cluster;
        devices = new DeviceExplainer(cluster);
        quotas = new QuotaFacts(cluster.snapshot().objects());
        missing = new MissingClaims(cluster.snapshot(), quotas);
        twice = new TwiceFacts(cluster.snapshot());
        gangs = new GangFacts(cluster);
        preemptions = new PreemptionFacts(cluster);
    }

    Answer explain(Pod pod) {
        Answer answer = answer(pod);
        if (answer.state() == State.OVER) {
            return answer;
        }
        Answer full = BEFORE_ITS_PLACE.contains(answer.code()) ? answer : preemptions.addedTo(answer, pod);
        return (PodState.isBound(pod) ? full : ofGang(pod, full))
                .withFacts(twice.of(pod))
                .withFacts(RequestFacts.of(pod, cluster.snapshot()));
    }

    /** If only nodes and devices are missing, the obstacle may be that of the pod's PodGroup. */
    private Answer ofGang(Pod pod, Answer answer) {
        return gangs.of(pod, this::answer)
                .map(said -> said.code()
                        .filter(code -> !BEFORE_ITS_PLACE.contains(answer.code()))
                        .map(code -> (code == Code.GangIncomplete ? answer.withoutEvidence() : answer)
                                .because(code, said.sentence()))
                        .orElseGet(() -> answer.withFacts(List.of(said.sentence()))))
                .orElse(answer);
    }

    private Answer answer(Pod pod) {
        Subject subject = Subject.of(pod);
        Optional<String> unreadable = UnreadableFields.of(pod);
        if (unreadable.isPresent()) {
            return Answer.pending(subject, Code.Unreadable, unreadable.get());
        }
        if (pod.getMetadata().getDeletionTimestamp() != null || PodState.hasEnded(pod)) {
            return over(pod, subject);
        }
        if (!PodClaims.names(pod).isEmpty() && !mayListClaims(pod)) {
            return withUnseenClaims(pod, subject);
        }
        PodClaims claims = cluster.snapshot().podClaims(pod);
        if (PodState.isBound(pod)) {
            return BoundPods.isComplete(claims)
                    ? BoundPods.explain(pod, claims.claims(), cluster)
                    : waitsOnItsNode(pod, subject);
        }
        return PodState.gated(pod)
                .map(why -> Answer.pending(subject, Code.SchedulingGated, why))
                .orElseGet(() -> waits(pod, subject, claims));
    }

    private static Answer over(Pod pod, Subject subject) {
        Optional<Answer> rejected = NodeAdmission.rejection(pod)
                .map(why -> Answer.of(subject, State.OVER, Code.Rejected, why.sentence(pod)));
        if (rejected.isPresent() || PodState.hasEnded(pod)) {
            return rejected.orElseGet(() -> Answer.of(
                    subject,
                    State.OVER,
                    Code.Ended,
                    "it has ended: " + pod.getStatus().getPhase()));
        }
        return Answer.of(
                subject,
                State.OVER,
                Code.BeingDeleted,
                "it is being deleted since " + pod.getMetadata().getDeletionTimestamp()
                        + finalizers(pod.getMetadata().getFinalizers()));
    }

    private static String finalizers(List<String> finalizers) {
        return finalizers.isEmpty() ? "" : ", which waits for finalizers: " + String.join(", ", finalizers);
    }

    private boolean mayListClaims(Pod pod) {
        return cluster.snapshot()
                .objects()
                .isComplete(ObjectKind.CLAIMS, pod.getMetadata().getNamespace());
    }

    /** Its claims must be allocated, since schedulers bind only such pods. */
    private static Answer withUnseenClaims(Pod pod, Subject subject) {
        return PodState.isBound(pod)
                ? Answer.of(
                        subject,
                        State.SERVED,
                        Code.Bound,
                        "it is on node %s; your rights do not show which devices it has"
                                .formatted(pod.getSpec().getNodeName()))
                : SchedulerFacts.withItsWords(
                        pod,
                        Answer.pending(
                                subject,
                                Code.NotVisible,
                                "your rights do not show whether its claims exist and are allocated"));
    }

    // --- pods with a node

    private Answer waitsOnItsNode(Pod pod, Subject subject) {
        String name = pod.getSpec().getNodeName();
        PodDemand demand = cluster.demand(pod);
        List<SchedulableNode> node = cluster.snapshot().nodes().stream()
                .filter(each -> each.name().equals(name))
                .toList();
        if (node.isEmpty() && cluster.sees(ObjectKind.NODES)) {
            return Answer.pending(subject, Code.NodeGone, onItsNode(name) + "there is no such node");
        }
        return problem(subject, demand, node)
                .map(answer -> missing.known(pod, answer))
                .or(() -> BoundPods.withoutScheduler(pod, cluster.snapshot().podClaims(pod)))
                .orElseGet(() -> cluster.seesDevices()
                        ? ofDevices(pod, subject, demand, demand.itsNode(node), List.of())
                                .about(subject, onItsNode(name))
                        : SchedulerFacts.notVisible(pod, subject));
    }

    private static String onItsNode(String name) {
        return "on node " + name + ", where the pod is already: ";
    }

    // --- pods without a node

    private Answer waits(Pod pod, Subject subject, PodClaims claims) {
        PodDemand demand = cluster.demand(pod);
        Optional<Answer> problem = PlacementFacts.refusal(pod, cluster.snapshot())
                .map(text -> Answer.pending(subject, Code.PlacementNotSupported, text))
                .or(() -> problem(subject, demand, cluster.snapshot().nodes()));
        if (problem.isPresent()) {
            return missing.known(pod, SchedulerFacts.withItsWords(pod, problem.get()));
        }
        if (!cluster.seesDevices()) {
            return SchedulerFacts.notVisible(pod, subject);
        }
        List<Evidence.UnfitNodes> unfit = Evidence.UnfitNodes.of(demand.unfit(cluster.nodes()));
        NodeCandidates candidates = demand.candidates(cluster.nodes());
        List<SchedulableNode> fitting = candidates.fitting();
        Answer answer = fitting.isEmpty()
                ? noNode(pod, subject, demand, candidates, unfit)
                : !demand.anyDevices()
                        ? withoutRequests(pod, subject, claims, unfit)
                        : ofDevices(pod, subject, demand, candidates, unfit);
        return SchedulerFacts.isUnknown(pod)
                ? SchedulerFacts.withoutScheduler(pod, subject, answer)
                : SchedulerFacts.withItsWords(
                        pod,
                        answer.withFacts(missing.outOfDate(pod))
                                .withFacts(quotas.ofExtendedResources(demand.extendedResourceClaim(fitting)))
                                .withFacts(PlacementFacts.notExamined(pod)));
    }

    /** The problem of the pod's claims and extended resources, regardless of free devices. */
    private Optional<Answer> problem(Subject subject, PodDemand demand, List<SchedulableNode> nodes) {
        Optional<EventText> problem = cluster.sees(ObjectKind.NODES) && cluster.sees(ObjectKind.CLASSES)
                ? demand.anyProblem(nodes)
                : demand.claimProblem();
        return problem.map(text -> Answer.pending(subject, text));
    }

    private Answer noNode(
            Pod pod, Subject subject, PodDemand demand, NodeCandidates candidates, List<Evidence.UnfitNodes> unfit) {
        Explanation anywhere = cluster.reasons(Scheduler.of(pod)).explain(demand.claims(List.of()), List.of());
        return anywhere.reason() == Reason.NoDevices
                ? noNodeFits(pod, subject, demand, candidates, unfit)
                : Answer.pending(
                                subject,
                                anywhere.reason(),
                                demand.wording(List.of())
                                        .apply(anywhere.sentence(
                                                cluster.names(subject.namespace()), Integer.MAX_VALUE)))
                        .with(Evidence.withoutDevices(unfit, cluster.assumptions(Scheduler.of(pod))));
    }

    private Answer noNodeFits(
            Pod pod, Subject subject, PodDemand demand, NodeCandidates candidates, List<Evidence.UnfitNodes> unfit) {
        Scheduler scheduler = Scheduler.of(pod);
        List<String> unpublished = cluster.fakeGpuProblems(scheduler);
        boolean anyNode = !cluster.snapshot().nodes().isEmpty();
        String sentence = simulatedNodes(scheduler, demand)
                .orElseGet(() -> EventText.joined(candidates.noneFits(), anyNode ? List.of() : unpublished));
        return Answer.pending(subject, Code.NoNodeFits, sentence)
                .with(Evidence.withoutDevices(unfit, cluster.assumptions(scheduler)))
                .withFacts(wrongAllocator(scheduler, demand.claims(cluster.nodes())).map(EventText::full).stream()
                        .toList())
                .withFacts(cluster.unknownLabels(pod))
                .withFacts(anyNode ? unpublished : List.of());
    }

    private Optional<String> simulatedNodes(Scheduler scheduler, PodDemand demand) {
        return scheduler == Scheduler.KUBE_SCHEDULER && demand.isKeptOffSimulatedNodes(cluster.nodes())
                ? cluster.reasons(scheduler)
                        .ofSimulatedNodes(demand.claims(List.of()))
                        .map(EventText::full)
                : Optional.empty();
    }

    Optional<String> simulatedNodes(Pod pod) {
        return simulatedNodes(Scheduler.of(pod), cluster.demand(pod));
    }

    /** Explains that another scheduler than the pod's own allocates the requested devices. */
    private Optional<EventText> wrongAllocator(Scheduler scheduler, List<Claim> claims) {
        if (!cluster.seesDevices() || wantsAllDevices(scheduler, claims)) {
            return Optional.empty();
        }
        PendingReasons reasons = cluster.reasons(scheduler);
        return scheduler == Scheduler.COMPANION ? reasons.ofCompanion(claims) : reasons.companionAllocates(claims);
    }

    Optional<Answer> wrongAllocator(Pod pod) {
        PodDemand demand = cluster.demand(pod);
        return wrongAllocator(Scheduler.of(pod), demand.claims(demand.fitting(cluster.nodes())))
                .map(text -> Answer.pending(Subject.of(pod), text));
    }

    private static boolean wantsAllDevices(Scheduler scheduler, List<Claim> claims) {
        return scheduler == Scheduler.KUBE_SCHEDULER && PendingReasons.tolerateCompanionTaint(claims);
    }

    private Answer withoutRequests(Pod pod, Subject subject, PodClaims claims, List<Evidence.UnfitNodes> unfit) {
        Answer answer = claims.claims().isEmpty()
                ? Answer.pending(
                        subject, Code.NoDevicesRequested, "it requests no devices, so it waits for something else")
                : BindingFacts.of(subject, claims.claims());
        return answer.with(Evidence.withoutDevices(unfit, cluster.assumptions(Scheduler.of(pod))));
    }

    private Answer ofDevices(
            Pod pod, Subject subject, PodDemand demand, NodeCandidates candidates, List<Evidence.UnfitNodes> unfit) {
        Scheduler scheduler = Scheduler.of(pod);
        List<SchedulableNode> nodes = candidates.fitting();
        List<Claim> claims = demand.claims(nodes);
        Optional<EventText> wrong = wrongAllocator(scheduler, claims);
        if (wrong.isPresent()) {
            return Answer.pending(subject, wrong.get());
        }
        PendingReasons ofScheduler =
                wantsAllDevices(scheduler, claims) ? cluster.reasonsWithAllDevices() : cluster.reasons(scheduler);
        PendingReasons reasons = ofScheduler.keeping(gangs.claims().of(pod));
        Object alike = List.of(demand.key(), gangs.claims().gang(pod));
        Evidence evidence = likeOthers(
                        alike, claims, nodes, () -> devices.explain(scheduler, reasons, claims, nodes, unfit))
                .withRequests(demand.requestWords(nodes));
        Explanation explanation = evidence.explanation().orElseThrow();
        if (explanation.reason() == Reason.Allocatable) {
            return withDevices(pod, subject, new DeviceFootprints(demand, claims, reasons), candidates, unfit)
                    .orElseGet(
                            () -> free(pod, reasons, claims, nodes, explanation).with(evidence));
        }
        var missing = new MissingDevices(
                explanation,
                demand.wording(nodes),
                cluster.unpublished(scheduler, explanation, claims, nodes),
                demand.otherNodes(candidates, cluster.nodes(), explanation, node -> reasons.serves(node, claims)),
                explanation.isError() && SchedulerFacts.isKubeScheduler(pod));
        String sentence = missing.sentence(cluster.names(subject.namespace()), Integer.MAX_VALUE);
        return Answer.pending(subject, explanation.reason(), sentence)
                .with(evidence)
                .withFacts(cluster.unknownValues(claims))
                .behind(explanation.hasRelease() ? queue(pod, demand) : "");
    }

    /** The answer if nodes with devices have too little for what the devices take. */
    private Optional<Answer> withDevices(
            Pod pod,
            Subject subject,
            DeviceFootprints footprints,
            NodeCandidates candidates,
            List<Evidence.UnfitNodes> unfit) {
        boolean matters = cluster.snapshot().takesOfNodes() && !PodState.isBound(pod);
        List<Evidence.UnfitNodes> more = matters ? footprints.unfit(candidates.fitting()) : List.of();
        if (more.isEmpty()) {
            return Optional.empty();
        }
        List<Evidence.UnfitNodes> allUnfit = DeviceFootprints.joined(unfit, more);
        NodeCandidates left = footprints.among(candidates);
        return Optional.of(
                left.fitting().isEmpty()
                        ? Answer.pending(subject, Code.NoNodeFits, left.noneFits())
                                .with(Evidence.withoutDevices(allUnfit, cluster.assumptions(Scheduler.of(pod))))
                        : ofDevices(pod, subject, footprints.demand(), left, allUnfit));
    }

    /** Reuses evidence, since pods in a queue often have the same requests and so the same explanation. */
    private Evidence likeOthers(
            Object demand, List<Claim> claims, List<SchedulableNode> nodes, Supplier<Evidence> explain) {
        if (claims.size() != 1) {
            return explain.get();
        }
        Object key = List.of(demand, nodes.stream().map(SchedulableNode::name).toList());
        Evidence known = explained.get(key);
        if (known != null) {
            return known.about(claims.get(0).ref());
        }
        Evidence evidence = explain.get();
        boolean namesNoClaim =
                evidence.explanation().filter(each -> each.general() == null).isPresent();
        if (namesNoClaim) {
            explained.put(key, evidence);
        }
        return evidence;
    }

    private Answer free(
            Pod pod, PendingReasons reasons, List<Claim> claims, List<SchedulableNode> nodes, Explanation explanation) {
        Subject subject = Subject.of(pod);
        if (!cluster.sees(ObjectKind.CLAIMS)) {
            return Answer.pending(subject, Code.NotVisible, ClaimExplainer.perhapsFree(explanation));
        }
        Optional<SchedulerWords> said = SchedulerWords.of(pod);
        if (said.filter(SchedulerWords::areAboutBinding).isPresent()) {
            return Answer.pending(
                            subject, Code.BindingFailed, said.orElseThrow().reasons())
                    .withFacts(List.of("its devices are free again: " + explanation.sentence()));
        }
        // For other pods, the companion's words are the same as those of this explanation.
        Optional<SchedulerWords> refused = Scheduler.of(pod) == Scheduler.COMPANION ? Optional.empty() : said;
        if (refused.filter(words -> words.blameDevicesOn(nodes.size())).isPresent()) {
            EventText text = reasons.refusedAlthoughFree(claims, PodDemand.devices(nodes), explanation);
            return Answer.pending(subject, text);
        }
        return Answer.pending(
                subject,
                Reason.Allocatable,
                "its devices are free: %s; %s"
                        .formatted(
                                explanation.sentence(),
                                refused.map(words -> refusedFor(pod, words))
                                        .orElse("its scheduler has not allocated them yet")));
    }

    private static String refusedFor(Pod pod, SchedulerWords words) {
        return "%s refused it for: %s"
                .formatted(SchedulerFacts.isKubeScheduler(pod) ? "kube-scheduler" : "its scheduler", words.reasons());
    }

    private String queue(Pod pod, PodDemand demand) {
        Waiting self = Waiting.of(pod);
        return QueuePosition.of(self, cluster.waitingLike(demand).stream())
                .map(position ->
                        position.clause(self, cluster.names(self.namespace())).replaceFirst("^; ", ""))
                .orElse("");
    }
}
