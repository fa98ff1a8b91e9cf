package dev.fakegpu.cluster.pending;

import dev.fakegpu.api.FakeGpuProblems;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.OtherNodes;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.Explainer;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.util.SafeText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Determines why pods and claims are pending in a given state of the cluster. Pure. Not thread-safe. If a limit is reached before an
 * explanation has begun, all methods throw {@link EvaluationInterrupted}; an explanation that takes too long says so itself.
 */
public final class PendingReasons {

    private final State state;
    private final DeviceSources sources;
    private final SearchLimit limit;

    /**
     * The state of the cluster.
     *
     * @param samples slices as input for {@link DeviceSources}
     * @param slices the slices from which the pods' scheduler allocates, of any driver
     * @param allocatedDevices the allocated devices of all claims
     * @param options the scheduler's options
     * @param fakeGpuProblems why FakeGpus of the scheduler publish fewer devices than they could
     * @param pendingChanges what they publish once devices are released
     * @param others devices that another scheduler allocates
     * @param isGateKnown whether the gate in the options is known to be the scheduler's; otherwise it is a guess
     */
    public record State(
            Map<Optional<DeviceSource>, List<Slice>> samples,
            SliceIndex slices,
            Map<String, DeviceClass> classes,
            AllocatedDevices allocatedDevices,
            AllocatorOptions options,
            List<String> fakeGpuProblems,
            PendingChanges pendingChanges,
            OtherDevices others,
            boolean isGateKnown) {}

    private final Selectors selectors;
    private final Set<ClaimRef> kept;

    public PendingReasons(State state, Selectors selectors) {
        this(
                state,
                selectors,
                new DeviceSources(state.samples(), state.classes(), selectors),
                SearchLimit.none(),
                Set.of());
    }

    private PendingReasons(
            State state, Selectors selectors, DeviceSources sources, SearchLimit limit, Set<ClaimRef> kept) {
        this.state = state;
        this.selectors = selectors;
        this.sources = sources;
        this.limit = limit;
        this.kept = kept;
    }

    /** Returns these reasons with a limit, which starts when it is created. The knowledge about sources of devices is shared. */
    public PendingReasons within(SearchLimit newLimit) {
        return new PendingReasons(state, selectors, sources, newLimit, kept);
    }

    /** Returns these reasons for a pod of a gang, whose claims are not released for it. */
    public PendingReasons keeping(Set<ClaimRef> ofGang) {
        return new PendingReasons(state, selectors, sources, limit, ofGang);
    }

    /**
     * The event for a pod that kube-scheduler refused.
     *
     * @param claims the unallocated claims
     * @param nodes the nodes that fit the pod apart from devices
     * @param reader who reads the event
     * @param wording converts sentences about the claims to the pod's own terms
     * @param others what to say about the other nodes, some of which could perhaps serve the claims
     * @return empty if the claims request only devices that belong to no FakeGpu; if no device is missing, the text is true only for a pod
     *     that was refused for lack of devices
     */
    public Optional<EventText> ofKubeScheduler(
            List<Claim> claims,
            List<NodeInfo> nodes,
            NameScope reader,
            UnaryOperator<String> wording,
            BiFunction<Explanation, Predicate<NodeInfo>, OtherNodes> others,
            boolean isKubeScheduler) {
        if (!mayBeForFakeGpus(claims) || tolerateCompanionTaint(claims)) {
            return Optional.empty();
        }
        return companionAllocates(claims)
                .map(text -> text.map(wording))
                .or(() -> nodes.isEmpty()
                        ? withoutNode(claims).map(text -> text.map(wording))
                        : missing(claims, nodes, reader, wording, others, isKubeScheduler));
    }

    /** The event for a pod of kube-scheduler whose devices only the companion allocates. */
    public Optional<EventText> companionAllocates(List<Claim> claims) {
        SortedSet<String> elsewhere = onlyFakeGpusOf(AllocatorName.Companion, claims);
        return elsewhere.isEmpty() ? Optional.empty() : Optional.of(EventText.companionAllocates(elsewhere));
    }

    /**
     * The event for a pod of kube-scheduler that does not tolerate the taint of simulated nodes; empty if it needs devices of other nodes.
     */
    public Optional<EventText> ofSimulatedNodes(List<Claim> claims) {
        return onlyFakeGpusOf(AllocatorName.KubeScheduler, claims).isEmpty()
                ? Optional.empty()
                : Optional.of(EventText.simulatedNodesNotTolerated());
    }

    /** The event for a pod that no scheduler has tried yet; kube-scheduler may just be slow. */
    public Optional<EventText> ofUnattended(List<Claim> claims, String scheduler) {
        return !scheduler.equals(EventText.DEFAULT_SCHEDULER) && mayBeForFakeGpus(claims)
                ? Optional.of(EventText.noScheduler(scheduler))
                : Optional.empty();
    }

    /**
     * Whether a class of the claims selects devices of FakeGpus, or no devices at all. In the latter case, they may be intended, and the
     * class or the FakeGpu has a mistake.
     */
    private boolean mayBeForFakeGpus(List<Claim> claims) {
        boolean anyFakeGpu = !state.fakeGpuProblems().isEmpty()
                || state.samples().keySet().stream().anyMatch(Optional::isPresent);
        return anyFakeGpu
                && requests(claims).flatMap(PendingReasons::alternatives).anyMatch(this::mayBeForFakeGpus);
    }

    private boolean mayBeForFakeGpus(ExactRequest request) {
        if (!state.classes().containsKey(request.deviceClassName())) {
            // Other schedulers report this themselves, but not that a FakeGpu has the class.
            return !state.fakeGpuProblems().isEmpty();
        }
        Set<Optional<DeviceSource>> found = sources.ofClass(request, limit.interruptCheck());
        return found.isEmpty() || found.stream().anyMatch(Optional::isPresent);
    }

    /**
     * No node fits the pod, which other schedulers report; but if there are no devices for it either, that is the same problem or the next
     * one.
     */
    private Optional<EventText> withoutNode(List<Claim> claims) {
        boolean anyWithoutDevices = requests(claims)
                .anyMatch(request -> alternatives(request)
                        .allMatch(each ->
                                sources.ofClass(each, limit.interruptCheck()).isEmpty()));
        return anyWithoutDevices && !state.fakeGpuProblems().isEmpty()
                ? Optional.of(EventText.noNode(state.fakeGpuProblems()))
                : Optional.empty();
    }

    private Optional<EventText> missing(
            List<Claim> claims,
            List<NodeInfo> nodes,
            NameScope reader,
            UnaryOperator<String> wording,
            BiFunction<Explanation, Predicate<NodeInfo>, OtherNodes> others,
            boolean isKubeScheduler) {
        Explanation explanation = explain(claims, nodes);
        if (explanation.reason() == Reason.Allocatable) {
            return Optional.of(refusedAlthoughFree(claims, nodes, explanation).map(wording));
        }
        List<String> unpublished = explanation.reason().isLackOfDevices()
                ? state.fakeGpuProblems().stream()
                        .map(problem -> SafeText.of(problem, FakeGpuProblems.MAX_PHRASE))
                        .toList()
                : List.of();
        var missing = new MissingDevices(
                explanation,
                wording,
                unpublished,
                others.apply(explanation, node -> serves(node, claims)),
                explanation.isError() && isKubeScheduler);
        return Optional.of(EventText.devicesUnavailable(missing, reader));
    }

    /** Whether the claims could be allocated on a node now. */
    boolean serves(NodeInfo node, List<Claim> claims) {
        return explain(claims, List.of(node)).reason() == Reason.Allocatable;
    }

    /** Which devices of any driver are missing on nodes that otherwise fit. */
    public Explanation explain(List<Claim> claims, List<NodeInfo> nodes) {
        var context = new AllocationContext(
                state.slices(), state.classes(), state.allocatedDevices(), selectors, state.options());
        return new Explainer(context, limit, state.pendingChanges(), state.others())
                .keeping(kept)
                .explain(nodes, claims);
    }

    /** Devices for the claims on a node; empty if there are none. */
    Optional<List<Allocation>> find(List<Claim> claims, NodeInfo node) {
        var context = new AllocationContext(
                state.slices(), state.classes(), state.allocatedDevices(), selectors, state.options());
        return new Allocator(context).allocate(node, claims, limit) instanceof Outcome.Allocated found
                ? Optional.of(found.allocations())
                : Optional.empty();
    }

    /** The text for claims whose devices are free although kube-scheduler reports that it cannot allocate them. */
    EventText refusedAlthoughFree(List<Claim> claims, List<NodeInfo> nodes, Explanation free) {
        return !state.isGateKnown() && wouldLackIgnoredDevices(claims, nodes)
                ? EventText.gateMayBeOff(free)
                : EventText.notRetried(free);
    }

    /** Whether kube-scheduler could not allocate the claims if it ignored slices with groups. */
    private boolean wouldLackIgnoredDevices(List<Claim> claims, List<NodeInfo> nodes) {
        if (state.options().gate() != GroupsGate.ON) {
            return false;
        }
        var options = state.options().with(GroupsGate.OFF);
        var context = new AllocationContext(
                state.slices().with(options), state.classes(), state.allocatedDevices(), selectors, options);
        Explanation explanation = new Explainer(context, limit).explain(nodes, claims);
        return explanation.findings().stream()
                .flatMap(finding -> finding.pools().stream())
                .anyMatch(pool -> pool.reason() == Reason.GroupsIgnored);
    }

    /** The event for a pod of the companion, which itself reports which of its own devices are missing. */
    public Optional<EventText> ofCompanion(List<Claim> claims) {
        SortedSet<String> elsewhere = onlyFakeGpusOf(AllocatorName.KubeScheduler, claims);
        return elsewhere.isEmpty() ? ofNoFakeGpu(claims) : Optional.of(EventText.kubeSchedulerAllocates(elsewhere));
    }

    /** The event for a request for which there are devices, but only from other drivers. */
    private Optional<EventText> ofNoFakeGpu(List<Claim> claims) {
        SortedSet<String> classes = requests(claims)
                .filter(request -> alternatives(request)
                        .allMatch(
                                each -> sources.of(each, limit.interruptCheck()).equals(Set.of(Optional.empty()))))
                .flatMap(request -> alternatives(request).map(ExactRequest::deviceClassName))
                .collect(Collectors.toCollection(TreeSet::new));
        return classes.isEmpty() ? Optional.empty() : Optional.of(EventText.devicesOfOthers(classes));
    }

    /** The event for a claim that no pod uses and that the companion allocates without one. */
    public Optional<EventText> ofLabelledClaim(Claim claim) {
        SortedSet<String> elsewhere = onlyFakeGpusOf(AllocatorName.KubeScheduler, List.of(claim));
        return elsewhere.isEmpty() ? Optional.empty() : Optional.of(EventText.kubeSchedulerAllocatesForPods(elsewhere));
    }

    /** The event for a claim that no pod uses and that is not allocated without one. */
    public Optional<EventText> ofUnusedClaim(Claim claim) {
        boolean isOfCompanion = requests(List.of(claim))
                .flatMap(PendingReasons::alternatives)
                .anyMatch(request ->
                        sources.of(request, limit.interruptCheck()).stream().anyMatch(PendingReasons::isOfCompanion));
        return isOfCompanion ? Optional.of(EventText.waitForFirstConsumer()) : Optional.empty();
    }

    /** The FakeGpus of an allocator whose devices are requested; requests that another allocator can satisfy are omitted. */
    private SortedSet<String> onlyFakeGpusOf(AllocatorName allocator, List<Claim> claims) {
        return requests(claims)
                .map(request -> alternatives(request)
                        .map(alternative -> fakeGpusOf(allocator, alternative))
                        .toList())
                .filter(alternatives -> alternatives.stream().allMatch(Optional::isPresent))
                .flatMap(alternatives -> alternatives.stream().flatMap(Optional::stream))
                .flatMap(SortedSet::stream)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The FakeGpus of an allocator with devices that the request selects; empty if another allocator also has such devices. */
    private Optional<SortedSet<String>> fakeGpusOf(AllocatorName allocator, ExactRequest request) {
        var names = new TreeSet<String>();
        for (Optional<DeviceSource> source : sources.of(request, limit.interruptCheck())) {
            if (source.isPresent() && source.get().allocator() == allocator) {
                names.add(source.get().fakeGpu());
            } else if (source.isPresent() || allocator == AllocatorName.Companion) {
                return Optional.empty();
            }
        }
        return Optional.of(names);
    }

    private static Stream<DeviceRequest> requests(List<Claim> claims) {
        return claims.stream().flatMap(claim -> claim.requests().stream());
    }

    private static Stream<ExactRequest> alternatives(DeviceRequest request) {
        return Stream.concat(Stream.ofNullable(request.exactly()), request.firstAvailable().stream());
    }

    private static boolean isOfCompanion(Optional<DeviceSource> source) {
        return source.filter(each -> each.allocator() == AllocatorName.Companion)
                .isPresent();
    }

    /** Whether claims deliberately request the companion's devices from another scheduler, although that is not safe. */
    public static boolean tolerateCompanionTaint(List<Claim> claims) {
        return requests(claims)
                .flatMap(PendingReasons::alternatives)
                .flatMap(request -> request.tolerations().stream())
                .anyMatch(toleration -> toleration.tolerates(Labels.COMPANION_TAINT));
    }
}
