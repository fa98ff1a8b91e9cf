package dev.fakegpu.cluster.pending;

import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.explain.finding.ClaimUse;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Explains claims. */
final class ClaimExplainer {

    private final ExplainedCluster cluster;
    private final PodExplainer pods;
    private final DeviceExplainer devices;

    ClaimExplainer(ExplainedCluster cluster, PodExplainer pods) {
        this.cluster = cluster;
        this.pods = pods;
        devices = new DeviceExplainer(cluster);
    }

    Answer explain(ResourceClaim claim) {
        Subject subject = Subject.of(claim);
        if (claim.getMetadata().getDeletionTimestamp() != null) {
            return Answer.of(subject, State.OVER, Code.BeingDeleted, ClaimProblems.beingDeleted(claim))
                    .withFacts(AllocatedDeviceText.of(claim));
        }
        if (Allocations.isAllocated(claim)) {
            return allocated(claim, subject);
        }
        Optional<String> unreadable = UnreadableFields.of(claim);
        if (unreadable.isPresent()) {
            return Answer.pending(subject, Code.Unreadable, unreadable.get());
        }
        List<Pod> users = pendingUsers(claim);
        if (users.isEmpty()) {
            return withoutPod(claim, subject);
        }
        Pod first = users.get(0);
        return pods.explain(first)
                .about(
                        subject,
                        "it is allocated when %s is scheduled: "
                                .formatted(
                                        users.size() == 1
                                                ? "pod \"" + first.getMetadata().getName() + '"'
                                                : "one of its " + users.size() + " pods, such as \""
                                                        + first.getMetadata().getName() + '"'));
    }

    private Answer allocated(ResourceClaim claim, Subject subject) {
        List<String> held = AllocatedDeviceText.of(claim);
        ClaimUse use = cluster.snapshot().users().of(ClaimReader.ref(claim));
        List<String> consumers = Stream.concat(
                        ClaimConsumers.pods(claim).map(pod -> "pod \"" + pod.getName() + '"'),
                        ClaimConsumers.others(claim).stream().map(ClaimConsumer::toString))
                .toList();
        Answer served = Answer.of(
                subject,
                State.SERVED,
                Code.Allocated,
                "it has %s%s, %s"
                                .formatted(
                                        held.size() == 1 ? "1 device" : held.size() + " devices",
                                        AllocatedDeviceText.since(claim),
                                        consumers.isEmpty()
                                                ? "and no pod uses it"
                                                : "used by " + String.join(", ", consumers)
                                                        + (use.ending() == null ? "" : ", " + use.ending()))
                        + gone(claim));
        return cluster.unhealthy(List.of(claim))
                .map(text -> Answer.unhealthy(subject, text + "; " + served.sentence()))
                .orElse(served)
                .withFacts(held);
    }

    private String gone(ResourceClaim claim) {
        return cluster.sees(ObjectKind.NODES)
                ? ClaimProblems.goneNode(claim, cluster.snapshot().nodes())
                        .map(node -> "; its node " + node + " does not exist")
                        .orElse("")
                : "";
    }

    /** The pods that name the claim. */
    private Stream<Pod> pods(ResourceClaim claim) {
        return cluster.snapshot().objects().pods().stream()
                .filter(pod -> claim.getMetadata()
                        .getNamespace()
                        .equals(pod.getMetadata().getNamespace()))
                .filter(pod -> PodClaims.names(pod).contains(claim.getMetadata().getName()));
    }

    private List<Pod> pendingUsers(ResourceClaim claim) {
        return pods(claim)
                .filter(pod -> !PodState.hasEnded(pod) && pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    // --- claims that no pod uses

    private Answer withoutPod(ResourceClaim claim, Subject subject) {
        if (!cluster.seesDevices()) {
            return Answer.pending(
                    subject,
                    Code.NotVisible,
                    "no pod uses it, and your rights do not show which devices could serve it");
        }
        Claim read = ClaimReader.read(claim);
        boolean isOfCompanion = isLabelled(claim);
        if (isOfCompanion) {
            Optional<Pod> ended = pods(claim)
                    .filter(pod -> PodGroup.nameFor(pod).isEmpty()
                            || cluster.snapshot().objects().podGroup(pod).isPresent())
                    .filter(pod -> ClaimProblems.releasedClaims(
                                    pod, cluster.snapshot().objects().podGroup(pod))
                            .anyMatch(claim.getMetadata().getName()::equals))
                    .min(Comparator.comparing(pod -> pod.getMetadata().getName()));
            if (ended.isPresent()) {
                return Answer.pending(
                        subject, EventText.claimsUnavailable(List.of(ClaimProblems.wouldBeReleased(ended.get()))));
            }
            Optional<EventText> wrong = cluster.reasons(Scheduler.COMPANION).ofLabelledClaim(read);
            return wrong.map(text -> Answer.pending(subject, text))
                    .orElseGet(() -> ofDevices(subject, read, Scheduler.COMPANION));
        }
        Optional<EventText> needsLabel =
                cluster.reasons(Scheduler.KUBE_SCHEDULER).ofUnusedClaim(read);
        Answer answer =
                ofDevices(subject, read, needsLabel.isPresent() ? Scheduler.COMPANION : Scheduler.KUBE_SCHEDULER);
        EventText waiting = needsLabel.orElseGet(EventText::noConsumer);
        return new Answer(
                subject,
                State.PENDING,
                waiting.code(),
                waiting.full(),
                Stream.concat(Stream.of("with a pod: " + answer.sentence()), answer.facts().stream())
                        .toList(),
                "",
                answer.evidence());
    }

    private Answer ofDevices(Subject subject, Claim claim, Scheduler scheduler) {
        var unfit = new TreeMap<String, List<String>>();
        List<SchedulableNode> fitting = new ArrayList<>();
        cluster.nodes()
                .forEach(node -> NodeFit.problem(node.stored(), null)
                        .ifPresentOrElse(
                                problem -> unfit.computeIfAbsent(problem, ignored -> new ArrayList<>())
                                        .add(node.name()),
                                () -> fitting.add(node)));
        PendingReasons reasons = cluster.reasons(scheduler);
        Evidence evidence = devices.explain(scheduler, reasons, List.of(claim), fitting, unfitNodes(unfit));
        Explanation explanation = evidence.explanation().orElseThrow();
        String sentence = explanation.reason() != Reason.Allocatable
                ? explanation.sentence(cluster.names(subject.namespace()), Integer.MAX_VALUE)
                : cluster.sees(ObjectKind.CLAIMS)
                        ? "its devices are free: " + explanation.sentence()
                        : perhapsFree(explanation);
        return Answer.pending(subject, explanation.reason(), sentence)
                .with(evidence)
                .withFacts(explanation.reason().isLackOfDevices() ? cluster.fakeGpuProblems(scheduler) : List.of())
                .withFacts(cluster.unknownValues(List.of(claim)));
    }

    /** For readers who cannot see the claims in other namespaces. */
    static String perhapsFree(Explanation explanation) {
        return "its devices look free (" + explanation.sentence() + "), but claims that you may not list may hold them";
    }

    private static List<Evidence.UnfitNodes> unfitNodes(Map<String, List<String>> unfit) {
        return unfit.entrySet().stream()
                .map(entry -> new Evidence.UnfitNodes(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** A label on the claim overrides that of the namespace, whatever its value. */
    boolean isLabelled(ResourceClaim claim) {
        String own = SchedulableNode.labels(claim).get(Labels.ALLOCATE);
        return own != null
                ? own.equals("true")
                : cluster.snapshot().objects().namespaces().stream()
                        .filter(namespace -> namespace
                                .getMetadata()
                                .getName()
                                .equals(claim.getMetadata().getNamespace()))
                        .anyMatch(namespace ->
                                "true".equals(SchedulableNode.labels(namespace).get(Labels.ALLOCATE)));
    }
}
