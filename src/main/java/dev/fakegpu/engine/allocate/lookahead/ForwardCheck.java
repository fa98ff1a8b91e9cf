package dev.fakegpu.engine.allocate.lookahead;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether the current partial allocation can still be completed. The answer "yes" may be wrong, but "no" never is, so pruning on
 * "no" preserves the first solution: ignoring a restriction can only make more seem possible.
 *
 * <p>The check considers the number of devices that each request needs, counters and compatibility groups within each
 * {@link CounterComponent}, the capacity of shared devices, and for each {@code matchAttribute} every value on which devices could agree.
 * It ignores requests with admin access, which alternative a later request takes, and for {@code distinctAttribute} everything except the
 * number of values.
 *
 * <p>An instance belongs to one search and one thread.
 */
public final class ForwardCheck {

    private static final int MAX_RELAXATIONS = 2 * MatchScenarios.MAX;

    private final SearchState state;
    private final DeviceNumbering numbering;
    private final List<ConstraintSupport> distinct;
    private final List<DeviceDemand> demands = new ArrayList<>();
    private final Map<Integer, Integer> demandOfVariant = new HashMap<>();
    private final @Nullable Integer[] demandOfRequest;
    private final RemainingDemand remaining;
    private final MatchScenarios scenarios;
    private final EligibleComponents components;
    private final Map<Scenario, Relaxation> relaxations = new HashMap<>();

    /**
     * Creates the check.
     *
     * @param numbering the numbers of the node's devices
     * @param requests the requests of all claims, in the order of the search
     * @param match the {@code matchAttribute} constraints
     * @param distinct the {@code distinctAttribute} constraints
     */
    public ForwardCheck(
            SearchState state,
            DeviceNumbering numbering,
            List<RequestDemand> requests,
            List<ConstraintSupport> match,
            List<ConstraintSupport> distinct) {
        this.state = state;
        this.numbering = numbering;
        this.distinct = distinct;
        demandOfRequest = new Integer[requests.size()];
        for (int request = 0; request < demandOfRequest.length; request++) {
            addDemands(request, requests.get(request).variants());
        }
        remaining = new RemainingDemand(demands);
        scenarios = new MatchScenarios(match, remaining, state);
        components = EligibleComponents.of(numbering, demands, state);
    }

    private void addDemands(int request, List<VariantDemand> variants) {
        for (VariantDemand variant : variants) {
            demandOfVariant.put(variant.id(), demands.size());
            demandOfRequest[request] = demands.size();
            demands.add(DeviceDemand.decided(variant));
        }
        if (variants.size() > 1) {
            demandOfRequest[request] = demands.size();
            demands.add(DeviceDemand.undecided(variants));
        }
    }

    /** Must be called after each device that the search picks. */
    public void picked(int pool, int device) {
        components.changed(pool, device);
    }

    /** Must be called after each device that the search puts back, in reverse order. */
    public void putBack(int pool, int device) {
        components.changedBack(pool, device);
    }

    /**
     * Whether a request and all later ones can still be satisfied.
     *
     * @param request the index of the request
     * @param variant the id of the variant that is being tried
     * @param missing the number of devices that this variant still needs
     */
    public boolean isPossible(int request, int variant, long missing) {
        remaining.clear();
        Integer current = demandOfVariant.get(variant);
        if (current != null) {
            remaining.set(current, missing);
        }
        for (int later = request + 1; later < demandOfRequest.length; later++) {
            Integer demand = demandOfRequest[later];
            if (demand != null) {
                remaining.set(demand, demands.get(demand).count());
            }
        }
        return canBeDistinct() && scenarios.anyMatch(this::isPossible);
    }

    private boolean canBeDistinct() {
        for (ConstraintSupport constraint : distinct) {
            int needed = remaining.of(constraint);
            if (needed > 1 && needed > freeValues(constraint)) {
                return false;
            }
        }
        return true;
    }

    private int freeValues(ConstraintSupport constraint) {
        int free = 0;
        for (DeviceSet devices : constraint.devicesByValue().values()) {
            free += devices.countFree(state) > 0 ? 1 : 0;
        }
        return free;
    }

    private boolean isPossible(Scenario scenario) {
        Relaxation relaxation = relaxations.get(scenario);
        if (relaxation == null) {
            if (relaxations.size() >= MAX_RELAXATIONS) {
                relaxations.clear();
            }
            relaxation = relaxation(scenario);
            relaxations.put(scenario, relaxation);
        }
        return relaxation.canServe(remaining);
    }

    private Relaxation relaxation(Scenario scenario) {
        List<DeviceSet> eligible = demands.stream()
                .map(demand -> DeviceSet.union(
                        numbering,
                        demand.variants().stream().map(scenario::eligible).toList()))
                .toList();
        return new Relaxation(numbering, new DemandKinds(demands, eligible), components, state);
    }
}
