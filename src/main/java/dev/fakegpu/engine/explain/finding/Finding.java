package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.SelectorVerdict;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reason why one request, or one alternative of a request, cannot be satisfied on one node.
 *
 * @param requestName the name of the request
 * @param position the index of the request among those of all claims
 * @param request what is requested; an alternative has its own name
 * @param isAlternative whether the request has alternatives
 * @param wanted the number of requested devices
 * @param found the number of devices that can be allocated
 * @param alongside the other requests that were satisfied first; empty if the request cannot even be satisfied on its own
 * @param considered the number of devices that the node can access
 * @param stopped the reasons why devices were rejected, the most informative one first
 * @param values the values that devices have instead of the requested ones, if the request selects no device
 * @param blockers other claims that hold the needed devices, counters or capacity
 * @param taints the taints because of which devices were rejected
 * @param alignment for a constraint on devices that must agree, the values on which they could; otherwise null
 * @param pools the node's pools whose devices could not be considered
 * @param problem the cause if it is not the devices; otherwise null
 * @param isExhaustive whether all combinations of devices were tried, so that {@code found} is the maximum
 * @param isEverlasting whether the finding holds even if nothing is allocated and every taint is tolerated, so that releasing anything
 *     would not help
 */
public record Finding(
        String node,
        ClaimRef claim,
        String requestName,
        int position,
        ExactRequest request,
        boolean isAlternative,
        long wanted,
        long found,
        List<RequestRef> alongside,
        int considered,
        List<Stopped> stopped,
        List<ValuesThere> values,
        List<ClaimRef> blockers,
        List<DeviceTaint> taints,
        @Nullable Alignment alignment,
        List<PoolProblem> pools,
        @Nullable Problem problem,
        boolean isExhaustive,
        boolean isEverlasting) {

    private static final Set<Reason> NOT_MATCHING =
            EnumSet.of(Reason.SelectorFailed, Reason.Failed, Reason.NoMatchingDevice, Reason.NotReached);

    private static final Set<Reason> NOTHING_THERE = EnumSet.of(Reason.NoMatchingDevice, Reason.NoDevices);

    /**
     * Sorts findings: the one to report comes first. Findings that releasing anything would not change come last, with those about devices
     * that do not exist at the very end. Among nodes with the same obstacle, the order is: nodes with devices of the class, so that the
     * text does not say that there are none; nodes where fewer requests fail; nodes where more is left. The sort is stable.
     */
    public static List<Finding> mostInformativeFirst(List<Finding> findings) {
        Map<String, Long> failing = findings.stream()
                .collect(Collectors.groupingBy(
                        Finding::node,
                        Collectors.mapping(
                                Finding::position, Collectors.collectingAndThen(Collectors.toSet(), positions ->
                                        (long) positions.size()))));
        return findings.stream()
                .sorted(Comparator.comparing((Finding finding) -> finding.isEverlasting() || finding.matchesNothing())
                        .thenComparing(Finding::matchesNothing)
                        .thenComparing(Finding::reason)
                        .thenComparing(finding -> finding.matchesNothing() && !finding.anyOfClass())
                        .thenComparing(finding -> Objects.requireNonNull(failing.get(finding.node())))
                        .thenComparing(Finding::missing)
                        .thenComparing(Finding::left, Comparator.reverseOrder()))
                .toList();
    }

    public Finding {
        alongside = List.copyOf(alongside);
        stopped = List.copyOf(stopped);
        values = List.copyOf(values);
        blockers = List.copyOf(blockers);
        taints = List.copyOf(taints);
        pools = List.copyOf(pools);
    }

    /**
     * Devices that were rejected for the same reason.
     *
     * @param devices the number of devices
     * @param everyWay the distinct refusals, or the first {@value #MAX_WAYS} of them
     * @param ways the number of distinct refusals
     */
    public record Stopped(Reason reason, int devices, List<Example> everyWay, int ways) {

        public static final int MAX_WAYS = 256;

        private static final int MAX_EXAMPLES = 3;

        public Stopped {
            everyWay = List.copyOf(everyWay);
        }

        /** The first distinct refusals, for texts that cannot contain all. */
        public List<Example> examples() {
            return everyWay.subList(0, Math.min(MAX_EXAMPLES, everyWay.size()));
        }

        public Stopped brief() {
            return new Stopped(reason, devices, examples(), ways);
        }
    }

    /**
     * Devices with the same refusal.
     *
     * @param device the first device
     * @param devices the number of devices
     */
    public record Example(Refusal refusal, DeviceId device, int devices) {}

    /**
     * One or more pools whose devices cannot be considered.
     *
     * @param incomplete the pool if it only lacks slices; otherwise null
     * @param superseding the names of the slices that keep a complete older generation from being used; empty if there are none
     */
    public record PoolProblem(
            Reason reason, String sentence, @Nullable PoolId incomplete, List<String> superseding) {

        public PoolProblem {
            superseding = List.copyOf(superseding);
        }

        public PoolProblem(Reason reason, String sentence, @Nullable PoolId incomplete) {
            this(reason, sentence, incomplete, List.of());
        }
    }

    /** A cause other than the devices. */
    public record Problem(Reason reason, String sentence) {}

    /** All causes other than devices: the problem, the pools, and an incomplete search. */
    public List<Problem> others() {
        return Stream.of(
                        Stream.ofNullable(problem),
                        pools.stream().map(pool -> new Problem(pool.reason(), pool.sentence())),
                        isExhaustive || problem != null
                                ? Stream.<Problem>empty()
                                : Stream.of(new Problem(Reason.Undecided, Phrases.undecided())))
                .flatMap(Function.identity())
                .toList();
    }

    /** The refusal of some devices as a phrase with all names. */
    public String describe(Example example) {
        String rejected = Phrases.rejected(this, example);
        return rejected == null
                ? Phrases.inFull(NameScope.all()).refusal(example.device().device(), example.refusal())
                : rejected;
    }

    /** The same finding for another claim. All {@link #alongside} must belong to the original claim. */
    public Finding about(ClaimRef other) {
        return with(
                other,
                alongside.stream()
                        .map(each -> new RequestRef(other, each.request()))
                        .toList(),
                stopped,
                isEverlasting);
    }

    /** The same finding with only as many {@link Stopped#examples} as sentences need. */
    public Finding brief() {
        return with(claim, alongside, stopped.stream().map(Stopped::brief).toList(), isEverlasting);
    }

    /** The same finding, marked as one for a node on which nothing is allocated and every taint is tolerated. */
    public Finding everlasting() {
        return with(claim, alongside, stopped, true);
    }

    private Finding with(
            ClaimRef otherClaim, List<RequestRef> otherAlongside, List<Stopped> otherStopped, boolean everlasting) {
        return new Finding(
                node,
                otherClaim,
                requestName,
                position,
                request,
                isAlternative,
                wanted,
                found,
                otherAlongside,
                considered,
                otherStopped,
                values,
                blockers,
                taints,
                alignment,
                pools,
                problem,
                isExhaustive,
                everlasting);
    }

    public RequestRef requestRef() {
        return new RequestRef(claim, requestName);
    }

    /** The request's name, or {@code request/alternative}. */
    public String resultName() {
        return isAlternative ? requestName + "/" + request.name() : requestName;
    }

    /** The most informative of all reasons. */
    public Reason reason() {
        if (problem != null) {
            return problem.reason();
        }
        Reason ofDevices = stopped.isEmpty() ? Reason.NoDevices : stopped.get(0).reason();
        Reason ofPools = pools.isEmpty() ? Reason.NoDevices : pools.get(0).reason();
        return ofDevices.compareTo(ofPools) <= 0 ? ofDevices : ofPools;
    }

    /**
     * The number of devices that do not match the selectors, as far as these can be evaluated, or that are not accessible from the node.
     */
    public int notMatching() {
        return stopped.stream()
                .filter(each -> NOT_MATCHING.contains(each.reason()))
                .mapToInt(Stopped::devices)
                .sum();
    }

    /** Whether the request matches no device of the node, so that findings of other nodes are more informative. */
    private boolean matchesNothing() {
        return found == 0 && alongside.isEmpty() && knowsPools() && NOTHING_THERE.contains(reason());
    }

    /** Whether the node has a device of the class that does not match the request's own selectors. */
    private boolean anyOfClass() {
        return stopped.stream()
                .flatMap(each -> each.everyWay().stream())
                .anyMatch(example -> example.refusal() instanceof Refusal.NotSelected rejected
                        && rejected.origin() == SelectorVerdict.Origin.REQUEST);
    }

    /** Whether all pools of this allocator could be used; those of others may be left out. */
    public boolean knowsPools() {
        return pools.stream().allMatch(pool -> pool.reason() == Reason.NoDevices);
    }

    long missing() {
        return wanted - found;
    }

    /** What is left of the capacity, if no device has enough of it. */
    private Quantity left() {
        return stopped.stream()
                .limit(1)
                .map(first -> first.examples().get(0).refusal())
                .flatMap(refusal -> refusal instanceof Refusal.CapacityShort lacking
                        ? Stream.of(lacking.left())
                        : Stream.<Quantity>empty())
                .findFirst()
                .orElse(Quantity.ZERO);
    }
}
