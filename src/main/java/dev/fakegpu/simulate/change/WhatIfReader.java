package dev.fakegpu.simulate.change;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuProblems;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.QueuePosition.Waiting;
import dev.fakegpu.cluster.pending.Answer;
import dev.fakegpu.cluster.pending.Evidence;
import dev.fakegpu.cluster.pending.ExplainSettings;
import dev.fakegpu.cluster.pending.PendingExplainer;
import dev.fakegpu.cluster.pending.PodDemand;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.cluster.whatif.Attempt;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.cluster.whatif.WhatIf;
import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.simulate.memory.ObjectName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the results for pods and claims from a simulated copy of a cluster. Not thread-safe. */
final class WhatIfReader {

    /** The code for claims that are allocated only for a pod. */
    private static final String FOR_POD = EventReason.WaitForFirstConsumer.name();

    private static final Comparator<Pod> BY_PRIORITY = Comparator.comparing(
            pod -> Objects.requireNonNullElse(pod.getSpec().getPriority(), 0), Comparator.reverseOrder());

    private final ClusterObjects before;
    private final Changes changes;
    private final ChangedCopy copy;
    private final ChangedCopy unchanged;
    private final Deciders deciders;
    private final ClusterSnapshot snapshot;
    private final ExplainSettings explanations;
    private final PendingExplainer explainer;
    private final Set<Scheduler> asked = EnumSet.noneOf(Scheduler.class);
    private final List<ResourceClaim> forPods = new ArrayList<>();

    WhatIfReader(
            ClusterObjects before,
            Changes changes,
            ChangedCopy copy,
            ChangedCopy unchanged,
            ExplainSettings explanations,
            Deciders deciders) {
        this.before = before;
        this.changes = changes;
        this.copy = copy;
        this.unchanged = unchanged;
        this.deciders = deciders;
        snapshot = new ClusterSnapshot(copy.after());
        this.explanations = explanations;
        explainer = new PendingExplainer(snapshot, explanations);
    }

    WhatIf whatIf() {
        var tried = new ArrayList<Attempt>();
        Map<String, Attempt.Why> pods = triedPods();
        copy.pods().stream()
                .filter(pod -> pods.containsKey(key(pod)))
                .sorted(Comparator.comparing((Pod pod) -> pods.get(key(pod)) == Attempt.Why.EVICTED)
                        .thenComparing(BY_PRIORITY))
                .forEach(pod -> tried.add(attempt(pod, Objects.requireNonNull(pods.get(key(pod))))));
        List<Attempt> lost = LostPods.of(before, copy, unchanged, pods);
        lost.stream().filter(each -> each.why() != Attempt.Why.RUNNING).forEach(tried::add);
        List<ResourceClaim> claims = triedClaims();
        claims.forEach(claim -> tried.add(attempt(claim, Attempt.Why.NEW)));
        copy.simulation().forbidden().entrySet().stream()
                .filter(each -> !unchanged.simulation().forbidden().containsKey(each.getKey()))
                .map(each -> forbidden(each.getKey())
                        .forbidden(each.getValue().by(), each.getValue().sentence()))
                .forEach(tried::add);
        var refused = new ArrayList<Attempt>();
        var helped = new ArrayList<Attempt>();
        ClusterObjects without = unchanged.after();
        for (Pod pod : waitingBefore(pods.keySet())) {
            boolean wasPlaced = without.pod(
                            pod.getMetadata().getNamespace(), pod.getMetadata().getName())
                    .filter(known -> Placements.isPlaced(known, without))
                    .isPresent();
            if (wasPlaced != Placements.isPlaced(pod, snapshot.objects())) {
                (wasPlaced ? refused : helped).add(attempt(pod, Attempt.Why.PENDING));
            }
        }
        claims(claim -> !claims.contains(claim) && isAlone(claim, without) && !Allocations.isAllocated(claim))
                .forEach(claim -> refused.add(attempt(claim, Attempt.Why.PENDING)));
        claims(claim -> !claims.contains(claim) && isAlone(claim, snapshot.objects()) && !isAllocated(claim, without))
                .forEach(claim -> helped.add(attempt(claim, Attempt.Why.PENDING)));
        return new WhatIf(
                tried,
                refused,
                helped,
                lost.stream().filter(each -> each.why() == Attempt.Why.RUNNING).toList(),
                asked.stream().map(deciders::of).toList(),
                notes(),
                without,
                snapshot.objects().with(forPods));
    }

    private static Attempt.Subject forbidden(ObjectName name) {
        return new Attempt.Subject(
                name.kind().equals("Pod") ? "pod" : "claim", name.namespace(), name.name(), Attempt.Why.NEW);
    }

    // --- the subjects

    /** The pods that were tried, by namespace and name. */
    private Map<String, Attempt.Why> triedPods() {
        var tried = new LinkedHashMap<String, Attempt.Why>();
        Set<String> known =
                before.pods().stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
        copy.pods().stream()
                .filter(pod -> !known.contains(pod.getMetadata().getUid()))
                .forEach(pod -> tried.put(key(pod), Attempt.Why.NEW));
        applied("Pod").forEach(name -> tried.put(name, Attempt.Why.NEW));
        changes.evicted().forEach(pod -> tried.put(key(pod), Attempt.Why.EVICTED));
        changes.awaited().stream()
                .filter(Pod.class::isInstance)
                .forEach(pod -> tried.put(key(pod), Attempt.Why.PENDING));
        return tried;
    }

    /** The namespaces and names of the applied objects of a kind. */
    private Stream<String> applied(String kind) {
        return changes.applied().stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .map(object -> object.path("metadata"))
                .map(metadata -> metadata.path("namespace").asText("default") + "/"
                        + metadata.path("name").asText());
    }

    private static String key(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    /** The claims that were tried: those that are unused, and those that have devices without a pod. */
    private List<ResourceClaim> triedClaims() {
        var names = applied("ResourceClaim").collect(Collectors.toCollection(LinkedHashSet::new));
        changes.awaited().stream().filter(ResourceClaim.class::isInstance).forEach(claim -> names.add(key(claim)));
        Set<String> used = copy.pods().stream()
                .flatMap(pod -> PodClaims.names(pod).stream()
                        .map(name -> pod.getMetadata().getNamespace() + "/" + name))
                .collect(Collectors.toSet());
        return claims(claim ->
                names.contains(key(claim)) && (!used.contains(key(claim)) || isAlone(claim, snapshot.objects())));
    }

    private List<ResourceClaim> claims(Predicate<ResourceClaim> filter) {
        return copy.simulation().cluster().list(ResourceClaim.class).stream()
                .filter(filter)
                .toList();
    }

    /** The pods that were already waiting, in the order of their scheduler's queue. */
    private List<Pod> waitingBefore(Set<String> others) {
        return copy.pods().stream()
                .filter(pod -> !others.contains(key(pod)))
                .filter(pod -> before.pod(
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName())
                        .filter(this::isWaitingBefore)
                        .isPresent())
                .peek(pod -> asked.add(Scheduler.of(pod)))
                .sorted(Comparator.comparing(Waiting::of))
                .toList();
    }

    /** Whether a pod waited for a node, or on its node for devices. */
    private boolean isWaitingBefore(Pod pod) {
        return PodDemand.isPending(pod)
                ? pod.getSpec().getSchedulingGates().isEmpty()
                : UnreadableFields.isReadable(pod)
                        && pod.getMetadata().getDeletionTimestamp() == null
                        && !PodState.hasEnded(pod)
                        && !Placements.isPlaced(pod, before);
    }

    // --- their results

    private Attempt attempt(Pod pod, Attempt.Why why) {
        var metadata = pod.getMetadata();
        asked.add(Scheduler.of(pod));
        var subject = new Attempt.Subject("pod", metadata.getNamespace(), metadata.getName(), why);
        return Placements.isPlaced(pod, snapshot.objects())
                ? placed(subject, metadata.getUid())
                        .orElseGet(() -> subject.placed(pod.getSpec().getNodeName(), List.of(), 0))
                : refused(subject, explainer.pod(metadata.getNamespace(), metadata.getName()));
    }

    private Optional<Attempt> placed(Attempt.Subject subject, String uid) {
        return copy.placements().of(uid).map(placement -> placed(subject, placement));
    }

    private static Attempt placed(Attempt.Subject subject, Placements.Placement placement) {
        return subject.placed(placement.node(), placement.devices(), placement.otherNodes());
    }

    /** A refusal, with the pods that would have to be evicted, if any. */
    private static Attempt refused(Attempt.Subject subject, Answer answer) {
        return answer.evidence().map(Evidence::ways).orElse(List.of()).stream()
                .filter(way -> !way.preempts().isEmpty())
                .findFirst()
                .map(way -> subject.refused(answer.code(), answer.text() + "; " + way.onItsNodes(), way.preempts()))
                .orElseGet(() -> subject.refused(answer.code(), answer.text()));
    }

    /** Whether a claim has devices that no pod uses. */
    private static boolean isAlone(ResourceClaim claim, ClusterObjects cluster) {
        return in(cluster, claim)
                .filter(known -> Allocations.isAllocated(known)
                        && known.getStatus().getReservedFor().isEmpty())
                .isPresent();
    }

    private static boolean isAllocated(ResourceClaim claim, ClusterObjects cluster) {
        return in(cluster, claim).filter(Allocations::isAllocated).isPresent();
    }

    private static Optional<ResourceClaim> in(ClusterObjects cluster, ResourceClaim claim) {
        return cluster.claim(
                claim.getMetadata().getNamespace(), claim.getMetadata().getName());
    }

    private Attempt attempt(ResourceClaim claim, Attempt.Why why) {
        var metadata = claim.getMetadata();
        var subject = new Attempt.Subject("claim", metadata.getNamespace(), metadata.getName(), why);
        return placed(subject, metadata.getUid()).orElseGet(() -> {
            Answer answer = explainer.claim(metadata.getNamespace(), metadata.getName());
            return answer.code().equals(FOR_POD) ? asIfForPod(subject, claim).ifUsed() : refused(subject, answer);
        });
    }

    /** The placement as if a pod used the claim, since it is not allocated before. */
    private Attempt asIfForPod(Attempt.Subject subject, ResourceClaim claim) {
        Optional<Placements.ForPod> found = copy.placements().forPod(claim, forPods);
        found.ifPresent(each -> forPods.add(each.claim()));
        return found.map(each -> placed(subject, each.placement())).orElseGet(() -> refusedForPod(subject, claim));
    }

    /** The refusal of a claim. Claims that were placed before it hold their devices. */
    private Attempt refusedForPod(Attempt.Subject subject, ResourceClaim claim) {
        var holders = new ClusterSnapshot(copy.after().with(forPods));
        Answer answer = new PendingExplainer(holders, explanations)
                .claim(claim.getMetadata().getNamespace(), claim.getMetadata().getName());
        return answer.evidence()
                .flatMap(Evidence::explanation)
                .map(explanation -> refused(subject, explanation))
                .orElseGet(() -> refused(subject, answer));
    }

    private Attempt refused(Attempt.Subject subject, Explanation explanation) {
        return subject.refused(
                explanation.reason().name(),
                explanation.sentence(NameScope.all().in(subject.namespace()).with(snapshot.users())));
    }

    // --- notes

    private List<String> notes() {
        Set<String> names = applied("FakeGpu").collect(Collectors.toSet());
        Stream<FakeGpu> fakeGpus = snapshot.objects().fakeGpus().stream()
                .filter(fakeGpu ->
                        names.contains("default/" + fakeGpu.getMetadata().getName()));
        return Stream.of(
                        Stream.concat(changes.removed().stream(), changes.evicted().stream())
                                .flatMap(this::keptClaims),
                        copy.unknownPriorities(),
                        copy.simulation().updates().stream(),
                        copy.simulation().assumptions().stream(),
                        fakeGpus.flatMap(WhatIfReader::notes))
                .flatMap(notes -> notes)
                .toList();
    }

    /** Notes about claims of a pod that keep their devices when it is deleted, since they are reserved for objects other than pods. */
    private Stream<String> keptClaims(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        return PodClaims.names(pod).stream()
                .flatMap(name -> snapshot.objects().claim(namespace, name).stream())
                .filter(claim -> Allocations.isAllocated(claim)
                        && !ClaimConsumers.others(claim).isEmpty())
                .map(claim -> "claim %s keeps its devices without pod %s: it is still reserved for %s"
                        .formatted(key(claim), key(pod), ClaimConsumer.text(ClaimConsumers.others(claim))));
    }

    private static Stream<String> notes(FakeGpu fakeGpu) {
        Stream<String> pending = fakeGpu.getStatus() == null
                ? Stream.of()
                : fakeGpu.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals("ChangesPending")
                                && condition.getStatus().equals("True"))
                        .map(condition -> "FakeGpu \"%s\": %s"
                                .formatted(fakeGpu.getMetadata().getName(), condition.getMessage()));
        return Stream.concat(FakeGpuProblems.of(fakeGpu).stream(), pending);
    }
}
