package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tries all possible allocations, and checks each with {@link Rules} when it is complete. The only devices that are omitted are those that
 * {@link Rules} does not allow for a request alone.
 */
final class BruteForce {

    private static final long MOST_COMBINATIONS = 400;

    private final RandomProblem problem;
    private final Rules rules;
    private final List<List<List<Hand>>> choices = new ArrayList<>();

    private BruteForce(RandomProblem problem) {
        this.problem = problem;
        rules = new Rules(problem);
        for (int claim = 0; claim < problem.claims().size(); claim++) {
            for (DeviceRequest request : problem.claims().get(claim).requests()) {
                choices.add(choices(claim, request));
            }
        }
    }

    /** Whether the problem is small enough, and its pools are unambiguous. */
    static boolean isUpTo(RandomProblem problem) {
        return problem.state().slices().stream().collect(Collectors.groupingBy(Slice::pool)).values().stream()
                        .allMatch(slices -> isSound(slices, problem))
                && new BruteForce(problem).combinations() <= MOST_COMBINATIONS;
    }

    private static boolean isSound(List<Slice> slices, RandomProblem problem) {
        List<Device> devices =
                slices.stream().flatMap(slice -> slice.devices().stream()).toList();
        return slices.stream().map(Slice::name).distinct().count() == slices.size()
                && slices.stream()
                        .allMatch(slice -> slice.sliceCount() == slices.size()
                                && slice.generation() == slices.get(0).generation())
                && devices.stream().map(Device::name).distinct().count() == devices.size()
                && (problem.options().gate() == GroupsGate.ON
                        || devices.stream().noneMatch(Device::usesCompatibilityGroups))
                && (!problem.has(Feature.PARTITIONABLE_DEVICES) || haveKnownCounters(slices, devices));
    }

    private static boolean haveKnownCounters(List<Slice> slices, List<Device> devices) {
        List<CounterSet> sets =
                slices.stream().flatMap(slice -> slice.counterSets().stream()).toList();
        Map<String, Set<String>> counters = sets.stream()
                .collect(
                        Collectors.toMap(CounterSet::name, set -> set.counters().keySet(), (one, other) -> Set.of()));
        return counters.size() == sets.size()
                && devices.stream()
                        .flatMap(device -> device.consumesCounters().stream())
                        .allMatch(entry -> isKnown(entry, counters));
    }

    private static boolean isKnown(CounterConsumption entry, Map<String, Set<String>> counters) {
        return counters.getOrDefault(entry.counterSet(), Set.of())
                .containsAll(entry.counters().keySet());
    }

    static Optional<List<Hand>> solution(RandomProblem problem) {
        return new BruteForce(problem).extend(List.of(), 0);
    }

    private long combinations() {
        return choices.stream().mapToLong(List::size).reduce(1, (a, b) -> Math.min(a * b, MOST_COMBINATIONS + 1));
    }

    private Optional<List<Hand>> extend(List<Hand> hands, int request) {
        if (request == choices.size()) {
            return rules.brokenBy(hands).isEmpty() ? Optional.of(hands) : Optional.empty();
        }
        for (List<Hand> choice : choices.get(request)) {
            Optional<List<Hand>> solution = extend(joined(hands, choice), request + 1);
            if (solution.isPresent()) {
                return solution;
            }
        }
        return Optional.empty();
    }

    private static List<Hand> joined(List<Hand> left, List<Hand> right) {
        return Stream.concat(left.stream(), right.stream()).toList();
    }

    /** All sets of devices that satisfy a request alone. */
    private List<List<Hand>> choices(int claim, DeviceRequest request) {
        var sets = new ArrayList<List<Hand>>();
        Rules.names(request).forEach(named -> {
            List<Hand> all = hands(claim, named).filter(rules::isLargeEnough).toList();
            if (named.request().isAll()) {
                sets.add(all.stream().filter(rules::matches).toList());
            } else {
                addSets(
                        all.stream()
                                .filter(rules::isAllowed)
                                .filter(this::isFree)
                                .toList(),
                        named.request().count(),
                        List.of(),
                        sets);
            }
        });
        return sets;
    }

    private boolean isFree(Hand hand) {
        DeviceId id = hand.id();
        return hand.request().hasAdminAccess()
                || problem.state().allocated().stream()
                        .filter(each -> each.id().equals(id))
                        .map(AllocatedDevice::share)
                        .noneMatch(share -> share == null);
    }

    private static void addSets(List<Hand> from, long count, List<Hand> chosen, List<List<Hand>> sets) {
        if (chosen.size() == count) {
            sets.add(chosen);
        } else if (sets.size() <= MOST_COMBINATIONS) {
            for (int i = 0; i < from.size(); i++) {
                addSets(from.subList(i + 1, from.size()), count, joined(chosen, List.of(from.get(i))), sets);
            }
        }
    }

    private Stream<Hand> hands(int claimIndex, Rules.Named named) {
        Claim claim = problem.claims().get(claimIndex);
        return rules.slicesOfPool().values().stream()
                .flatMap(List::stream)
                .flatMap(slice -> rules.reached(slice).map(device -> hand(claimIndex, claim, named, slice, device)));
    }

    private Hand hand(int claimIndex, Claim claim, Rules.Named named, Slice slice, Device device) {
        var whole = new Hand(claimIndex, claim, named.name(), named.request(), slice, device, null);
        return rules.isShared(device)
                ? new Hand(claimIndex, claim, named.name(), named.request(), slice, device, rules.portion(whole))
                : whole;
    }
}
