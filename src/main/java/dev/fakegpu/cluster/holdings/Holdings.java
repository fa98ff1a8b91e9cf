package dev.fakegpu.cluster.holdings;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Determines which claims hold which devices. */
public final class Holdings {

    private final Map<DeviceId, List<HeldClaim>> claims = new LinkedHashMap<>();
    private final Map<DeviceId, List<AllocatedDevice>> held = new LinkedHashMap<>();

    private Holdings(List<HeldClaim> all) {
        for (HeldClaim claim : all) {
            for (AllocatedDevice device : claim.devices()) {
                claims.computeIfAbsent(device.id(), ignored -> new ArrayList<>())
                        .add(claim);
                held.computeIfAbsent(device.id(), ignored -> new ArrayList<>()).add(device);
            }
        }
    }

    /**
     * The hardware of all pools with the claims that hold it, by node and pool.
     *
     * @param slices slices of any driver; only the newest generation of each pool counts
     * @param claims the claims that have devices
     */
    public static List<Gpu> of(List<Slice> slices, List<HeldClaim> claims) {
        var holdings = new Holdings(claims);
        var byPool = new TreeMap<PoolId, List<Slice>>();
        slices.forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                .add(slice));
        var gpus = new ArrayList<Gpu>();
        byPool.forEach((pool, ofPool) -> gpus.addAll(holdings.ofPool(pool, newest(ofPool))));
        gpus.addAll(holdings.notPublished(gpus));
        gpus.sort(Comparator.comparing(Gpu::node).thenComparing(Gpu::pool));
        return List.copyOf(gpus);
    }

    /** The hardware that claims of a namespace hold, without the claims of other namespaces. */
    public static List<Gpu> heldIn(String namespace, List<Gpu> gpus) {
        return gpus.stream()
                .map(gpu -> gpu.with(gpu.holdings().stream()
                        .filter(holding -> holding.claim().ref().namespace().equals(namespace))
                        .toList()))
                .filter(gpu -> !gpu.holdings().isEmpty())
                .toList();
    }

    static List<Slice> newest(List<Slice> slices) {
        long newest = slices.stream().mapToLong(Slice::generation).max().orElse(0);
        return slices.stream()
                .filter(slice -> slice.generation() == newest)
                .sorted(Comparator.comparing(Slice::name))
                .toList();
    }

    private List<Gpu> ofPool(PoolId pool, List<Slice> slices) {
        Map<String, CounterSet> sets = new LinkedHashMap<>();
        slices.forEach(slice -> slice.counterSets().forEach(set -> sets.put(set.name(), set)));
        return hardware(slices).values().stream()
                .map(devices -> new GpuReport(pool, devices, sets, this).gpu())
                .toList();
    }

    /** The GPU of a static MIG device, which has no counters that would show it. */
    static Optional<String> parent(Device device) {
        return device.consumesCounters().isEmpty() ? device.text("parentUUID") : Optional.empty();
    }

    /**
     * Groups devices that belong together, directly or through others, because they share counter sets; static MIG devices are grouped by
     * their GPU.
     */
    private static Map<Set<String>, List<PublishedDevice>> hardware(List<Slice> slices) {
        Map<Set<String>, List<PublishedDevice>> hardware = new LinkedHashMap<>();
        for (Slice slice : slices) {
            for (Device device : slice.devices()) {
                Set<String> sets = new HashSet<>();
                device.consumesCounters().forEach(entry -> sets.add(entry.counterSet()));
                if (sets.isEmpty()) {
                    sets.add("device " + parent(device).orElse(device.name()));
                }
                var together = new ArrayList<PublishedDevice>();
                List.copyOf(hardware.keySet()).stream()
                        .filter(other -> !Collections.disjoint(other, sets))
                        .forEach(other -> {
                            together.addAll(hardware.remove(other));
                            sets.addAll(other);
                        });
                together.add(new PublishedDevice(device, slice));
                hardware.put(sets, together);
            }
        }
        return hardware;
    }

    /** A device and its slice. */
    record PublishedDevice(Device device, Slice slice) {
        DeviceId id() {
            return slice.pool().device(device.name());
        }
    }

    /** The claims that hold a device, in the same order as {@link #allocated}. */
    List<HeldClaim> claims(DeviceId device) {
        return claims.getOrDefault(device, List.of());
    }

    List<AllocatedDevice> allocated(DeviceId device) {
        return held.getOrDefault(device, List.of());
    }

    /** The allocated devices of a pool that recorded groups, which count even if they are no longer published. */
    List<AllocatedDevice> recorded(PoolId pool, Set<DeviceId> published) {
        return held.values().stream()
                .flatMap(List::stream)
                .filter(device -> device.id().poolId().equals(pool) && !published.contains(device.id()))
                .filter(device -> device.groups() != null)
                .toList();
    }

    private List<Gpu> notPublished(List<Gpu> published) {
        Set<DeviceId> known = new HashSet<>();
        published.forEach(gpu ->
                gpu.holdings().forEach(holding -> known.add(gpu.pool().device(holding.device()))));
        var missing = new TreeMap<PoolId, List<Gpu.Holding>>();
        claims.forEach((device, holders) -> {
            if (!known.contains(device)) {
                holders.forEach(claim -> missing.computeIfAbsent(device.poolId(), ignored -> new ArrayList<>())
                        .add(new Gpu.Holding(device.device(), claim, Map.of(), claim.notes())));
            }
        });
        return missing.entrySet().stream()
                .map(entry -> new Gpu(
                        Gpu.NO_NODE,
                        entry.getKey(),
                        entry.getKey().name(),
                        Gpu.NOT_PUBLISHED,
                        entry.getValue(),
                        List.of(),
                        List.of(),
                        Gpu.Hardware.UNKNOWN))
                .toList();
    }
}
