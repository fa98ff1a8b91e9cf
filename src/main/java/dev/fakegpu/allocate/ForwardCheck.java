package dev.fakegpu.allocate;

import dev.fakegpu.dra.AttributeValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says of a search that is under way whether the rest of it can still succeed, without trying. "No" is always right, "yes" is a hope:
 * what is left out of account only ever makes more seem possible than is. So the search stays exact when it turns away wherever this
 * says no, and it turns away long before it would have tried all that cannot work.
 *
 * <p>What is looked at: how many devices each request needs, counters and compatibility groups within each {@link CounterComponent}, capacity
 * of shared devices, and for each matchAttribute every value that the devices could agree on. What is not: requests for admin access,
 * distinctAttribute beyond the number of values, and which alternative of a later request will be taken.
 */
final class ForwardCheck {

    /** So many combinations of values are tried for several matchAttributes; beyond it the widest one is left out. */
    private static final int MAX_SCENARIOS = 256;

    private static final int MAX_PLANS = 2 * MAX_SCENARIOS;

    private final List<ResolvedRequest> demands;
    private final Candidates candidates;
    private final PartialAllocation attempt;
    private final ClaimConstraints constraints;
    private final DeviceNumbering devices;
    private final List<Want> wants = new ArrayList<>();
    private final Want[] wantOfAsk;
    private final Want[] undecided;
    private final List<Agreement> agreements = new ArrayList<>();
    private final List<Agreement> distinctions = new ArrayList<>();
    private final Map<List<Object>, Relaxation> plans = new HashMap<>();
    private final int[] missing;
    private final EligibleComponents components;

    /**
     * Devices that some request needs.
     *
     * @param index among all wants
     * @param asks what is asked for: several where an alternative is not chosen yet, and then any of them will do
     * @param eligible the devices that come into question, for each of the asks
     * @param count how many, or how many at least
     */
    record Want(int index, List<RequestVariant> asks, List<long[]> eligible, int count) {}

    /**
     * A constraint with the devices that have each of the values in question.
     *
     * @param asks whether it is about each ask, by its id
     */
    private record Agreement(AttributeConstraint constraint, boolean[] asks, Map<Object, long[]> byValue) {

        boolean concerns(RequestVariant ask) {
            return asks[ask.id()];
        }

        long[] with(Object value) {
            return Objects.requireNonNull(byValue.get(value));
        }
    }

    private ForwardCheck(
            List<ResolvedRequest> demands,
            NodePools pools,
            Candidates candidates,
            PartialAllocation attempt,
            ClaimConstraints constraints) {
        this.demands = demands;
        this.candidates = candidates;
        this.attempt = attempt;
        this.constraints = constraints;
        devices = DeviceNumbering.of(pools);
        int asks = demands.stream().mapToInt(demand -> demand.asks().size()).sum();
        wantOfAsk = new Want[asks];
        undecided = new Want[demands.size()];
        missing = new int[asks + demands.size()];
        addWants();
        constraintsOf(demands).forEach(this::addAgreement);
        components = EligibleComponents.of(devices, wants, candidates);
    }

    /** @return null if the search may fail with an error, which has to be found where upstream finds it */
    static @Nullable ForwardCheck of(
            List<ResolvedRequest> demands,
            NodePools pools,
            Candidates candidates,
            PartialAllocation attempt,
            ClaimConstraints constraints) {
        boolean mayFail = demands.stream()
                .flatMap(demand -> demand.asks().stream())
                .filter(ask -> ask.isAll()
                        || ask.isAdmin() && !ask.request().derivedAttributes().isEmpty())
                .anyMatch(ask -> constraints.of(ask.claimIndex()).stream().anyMatch(each -> each.concerns(ask)));
        boolean simple = pools.pools().stream()
                .allMatch(pool -> !(pool instanceof Pool.Usable usable)
                        || usable.counters().isSimple());
        if (mayFail || !simple) {
            return null;
        }
        try {
            return new ForwardCheck(demands, pools, candidates, attempt, constraints);
        } catch (AllocationException e) {
            return null;
        }
    }

    private void addWants() {
        for (int i = 0; i < demands.size(); i++) {
            for (RequestVariant ask : demands.get(i).asks()) {
                if (ask.isAdmin()) {
                    requireNoErrors(ask);
                } else {
                    wantOfAsk[ask.id()] = want(List.of(ask), List.of(eligible(ask)), ask.count());
                }
            }
            if (demands.get(i).hasAlternatives()) {
                undecided[i] = undecided(demands.get(i));
            }
        }
    }

    private Want want(List<RequestVariant> asks, List<long[]> eligible, long count) {
        var want = new Want(wants.size(), asks, eligible, bounded(count));
        wants.add(want);
        return want;
    }

    /** Nothing is planned for those who only look on, but what fails for them fails. They are asked of devices in use as well. */
    private void requireNoErrors(RequestVariant ask) {
        for (int pool = 0; pool < devices.firstWord().length; pool++) {
            if (devices.pools().pools().get(pool) instanceof Pool.Usable usable) {
                for (int device = 0; device < usable.devices().size(); device++) {
                    if (candidates.isSelected(ask, pool, device)) {
                        candidates.offers(ask, pool, device);
                    }
                }
            }
        }
    }

    private static int bounded(long count) {
        return (int) Math.max(0, Math.min(count, KindCounts.MAX));
    }

    private Want undecided(ResolvedRequest demand) {
        List<long[]> eligible = demand.asks().stream()
                .map(ask -> wantOfAsk[ask.id()].eligible().get(0))
                .toList();
        return want(demand.asks(), eligible, demand.minCount());
    }

    private long[] eligible(RequestVariant ask) {
        var eligible = new long[devices.words()];
        if (ask.isAll()) {
            ask.all().forEach(place -> addIfEligible(ask, place.pool(), place.device(), eligible));
            return eligible;
        }
        for (int pool = 0; pool < devices.firstWord().length; pool++) {
            if (devices.pools().pools().get(pool) instanceof Pool.Usable usable) {
                for (int device = 0; device < usable.devices().size(); device++) {
                    addIfEligible(ask, pool, device, eligible);
                }
            }
        }
        return eligible;
    }

    private void addIfEligible(RequestVariant ask, int pool, int device, long[] eligible) {
        if ((ask.isAdmin() || !attempt.books(pool).isBusy(device))
                && candidates.isSelected(ask, pool, device)
                && attempt.fits(ask, pool, device)
                && attempt.isUsable(ask, pool, device)) {
            Bits.set(eligible, devices.number(pool, device));
        }
    }

    private List<AttributeConstraint> constraintsOf(List<ResolvedRequest> ofDemands) {
        return ofDemands.stream()
                .map(ResolvedRequest::claimIndex)
                .distinct()
                .flatMap(claim -> constraints.of(claim).stream())
                .toList();
    }

    private void addAgreement(AttributeConstraint constraint) {
        var byValue = new LinkedHashMap<Object, long[]>();
        var concerned = new boolean[wantOfAsk.length];
        boolean derived = false;
        for (Want want : wants) {
            for (int i = 0; i < want.asks().size(); i++) {
                RequestVariant ask = want.asks().get(i);
                if (constraints.of(ask.claimIndex()).contains(constraint) && constraint.concerns(ask)) {
                    concerned[ask.id()] = true;
                    derived |= ask.request().derivedAttributes().containsKey(constraint.attribute());
                    addValues(constraint, ask, want.eligible().get(i), byValue);
                }
            }
        }
        if (derived) {
            // Requests may see different values on the same device, which these masks cannot tell apart.
            return;
        }
        (constraint.isMatch() ? agreements : distinctions).add(new Agreement(constraint, concerned, byValue));
    }

    private void addValues(
            AttributeConstraint constraint, RequestVariant ask, long[] eligible, Map<Object, long[]> byValue) {
        for (int pool = 0; pool < devices.firstWord().length; pool++) {
            if (devices.pools().pools().get(pool) instanceof Pool.Usable usable) {
                for (int device = 0; device < usable.devices().size(); device++) {
                    int number = devices.number(pool, device);
                    if (Bits.get(eligible, number)) {
                        AttributeValue value = constraints.value(constraint, ask, usable, device);
                        if (value != null) {
                            for (Object element : constraint.comparable(value, number)) {
                                Bits.set(
                                        byValue.computeIfAbsent(element, ignored -> new long[devices.words()]), number);
                            }
                        }
                    }
                }
            }
        }
    }

    /** To be told whenever a device is picked, after it was. */
    void picked(int pool, int device) {
        components.changed(pool, device);
    }

    /** To be told whenever a device is put back, after it was. */
    void putBack(int pool, int device) {
        components.changedBack(pool, device);
    }

    /**
     * Whether everything from a demand on can still be served.
     *
     * @param ask the chosen alternative of the demand
     * @param filled how many devices it has already
     */
    boolean isPossible(int demand, RequestVariant ask, int filled) {
        Arrays.fill(missing, 0);
        if (wantOfAsk[ask.id()] != null) {
            missing[wantOfAsk[ask.id()].index()] = bounded(ask.count() - filled);
        }
        for (int i = demand + 1; i < demands.size(); i++) {
            Want want = undecided[i] == null
                    ? wantOfAsk[demands.get(i).asks().get(0).id()]
                    : undecided[i];
            if (want != null) {
                missing[want.index()] = want.count();
            }
        }
        return canBeDistinct() && anyScenario();
    }

    private boolean canBeDistinct() {
        for (Agreement distinction : distinctions) {
            int needed = missingOf(distinction);
            if (needed > 1 && needed > freeValues(distinction)) {
                return false;
            }
        }
        return true;
    }

    /** How many devices are missing of decided requests that a constraint concerns. */
    private int missingOf(Agreement agreement) {
        int sum = 0;
        for (Want want : wants) {
            if (missing[want.index()] > 0
                    && want.asks().size() == 1
                    && agreement.concerns(want.asks().get(0))) {
                sum += missing[want.index()];
            }
        }
        return sum;
    }

    private int freeValues(Agreement distinction) {
        int free = 0;
        for (long[] mask : distinction.byValue().values()) {
            free += devices.countFree(mask, mask, attempt) > 0 ? 1 : 0;
        }
        return free;
    }

    private boolean anyScenario() {
        List<Agreement> open = new ArrayList<>();
        List<List<Object>> choices = new ArrayList<>();
        for (Agreement agreement : agreements) {
            if (missingOf(agreement) > 0) {
                List<Object> values = values(agreement);
                if (values.isEmpty()) {
                    return false;
                }
                open.add(agreement);
                choices.add(values);
            }
        }
        leaveOutWidest(open, choices);
        return anyScenario(open, choices, new ArrayList<>());
    }

    private static void leaveOutWidest(List<Agreement> open, List<List<Object>> choices) {
        while (choices.stream().mapToLong(List::size).reduce(1, (a, b) -> Math.min(a * b, 1L << 31)) > MAX_SCENARIOS) {
            int widest = 0;
            for (int i = 1; i < choices.size(); i++) {
                widest = choices.get(i).size() > choices.get(widest).size() ? i : widest;
            }
            open.remove(widest);
            choices.remove(widest);
        }
    }

    /** The values on which the devices that are still missing could agree, each request for itself. */
    private List<Object> values(Agreement agreement) {
        Set<? extends Object> agreed = agreement.constraint().agreedValues();
        var values = new ArrayList<Object>();
        agreement.byValue().forEach((value, mask) -> {
            if ((agreed == null || agreed.contains(value)) && canAgreeOn(agreement, mask)) {
                values.add(value);
            }
        });
        return values;
    }

    private boolean canAgreeOn(Agreement agreement, long[] mask) {
        for (Want want : wants) {
            if (missing[want.index()] > 0
                    && want.asks().size() == 1
                    && agreement.concerns(want.asks().get(0))
                    && devices.countFree(mask, want.eligible().get(0), attempt) < missing[want.index()]) {
                return false;
            }
        }
        return true;
    }

    static long[] and(long[] a, long[] b) {
        var both = new long[a.length];
        for (int i = 0; i < a.length; i++) {
            both[i] = a[i] & b[i];
        }
        return both;
    }

    private boolean anyScenario(List<Agreement> open, List<List<Object>> choices, List<Object> chosen) {
        if (chosen.size() == open.size()) {
            return isPossible(open, chosen);
        }
        for (Object value : choices.get(chosen.size())) {
            chosen.add(value);
            if (anyScenario(open, choices, chosen)) {
                return true;
            }
            chosen.remove(chosen.size() - 1);
        }
        return false;
    }

    private boolean isPossible(List<Agreement> open, List<Object> chosen) {
        var scenario = new ArrayList<Object>();
        for (int i = 0; i < open.size(); i++) {
            scenario.add(open.get(i).constraint());
            scenario.add(chosen.get(i));
        }
        Relaxation plan = plans.get(scenario);
        if (plan == null) {
            if (plans.size() >= MAX_PLANS) {
                plans.clear();
            }
            plan = plan(open, chosen);
            plans.put(scenario, plan);
        }
        return plan.isPossible(missing);
    }

    private Relaxation plan(List<Agreement> open, List<Object> chosen) {
        var masks = new ArrayList<long[]>();
        for (Want want : wants) {
            var mask = new long[devices.words()];
            for (int i = 0; i < want.asks().size(); i++) {
                long[] ofAsk = want.eligible().get(i);
                for (int j = 0; j < open.size(); j++) {
                    if (open.get(j).concerns(want.asks().get(i))) {
                        ofAsk = and(ofAsk, open.get(j).with(chosen.get(j)));
                    }
                }
                for (int word = 0; word < mask.length; word++) {
                    mask[word] |= ofAsk[word];
                }
            }
            masks.add(mask);
        }
        return new Relaxation(devices, wants, masks, components, attempt, candidates);
    }
}
