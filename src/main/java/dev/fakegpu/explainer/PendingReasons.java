package dev.fakegpu.explainer;

import dev.fakegpu.allocate.AllocatedDevices;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.allocate.SliceIndex;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.explain.Explainer;
import dev.fakegpu.explain.Explanation;
import dev.fakegpu.explain.Reason;
import dev.fakegpu.schedule.CompanionOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds out what those who wait should be told, at one moment. Pure. For one thread. */
final class PendingReasons {

    private static final int MAX_NAMED = 3;

    private final State state;
    private final DeviceOwners offers;

    /**
     * What is judged by.
     *
     * @param offered see {@link DeviceOwners}
     * @param slices that kube-scheduler gives away, of whatever driver
     * @param holdings of all claims
     * @param options of kube-scheduler
     */
    record State(
            Map<Optional<DeviceOwner>, List<Slice>> offered,
            SliceIndex slices,
            Map<String, DeviceClass> classes,
            AllocatedDevices holdings,
            AllocatorOptions options) {}

    private final Selectors selectors;

    PendingReasons(State state, Selectors selectors) {
        this.state = state;
        this.selectors = selectors;
        offers = new DeviceOwners(state.offered(), state.classes(), selectors);
    }

    /**
     * For a pod that kube-scheduler refused.
     *
     * @param claims that are not allocated
     * @param nodes to which the pod could go as far as anything but devices matters
     * @return empty if the claims do not ask for devices of FakeGpus, or if devices are not what is missing
     */
    Optional<EventText> ofKubeScheduler(List<Claim> claims, List<NodeInfo> nodes) {
        boolean isOurs = requests(claims)
                .flatMap(PendingReasons::alternatives)
                .anyMatch(request -> offers.ofClass(request).stream().anyMatch(Optional::isPresent));
        if (!isOurs || looksPastTaint(claims)) {
            return Optional.empty();
        }
        SortedSet<String> elsewhere = offeredOnlyBy(AllocatorName.Companion, claims);
        if (!elsewhere.isEmpty()) {
            return Optional.of(new EventText(
                    EventReason.WrongAllocator,
                    devicesOf(elsewhere) + " given away by the companion: set schedulerName: fakegpu-scheduler in the"
                            + " pod, or spec.allocator: KubeScheduler in the FakeGpu"));
        }
        return nodes.isEmpty() ? Optional.empty() : missing(claims, nodes);
    }

    private Optional<EventText> missing(List<Claim> claims, List<NodeInfo> nodes) {
        Explanation explanation = new Explainer(
                        state.slices(), state.classes(), state.holdings(), selectors, state.options())
                .explain(nodes, claims);
        return explanation.reason() == Reason.Allocatable
                ? Optional.empty()
                : Optional.of(new EventText(EventReason.DevicesUnavailable, explanation.sentence()));
    }

    /** For a pod that the companion refused: it says itself what is missing of its own devices. */
    Optional<EventText> ofCompanion(List<Claim> claims) {
        SortedSet<String> elsewhere = offeredOnlyBy(AllocatorName.KubeScheduler, claims);
        return elsewhere.isEmpty()
                ? Optional.empty()
                : Optional.of(new EventText(
                        EventReason.WrongAllocator,
                        devicesOf(elsewhere) + " given away by kube-scheduler: leave out schedulerName in the pod, or"
                                + " set spec.allocator: Companion in the FakeGpu"));
    }

    /**
     * For a claim that no pod uses.
     *
     * @param isLabelled whether the companion is to allocate it without a pod
     */
    Optional<EventText> ofUnusedClaim(Claim claim, boolean isLabelled) {
        if (isLabelled) {
            SortedSet<String> elsewhere = offeredOnlyBy(AllocatorName.KubeScheduler, List.of(claim));
            return elsewhere.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new EventText(
                            EventReason.WrongAllocator,
                            devicesOf(elsewhere) + " given away by kube-scheduler, which allocates for pods only: use"
                                    + " the claim in a pod, or set spec.allocator: Companion in the FakeGpu"));
        }
        boolean isCompanions = requests(List.of(claim))
                .flatMap(PendingReasons::alternatives)
                .anyMatch(request -> offers.of(request).stream().anyMatch(PendingReasons::isCompanions));
        return isCompanions
                ? Optional.of(new EventText(
                        EventReason.WaitForFirstConsumer,
                        "waiting for a pod that uses the claim; without one the companion allocates it if it, or its"
                                + " namespace, has the label fakegpu.dev/allocate=true"))
                : Optional.empty();
    }

    /** FakeGpus of an allocator that have the devices for requests which nobody else can serve. */
    private SortedSet<String> offeredOnlyBy(AllocatorName allocator, List<Claim> claims) {
        return requests(claims)
                .map(request -> alternatives(request)
                        .map(alternative -> offeredBy(allocator, alternative))
                        .toList())
                .filter(alternatives -> alternatives.stream().allMatch(Optional::isPresent))
                .flatMap(alternatives -> alternatives.stream().flatMap(Optional::stream))
                .flatMap(SortedSet::stream)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** FakeGpus of that allocator, if any have what is wanted; none if nobody has; empty if somebody else has. */
    private Optional<SortedSet<String>> offeredBy(AllocatorName allocator, ExactRequest request) {
        var names = new TreeSet<String>();
        for (Optional<DeviceOwner> owner : offers.of(request)) {
            if (owner.isPresent() && owner.get().allocator() == allocator) {
                names.add(owner.get().fakeGpu());
            } else if (owner.isPresent() || allocator == AllocatorName.Companion) {
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

    private static boolean isCompanions(Optional<DeviceOwner> owner) {
        return owner.filter(each -> each.allocator() == AllocatorName.Companion).isPresent();
    }

    /** Who asks to be given the companion's devices although that is not safe gets what happens. */
    private static boolean looksPastTaint(List<Claim> claims) {
        return requests(claims)
                .flatMap(PendingReasons::alternatives)
                .flatMap(request -> request.tolerations().stream())
                .anyMatch(toleration -> toleration.tolerates(CompanionOptions.TAINT));
    }

    private static String devicesOf(SortedSet<String> fakeGpus) {
        String named =
                fakeGpus.stream().limit(MAX_NAMED).map(name -> '"' + name + '"').collect(Collectors.joining(", "));
        String more = fakeGpus.size() > MAX_NAMED ? " and " + (fakeGpus.size() - MAX_NAMED) + " more" : "";
        return "devices of FakeGpu " + named + more + " are";
    }
}
