package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.SelectorResult;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks complete allocations by the rules of the API, using only slices, claims and holders. It shares no code with the allocator. */
final class Rules {

    private static final String OPTIONAL_OPERATIONS_GATE = "DRAOptionalNodeOperations";
    private static final String LAST = "\uffff";

    private final RandomProblem problem;
    private final Map<PoolId, List<Slice>> slicesOfPool;
    private final Map<DeviceId, List<AllocatedDevice>> held;

    Rules(RandomProblem problem) {
        this.problem = problem;
        slicesOfPool = newest(problem.state().slices());
        held = problem.state().allocated().stream().collect(Collectors.groupingBy(AllocatedDevice::id));
    }

    /** The slices of each pool's newest generation that the node sees. If these are the complete pool, other slices are ignored. */
    private Map<PoolId, List<Slice>> newest(List<Slice> slices) {
        var newest = new HashMap<PoolId, List<Slice>>();
        slices.stream()
                .filter(this::isUnderstood)
                .collect(Collectors.groupingBy(Slice::pool))
                .forEach((pool, all) -> {
                    List<Slice> seen = all.stream().filter(this::isSeen).toList();
                    long generation =
                            seen.stream().mapToLong(Slice::generation).max().orElse(0);
                    List<Slice> ofNode = ofGeneration(seen, generation);
                    boolean isWhole = !ofNode.isEmpty() && ofNode.get(0).sliceCount() == ofNode.size();
                    newest.put(pool, isWhole ? ofNode : ofGeneration(all, generation));
                });
        return newest;
    }

    private static List<Slice> ofGeneration(List<Slice> slices, long generation) {
        return slices.stream().filter(slice -> slice.generation() == generation).toList();
    }

    private boolean isUnderstood(Slice slice) {
        return problem.has(Feature.PARTITIONABLE_DEVICES)
                || slice.counterSets().isEmpty() && slice.perDeviceNodeSelection() == null;
    }

    private boolean isSeen(Slice slice) {
        return reached(slice).findAny().isPresent()
                || slice.nodes().matches(problem.node().name(), problem.node().labels());
    }

    /** The violations of the rules as text; empty if there are none. */
    List<String> broken(List<Allocation> allocations) {
        var hands = new ArrayList<Hand>();
        for (int claim = 0; claim < allocations.size(); claim++) {
            for (Allocation.Result result : allocations.get(claim).results()) {
                hands.add(hand(claim, result));
            }
        }
        List<String> broken = brokenBy(hands);
        if (allocations.size() != problem.claims().size()) {
            broken.add(allocations.size() + " allocations");
        }
        return broken;
    }

    private Hand hand(int claimIndex, Allocation.Result result) {
        Claim claim = problem.claims().get(claimIndex);
        ExactRequest request = request(claim, result.request());
        Slice slice = slicesOfPool.getOrDefault(result.device().poolId(), List.of()).stream()
                .filter(each -> reached(each)
                        .anyMatch(device -> device.name().equals(result.device().device())))
                .findFirst()
                .orElseThrow(() -> new AssertionError(result.device() + " is not within reach"));
        Device device = reached(slice)
                .filter(each -> each.name().equals(result.device().device()))
                .findFirst()
                .orElseThrow();
        if (result.adminAccess() != request.hasAdminAccess()) {
            throw new AssertionError("admin access of " + result);
        }
        Map<String, Quantity> share =
                result.share() == null ? null : result.share().consumedCapacity();
        return new Hand(claimIndex, claim, result.request(), request, slice, device, share);
    }

    private static ExactRequest request(Claim claim, String name) {
        return claim.requests().stream()
                .flatMap(Rules::names)
                .filter(named -> named.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no request " + name))
                .request();
    }

    /** A request or an alternative; an alternative has a name of two parts. */
    record Named(String name, ExactRequest request) {}

    static Stream<Named> names(DeviceRequest request) {
        return request.firstAvailable().isEmpty()
                ? Stream.of(new Named(request.name(), Objects.requireNonNull(request.exactly())))
                : request.firstAvailable().stream().map(sub -> new Named(request.name() + "/" + sub.name(), sub));
    }

    Stream<Device> reached(Slice slice) {
        return slice.devices().stream()
                .filter(device -> slice.nodesOf(device)
                        .matches(problem.node().name(), problem.node().labels()));
    }

    Map<PoolId, List<Slice>> slicesOfPool() {
        return slicesOfPool;
    }

    List<String> brokenBy(List<Hand> hands) {
        var broken = new ArrayList<String>();
        hands.stream().filter(hand -> !isAllowed(hand)).forEach(hand -> broken.add("not allowed: " + hand));
        brokenByHolders(hands, broken);
        brokenByCapacity(hands, broken);
        hands.stream()
                .map(hand -> hand.slice().pool())
                .distinct()
                .forEach(pool -> brokenByCounters(pool, hands, broken));
        for (int i = 0; i < problem.claims().size(); i++) {
            int claim = i;
            List<Hand> ofClaim =
                    hands.stream().filter(hand -> hand.claimIndex() == claim).toList();
            brokenByCounts(problem.claims().get(claim), ofClaim, broken);
            problem.claims().get(claim).constraints().stream()
                    .filter(constraint ->
                            !ConstraintRule.isKept(constraint, ofClaim, problem.has(Feature.LIST_TYPE_ATTRIBUTES)))
                    .forEach(constraint -> broken.add("claim " + claim + ": " + constraint));
        }
        return broken;
    }

    /** Whether the request may have the device if there are no other requests. */
    boolean isAllowed(Hand hand) {
        Device device = hand.device();
        return matches(hand)
                && isTolerated(device, hand.request())
                && (problem.has(Feature.PARTITIONABLE_DEVICES)
                        || device.consumesCounters().isEmpty())
                && (hand.slice().skipNodeOperations().isEmpty()
                        || problem.has(Feature.OPTIONAL_NODE_OPERATIONS)
                                && problem.node().declaredFeatures().contains(OPTIONAL_OPERATIONS_GATE))
                && (problem.options().gate() == GroupsGate.ON || !device.usesCompatibilityGroups())
                && (hand.share() != null) == isShared(device);
    }

    boolean isShared(Device device) {
        return problem.has(Feature.CONSUMABLE_CAPACITY) && device.allowMultipleAllocations();
    }

    /** Whether the class and the request select the device and, if shares are enabled, it is large enough. */
    boolean matches(Hand hand) {
        Device device = hand.device();
        boolean selected = Stream.concat(
                        problem.classes().get(hand.request().deviceClassName()).selectors().stream(),
                        hand.request().selectors().stream())
                .allMatch(selector -> Hardware.SELECTORS
                        .compile(selector)
                        .evaluate(hand.slice().pool().driver(), device)
                        .equals(new SelectorResult.Match()));
        return selected
                && (problem.has(Feature.DEVICE_BINDING_AND_STATUS)
                        || device.binding().conditions().isEmpty());
    }

    private boolean isTolerated(Device device, ExactRequest request) {
        return !problem.has(Feature.DEVICE_TAINTS)
                || device.taints().stream()
                        .filter(taint -> Set.of("NoSchedule", "NoExecute").contains(taint.effect()))
                        .allMatch(taint -> request.tolerations().stream().anyMatch(each -> tolerates(each, taint)));
    }

    private static boolean tolerates(DeviceToleration toleration, DeviceTaint taint) {
        boolean sameValue = toleration.operator().equals("Exists")
                || Set.of("", "Equal").contains(toleration.operator())
                        && toleration.value().equals(taint.value());
        return sameValue
                && Set.of("", taint.key()).contains(toleration.key())
                && Set.of("", taint.effect()).contains(toleration.effect());
    }

    /** A whole device is given once. Admin access ignores other claims, but no later request of the same claim can have the device. */
    private void brokenByHolders(List<Hand> hands, List<String> broken) {
        for (int i = 0; i < hands.size(); i++) {
            Hand hand = hands.get(i);
            boolean admin = hand.request().hasAdminAccess();
            if (!admin && held.getOrDefault(hand.id(), List.of()).stream().anyMatch(each -> each.share() == null)) {
                broken.add("held by another claim: " + hand);
            }
            for (Hand before : hands.subList(0, i)) {
                boolean same = before.id().equals(hand.id());
                boolean sameClaim = before.claimIndex() == hand.claimIndex();
                if (same && hand.share() == null && (!admin || sameClaim)) {
                    broken.add("given twice: " + hand);
                }
                if (same && sameClaim && hand.share() != null && before.name().equals(hand.name())) {
                    broken.add("two shares for one request: " + hand);
                }
            }
        }
    }

    private void brokenByCapacity(List<Hand> hands, List<String> broken) {
        if (!problem.has(Feature.CONSUMABLE_CAPACITY)) {
            return;
        }
        for (Hand hand : hands) {
            if (hand.share() != null && !hand.share().equals(portion(hand))) {
                broken.add("another portion than " + portion(hand) + ": " + hand);
            }
            hand.device().capacity().forEach((name, capacity) -> {
                BigDecimal sum = taken(hands, hand, name);
                if (sum.compareTo(capacity.value().value()) > 0) {
                    broken.add(name + " is " + sum + ": " + hand);
                }
            });
        }
    }

    @Nullable Map<String, Quantity> portion(Hand hand) {
        return SharePolicy.portion(hand.request(), hand.device(), problem.has(Feature.FRACTIONAL_CAPACITY_RANGE));
    }

    /** The consumed capacity. For a device that is not shared, it is the portion too, because holders may have shares of it. */
    private BigDecimal taken(List<Hand> hands, Hand hand, String capacity) {
        Stream<Map<String, Quantity>> before = held.getOrDefault(hand.id(), List.of()).stream()
                .flatMap(each -> Stream.ofNullable(each.share()))
                .map(AllocatedDevice.Share::consumedCapacity);
        Stream<Map<String, Quantity>> now = hand.share() == null
                ? Stream.ofNullable(portion(hand))
                : hands.stream().filter(each -> each.id().equals(hand.id())).map(Hand::share);
        return Stream.concat(before, now)
                .map(share -> share.getOrDefault(capacity, Quantity.ZERO).value())
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** The devices that consume counters: each whole device, and each shared device once. */
    private List<Device> takers(PoolId pool, List<Hand> hands) {
        Set<DeviceId> shared = new HashSet<>();
        held.forEach((id, holders) -> {
            if (holders.stream().anyMatch(each -> each.share() != null)) {
                shared.add(id);
            }
        });
        return hands.stream()
                .filter(hand -> hand.slice().pool().equals(pool))
                .filter(hand -> hand.share() == null || shared.add(hand.id()))
                .map(Hand::device)
                .filter(device -> !device.consumesCounters().isEmpty())
                .toList();
    }

    private void brokenByCounters(PoolId pool, List<Hand> hands, List<String> broken) {
        List<Device> takers = takers(pool, hands);
        if (takers.isEmpty()) {
            return;
        }
        // The order in which upstream visits them.
        List<Device> before = slicesOfPool.get(pool).stream()
                .sorted(Comparator.comparing(slice -> isSeen(slice) ? slice.name() : LAST))
                .flatMap(slice -> slice.devices().stream())
                .filter(device -> held.containsKey(pool.device(device.name())))
                .toList();
        for (Slice slice : slicesOfPool.get(pool)) {
            for (CounterSet set : slice.counterSets()) {
                List<CounterConsumption> heldEntries = entries(set, before);
                List<CounterConsumption> newEntries = entries(set, takers);
                if (isOverdrawn(
                        set,
                        Stream.concat(heldEntries.stream(), newEntries.stream()).toList())) {
                    broken.add("counters of " + pool + ", " + set);
                }
                if (problem.options().gate() == GroupsGate.ON && !isCompatible(heldEntries, newEntries)) {
                    broken.add("groups of " + pool + ", " + set + ": " + heldEntries + " and " + newEntries);
                }
            }
        }
    }

    private static List<CounterConsumption> entries(CounterSet set, List<Device> devices) {
        return devices.stream()
                .flatMap(device -> device.consumesCounters().stream())
                .filter(entry -> entry.counterSet().equals(set.name()))
                .toList();
    }

    private static boolean isOverdrawn(CounterSet set, List<CounterConsumption> entries) {
        var left = new HashMap<String, BigDecimal>();
        set.counters().forEach((name, value) -> left.put(name, value.value()));
        entries.forEach(entry -> entry.counters()
                .forEach((name, value) -> left.merge(name, value.value().negate(), BigDecimal::add)));
        return left.values().stream().anyMatch(value -> value.signum() < 0);
    }

    /** If there are holders with groups and without, only those like the first one count. */
    private static boolean isCompatible(List<CounterConsumption> before, List<CounterConsumption> now) {
        Stream<CounterConsumption> ofOneKind = before.stream()
                .filter(entry -> entry.compatibilityGroups().isEmpty()
                        == before.get(0).compatibilityGroups().isEmpty());
        return now.isEmpty()
                || goTogether(Stream.concat(ofOneKind, now.stream()).toList());
    }

    private static boolean goTogether(List<CounterConsumption> entries) {
        Set<String> common = entries.stream()
                .flatMap(entry -> entry.compatibilityGroups().stream())
                .collect(Collectors.toSet());
        boolean noneHasGroups = common.isEmpty();
        entries.forEach(entry -> common.retainAll(entry.compatibilityGroups()));
        return noneHasGroups || !common.isEmpty();
    }

    private void brokenByCounts(Claim claim, List<Hand> hands, List<String> broken) {
        if (hands.size() > 32) {
            broken.add("too many for " + claim.ref());
        }
        for (DeviceRequest request : claim.requests()) {
            List<Named> served = names(request)
                    .filter(named -> hands.stream().anyMatch(hand -> hand.name().equals(named.name())))
                    .toList();
            if (served.size() > 1) {
                broken.add("several alternatives: " + served);
            }
            Stream<Named> judged = served.isEmpty() ? names(request) : served.stream();
            if (judged.noneMatch(named -> isServed(named, claim, hands))) {
                broken.add("not served: " + request);
            }
        }
    }

    private boolean isServed(Named named, Claim claim, List<Hand> hands) {
        long count =
                hands.stream().filter(hand -> hand.name().equals(named.name())).count();
        return named.request().isAll()
                ? count > 0 && count == all(named, claim)
                : count == named.request().count();
    }

    private long all(Named named, Claim claim) {
        return slicesOfPool.values().stream()
                .flatMap(List::stream)
                .flatMap(slice -> reached(slice).map(device -> hand(named, claim, slice, device)))
                .filter(hand -> matches(hand) && isLargeEnough(hand))
                .count();
    }

    private static Hand hand(Named named, Claim claim, Slice slice, Device device) {
        return new Hand(0, claim, named.name(), named.request(), slice, device, null);
    }

    boolean isLargeEnough(Hand hand) {
        if (!problem.has(Feature.CONSUMABLE_CAPACITY)) {
            return true;
        }
        Map<String, Quantity> portion = portion(hand);
        return portion != null
                && portion.entrySet().stream()
                        .allMatch(entry -> entry.getValue()
                                        .compareTo(hand.device()
                                                .capacity()
                                                .get(entry.getKey())
                                                .value())
                                <= 0);
    }
}
