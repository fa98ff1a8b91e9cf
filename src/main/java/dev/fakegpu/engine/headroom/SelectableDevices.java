package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Diagnoser;
import dev.fakegpu.engine.allocate.Diagnosis;
import dev.fakegpu.engine.allocate.DiagnosisResult;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a node that requests of some claims could get if nothing else were allocated, and the reasons why they cannot get others.
 */
final class SelectableDevices {

    private final NodeInfo node;
    private final Map<PoolId, Pool.Usable> pools = new HashMap<>();
    private final List<OfRequest> requests = new ArrayList<>();
    private final Map<DeviceId, Obstacle> refused = new LinkedHashMap<>();
    private final Set<DeviceId> selected = new LinkedHashSet<>();
    private final Set<DeviceTaint> taints = new LinkedHashSet<>();

    /**
     * The devices of one request, or of all its alternatives.
     *
     * @param count the number of devices that the request is for; 0 if it is not fixed
     * @param free for each device, the number of such requests that it can serve
     */
    private record OfRequest(long count, Map<DeviceId, Long> free) {}

    private SelectableDevices(NodeInfo node) {
        this.node = node;
    }

    static SelectableDevices of(AllocationContext context, NodeInfo node, List<Claim> claims) {
        var candidates = new SelectableDevices(node);
        if (new Diagnoser(context, SearchLimit.none()).diagnose(node, claims)
                instanceof DiagnosisResult.Diagnosed diagnosed) {
            context.slices().pools(node).forEach(candidates::add);
            for (int claim = 0; claim < claims.size(); claim++) {
                for (DeviceRequest request : claims.get(claim).requests()) {
                    candidates.add(diagnosed.diagnosis(), claim, request);
                }
            }
        }
        return candidates;
    }

    private void add(Pool pool) {
        if (pool instanceof Pool.Usable usable) {
            pools.put(usable.id(), usable);
        }
    }

    private void add(Diagnosis diagnosis, int claim, DeviceRequest request) {
        Map<DeviceId, Long> free = new LinkedHashMap<>();
        for (String name : resultNames(request)) {
            diagnosis.judge(claim, name).forEach(judged -> {
                Refusal refusal = judged.refusal();
                if (refusal == null) {
                    free.merge(judged.device(), diagnosis.times(claim, name, judged.device()), Math::max);
                }
                note(judged.device(), refusal);
            });
        }
        ExactRequest exactly = request.exactly();
        long count = exactly == null || exactly.isAll() || exactly.hasAdminAccess() ? 0 : exactly.count();
        requests.add(new OfRequest(count, free));
    }

    private void note(DeviceId device, @Nullable Refusal refusal) {
        if (refusal == null) {
            selected.add(device);
            refused.remove(device);
        } else if (!Obstacle.isNotMeant(refusal)) {
            if (selected.add(device)) {
                refused.put(device, Obstacle.of(refusal));
            }
            if (refusal instanceof Refusal.Tainted tainted) {
                taints.add(tainted.taint());
            }
        }
    }

    /** The names of the request itself or its alternatives in results. */
    private static List<String> resultNames(DeviceRequest request) {
        return request.firstAvailable().isEmpty()
                ? List.of(request.name())
                : request.firstAvailable().stream()
                        .map(alternative -> request.name() + "/" + alternative.name())
                        .toList();
    }

    NodeInfo node() {
        return node;
    }

    int selected() {
        return selected.size();
    }

    List<DeviceTaint> taints() {
        return List.copyOf(taints);
    }

    Map<Obstacle, Integer> refused() {
        var counts = new EnumMap<Obstacle, Integer>(Obstacle.class);
        refused.values().forEach(obstacle -> counts.merge(obstacle, 1, Integer::sum));
        return counts;
    }

    /** Whether every request could get a device. */
    boolean anyFree() {
        return !requests.isEmpty()
                && requests.stream().noneMatch(request -> request.free().isEmpty());
    }

    /** Whether the allocator fails if its search reaches certain devices. */
    boolean mayFail() {
        return refused.containsValue(Obstacle.FAILED);
    }

    /** The pools of the free devices. */
    Set<PoolId> pools() {
        Set<PoolId> used = new LinkedHashSet<>();
        requests.forEach(request -> request.free().keySet().forEach(device -> used.add(device.poolId())));
        return used;
    }

    /** The devices of each request, for comparison with those of other nodes. */
    Object devices() {
        return requests;
    }

    /** Whether any request could get the device here. */
    boolean isFree(DeviceId device) {
        return requests.stream().anyMatch(request -> request.free().containsKey(device));
    }

    /** Whether there is only one request, for a fixed number of devices that need not fit together. */
    static boolean isOfOneRequest(List<Claim> claims) {
        if (claims.size() != 1 || claims.get(0).requests().size() != 1) {
            return false;
        }
        ExactRequest request = claims.get(0).requests().get(0).exactly();
        return request != null
                && !request.isAll()
                && !request.hasAdminAccess()
                && (request.count() == 1 || claims.get(0).constraints().isEmpty());
    }

    static boolean isForOneDevice(List<Claim> claims) {
        ExactRequest request =
                isOfOneRequest(claims) ? claims.get(0).requests().get(0).exactly() : null;
        return request != null && request.count() == 1;
    }

    /** Whether any set of free devices that counters and groups allow can be divided among claims arbitrarily. */
    boolean areInterchangeable(List<Claim> claims) {
        return isForOneDevice(claims)
                || requests.get(0).free().values().stream().allMatch(times -> times == 1);
    }

    /**
     * The number of copies that counters, groups and capacity allow on this node. It is an upper bound; fewer may fit if devices must fit
     * together.
     */
    Count packed(AllocationContext context) {
        return packed(List.of(this), context);
    }

    /** The same number for all devices of several nodes, as if each copy could get any of them. */
    static Count packed(List<SelectableDevices> nodes, AllocationContext context) {
        Map<PoolId, Pool.Usable> pools = new HashMap<>();
        nodes.forEach(node -> pools.putAll(node.pools));
        Map<DeviceId, Device> published = published(
                nodes.stream().flatMap(node -> node.pools.values().stream()).toList());
        Count fewest = Count.exactly(Count.UNLIMITED);
        for (OfRequest request : joined(nodes)) {
            if (request.count() > 0) {
                Count ofRequest =
                        packed(request.free(), pools, published, context).dividedBy(request.count());
                fewest = ofRequest.atMost() < fewest.atMost() ? ofRequest : fewest;
            }
        }
        return fewest;
    }

    /** Each request with its devices on all nodes. */
    private static List<OfRequest> joined(List<SelectableDevices> nodes) {
        var joined = new ArrayList<OfRequest>();
        for (SelectableDevices node : nodes) {
            for (int i = 0; i < node.requests.size(); i++) {
                OfRequest request = node.requests.get(i);
                if (i == joined.size()) {
                    joined.add(new OfRequest(request.count(), new LinkedHashMap<>()));
                }
                joined.get(i).free().putAll(request.free());
            }
        }
        return joined;
    }

    private static Count packed(
            Map<DeviceId, Long> free,
            Map<PoolId, Pool.Usable> pools,
            Map<DeviceId, Device> published,
            AllocationContext context) {
        var items = new TreeMap<PoolId, List<Packing.Item>>();
        free.forEach((device, times) -> items.computeIfAbsent(device.poolId(), ignored -> new ArrayList<>())
                .add(new Packing.Item(consumption(device, published, context), times)));
        Count sum = Count.NONE;
        for (Map.Entry<PoolId, List<Packing.Item>> ofPool : items.entrySet()) {
            var remainder = PoolRemainder.of(Objects.requireNonNull(pools.get(ofPool.getKey())), context.allocated());
            sum = sum.plus(
                    Packing.of(ofPool.getValue(), remainder, context.options().gate()));
        }
        return sum;
    }

    /** For a shared device in use, the first share has consumed the counters. */
    private static List<CounterConsumption> consumption(
            DeviceId id, Map<DeviceId, Device> published, AllocationContext context) {
        List<AllocatedDevice> holders = context.allocated().ofDevice(id);
        return holders.isEmpty() ? Objects.requireNonNull(published.get(id)).consumesCounters() : List.of();
    }

    private static Map<DeviceId, Device> published(Collection<Pool.Usable> pools) {
        var published = new HashMap<DeviceId, Device>();
        pools.forEach(pool -> pool.devices().forEach(device -> published.put(device.id(), device.device())));
        return published;
    }
}
