package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.engine.explain.finding.Remedy;
import dev.fakegpu.engine.gang.GangOutcome;
import dev.fakegpu.engine.gang.GangProblem;
import dev.fakegpu.engine.gang.GangSearch;
import dev.fakegpu.util.NaturalOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds a change that would make a whole gang fit, by trying changes with {@link GangSearch}: other claims are released, requests tolerate a
 * taint, or unhealthy devices recover.
 */
public final class GangRemedyFinder {

    private static final String TOO_LARGE = "the group would not fit even if all devices were free";

    /** For larger gangs, nothing is tried, because each attempt takes time for each pod. */
    public static final int MAX_PODS = 64;

    private static final int MAX_ATTEMPTS = 30;

    /** The limit for all attempts together, each of which looks at all nodes and places all pods. */
    private static final int MAX_NODES_AND_PODS = 10_000;

    /** The allocator's steps in all attempts. */
    private static final long MAX_STEPS = 100_000;

    /** How often a pod is tried on a node in one attempt. */
    private static final int MAX_TRIES = 1_000;

    private static final int MAX_TRIED_CLAIMS = 8;
    private static final int MAX_TRIED_TAINTS = 3;

    /** As many as the sentence can name. */
    private static final int MAX_RELEASED = 3;

    private final GangProblem problem;
    private final HypotheticalState state;
    private final Set<ClaimRef> ofGang;
    private final SearchLimit limit;
    private int attemptsLeft;
    private List<Allocation> lastFit = List.of();

    /**
     * Creates a finder.
     *
     * @param problem the gang that does not fit
     * @param ofGang the claims of its pods, which are not released
     * @param pending the changes of slices that follow when devices are released
     */
    public GangRemedyFinder(GangProblem problem, Set<ClaimRef> ofGang, PendingChanges pending, SearchLimit limit) {
        this.problem = problem;
        this.ofGang = Set.copyOf(ofGang);
        this.limit = limit.and(SearchLimit.steps(MAX_STEPS));
        state = new HypotheticalState(problem.context(), limit, pending, OtherDevices.NONE);
        int nodesAndPods = problem.nodes().size() + problem.members().size();
        attemptsLeft = Math.min(MAX_ATTEMPTS, MAX_NODES_AND_PODS / nodesAndPods);
    }

    /** A clause that says what would help, or why no change would. Empty if it takes too long to find out. */
    public Optional<Function<NameScope, String>> wayOut() {
        if (problem.members().size() > MAX_PODS) {
            return Optional.empty();
        }
        return find().map(GangRemedyFinder::clause).or(this::hopeless);
    }

    private static Function<NameScope, String> clause(Remedy remedy) {
        return reader -> Explanation.wayOutOfGang(remedy, reader);
    }

    /**
     * If the gang would not fit even if the devices of others were free and every taint were tolerated: says so if some of its pods would
     * fit, or that more devices are needed if only those of the gang's own pods would be enough. That is not known if nodes share devices,
     * because not every distribution is tried.
     */
    private Optional<Function<NameScope, String>> hopeless() {
        HypotheticalState free = state.without(Set.copyOf(holders())).tolerating(taints().toList());
        if (problem.sharesDevices()
                || problem.fit().dependsOnOthers()
                || attemptsLeft-- <= 0
                || !(GangSearch.place(problem.with(free.context()), limit, MAX_TRIES)
                        instanceof GangOutcome.NotPlaced not)) {
            return Optional.empty();
        }
        if (!not.some().nodes().isEmpty()) {
            return Optional.of(reader -> TOO_LARGE);
        }
        return ownDevicesWouldDo() ? Optional.of(clause(new Remedy.AddDevices())) : Optional.empty();
    }

    /** Whether the waiting pods would fit on the devices of the gang's other pods. */
    private boolean ownDevicesWouldDo() {
        List<ClaimRef> held = ofGang.stream()
                .filter(claim -> !state.context().allocated().ofClaim(claim).isEmpty())
                .toList();
        return !held.isEmpty() && fitsWithout(held);
    }

    /** Returns empty if no change helps, or if it takes too long to find one. */
    private Optional<Remedy> find() {
        List<ClaimRef> holders = holders();
        boolean isHeld = !holders.isEmpty() && fitsWithout(holders);
        return Stream.<Supplier<Optional<Remedy>>>of(
                        () -> isHeld ? releaseOne(holders) : Optional.empty(),
                        this::tolerate,
                        this::recover,
                        () -> isHeld ? releaseSome(holders) : Optional.empty())
                .map(Supplier::get)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private boolean fits(HypotheticalState changed) {
        if (attemptsLeft-- > 0
                && GangSearch.place(problem.with(changed.context()), limit, MAX_TRIES)
                        instanceof GangOutcome.Placed placed) {
            lastFit = List.copyOf(placed.places().allocations().values());
            return true;
        }
        return false;
    }

    private boolean fitsWithout(List<ClaimRef> released) {
        return fits(state.without(Set.copyOf(released)));
    }

    /** The claims of others that hold devices of the nodes: those with the fewest devices first. */
    private List<ClaimRef> holders() {
        AllocatedDevices allocated = state.context().allocated();
        return devices()
                .flatMap(device -> allocated.ofDevice(device.id()).stream())
                .map(AllocatedDevice::holder)
                .distinct()
                .filter(claim -> !ofGang.contains(claim))
                .sorted(Comparator.<ClaimRef>comparingInt(
                                claim -> allocated.ofClaim(claim).size())
                        .thenComparing(ClaimRef::toString, NaturalOrder.OF_NAMES))
                .toList();
    }

    private Stream<PoolDevice> devices() {
        return problem.nodes().stream()
                .flatMap(node -> state.context().slices().pools(node).stream())
                .flatMap(pool -> pool instanceof Pool.Usable usable ? usable.devices().stream() : Stream.empty());
    }

    private Optional<Remedy> releaseOne(List<ClaimRef> holders) {
        return holders.stream()
                .limit(MAX_TRIED_CLAIMS)
                .map(List::of)
                .filter(this::fitsWithout)
                .findFirst()
                .map(Remedy.Release::new);
    }

    private Optional<Remedy> tolerate() {
        return taints().filter(taint -> !taint.meansUnhealthy())
                .limit(MAX_TRIED_TAINTS)
                .filter(taint -> fits(state.tolerating(List.of(taint))))
                .findFirst()
                .map(Remedy.Tolerate::new);
    }

    private Optional<Remedy> recover() {
        List<DeviceTaint> unhealthy =
                taints().filter(DeviceTaint::meansUnhealthy).toList();
        return !unhealthy.isEmpty() && fits(state.tolerating(unhealthy))
                ? Optional.of(new Remedy.Recover(allocatedWith(unhealthy)))
                : Optional.empty();
    }

    private Stream<DeviceTaint> taints() {
        return devices().flatMap(device -> device.device().taints().stream()).distinct();
    }

    private List<DeviceId> allocatedWith(List<DeviceTaint> taints) {
        Set<DeviceId> tainted = new HashSet<>();
        problem.nodes().forEach(node -> tainted.addAll(state.devicesWith(node, taints)));
        return lastFit.stream()
                .flatMap(allocation -> allocation.results().stream())
                .map(Allocation.Result::device)
                .filter(tainted::contains)
                .distinct()
                .sorted(Comparator.comparing(DeviceId::toString, NaturalOrder.OF_NAMES))
                .toList();
    }

    /**
     * Finds claims that are all needed.
     *
     * @param holders it is known that releasing all of them is enough
     */
    private Optional<Remedy> releaseSome(List<ClaimRef> holders) {
        List<ClaimRef> needed = new ArrayList<>();
        List<ClaimRef> rest = holders;
        do {
            int shortest = shortestPrefix(needed, rest);
            needed.add(0, rest.get(shortest - 1));
            rest = rest.subList(0, shortest - 1);
            if (fitsWithout(needed)) {
                return Optional.of(new Remedy.Release(needed));
            }
        } while (needed.size() < MAX_RELEASED && !rest.isEmpty());
        return Optional.empty();
    }

    /** A binary search: releasing more claims never makes the gang fit worse. */
    private int shortestPrefix(List<ClaimRef> needed, List<ClaimRef> rest) {
        int tooFew = 0;
        int enough = rest.size();
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) >>> 1;
            if (fitsWithout(Stream.concat(needed.stream(), rest.subList(0, middle).stream())
                    .toList())) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return enough;
    }
}
