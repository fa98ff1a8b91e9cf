package dev.fakegpu.schedule;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.Gate;
import dev.fakegpu.allocate.SliceIndex;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The slices that the companion gives away, those of FakeGpus with {@code allocator: Companion}. A slice of a version is
 * read once, so that what an allocator finds out about it can be kept. For one thread.
 */
final class ManagedSlices {

    private record ReadSlice(String version, Slice slice) {}

    private final Ownership ownership;
    private Function<ResourceSlice, Slice> reader;
    private Map<String, ReadSlice> read = new LinkedHashMap<>();
    private Map<PoolId, List<Slice>> byPool = Map.of();
    private Map<PoolId, String> nodeOfPool = Map.of();
    private SliceIndex index;

    ManagedSlices(Ownership ownership, AllocatorOptions options) {
        this.ownership = ownership;
        reader = reader(options.gate());
        index = new SliceIndex(List.of(), options);
    }

    SliceIndex index() {
        return index;
    }

    boolean isManaged(PoolId pool) {
        return byPool.containsKey(pool);
    }

    Set<PoolId> pools() {
        return byPool.keySet();
    }

    /** Of pools that only one node can reach, that node. */
    Map<PoolId, String> nodeOfPool() {
        return nodeOfPool;
    }

    /** What the slices say now about a device, the newest generation if there are several for a moment. */
    Optional<CompatibilityGroups> groups(DeviceId id) {
        return byPool.getOrDefault(id.poolId(), List.of()).stream()
                .flatMap(slice -> slice.devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .findFirst()
                .map(device -> device.compatibilityGroups());
    }

    /** Another way to look at the same slices. */
    void use(AllocatorOptions options) {
        reader = reader(options.gate());
        read.replaceAll((uid, slice) -> new ReadSlice("", slice.slice())); // so that all are read again
        index = new SliceIndex(slices(), options);
    }

    /**
     * A companion that stands for a scheduler without the feature sees the slices only, as that one would; otherwise groups count that
     * are kept beside them, too.
     */
    private static Function<ResourceSlice, Slice> reader(Gate gate) {
        return gate == Gate.ON ? GroupsAnnotation::read : SliceReader::read;
    }

    /**
     * Reads what is stored now.
     *
     * @return the pools that changed
     */
    Set<PoolId> refresh() {
        var now = new LinkedHashMap<String, ReadSlice>();
        var changed = new HashSet<PoolId>();
        ownership.slices().forEach(slice -> {
            String uid = slice.getMetadata().getUid();
            String version = slice.getMetadata().getResourceVersion();
            ReadSlice before = read.get(uid);
            if (before == null || !before.version().equals(version)) {
                now.put(uid, new ReadSlice(version, reader.apply(slice)));
                changed.add(Objects.requireNonNull(now.get(uid)).slice().pool());
            } else {
                now.put(uid, before);
            }
        });
        read.forEach((uid, before) -> {
            if (!now.containsKey(uid)) {
                changed.add(before.slice().pool());
            }
        });
        if (!changed.isEmpty()) {
            read = now;
            index = index.update(slices());
            findPools();
        }
        return changed;
    }

    private List<Slice> slices() {
        return read.values().stream().map(ReadSlice::slice).toList();
    }

    private void findPools() {
        byPool = new HashMap<>();
        slices().forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                .add(slice));
        byPool.values()
                .forEach(slices ->
                        slices.sort(Comparator.comparingLong(Slice::generation).reversed()));
        nodeOfPool = new HashMap<>();
        byPool.forEach((pool, slices) -> onlyNode(slices).ifPresent(node -> nodeOfPool.put(pool, node)));
    }

    private static Optional<String> onlyNode(List<Slice> slices) {
        String node = nodeName(slices.get(0));
        return !node.isEmpty() && slices.stream().allMatch(slice -> node.equals(nodeName(slice)))
                ? Optional.of(node)
                : Optional.empty();
    }

    private static String nodeName(Slice slice) {
        return slice.nodes() instanceof dev.fakegpu.dra.NodeSelection.NodeName only ? only.name() : "";
    }
}
