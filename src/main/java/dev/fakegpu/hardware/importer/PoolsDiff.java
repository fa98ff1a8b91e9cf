package dev.fakegpu.hardware.importer;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the content of two sets of slices: their pools by driver and name, regardless of slice names and of how devices are distributed.
 */
public final class PoolsDiff {

    private final List<Difference> differences = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int equal;

    private PoolsDiff() {}

    /** How a pool differs. */
    public enum Kind {
        ONLY_IN_FIRST,
        ONLY_IN_SECOND,
        DIFFERENT
    }

    /**
     * A difference.
     *
     * @param sentence names the pool and says how the second set differs
     */
    public record Difference(PoolId pool, Kind kind, String sentence) {}

    /**
     * The result.
     *
     * @param differences empty if both sets have the same content
     * @param notes sentences about what was ignored, such as older generations
     * @param equalPools the number of equal pools
     */
    public record Result(List<Difference> differences, List<String> notes, int equalPools) {
        public Result {
            differences = List.copyOf(differences);
            notes = List.copyOf(notes);
        }
    }

    /** How the second set differs from the first. */
    public static Result between(List<Slice> first, List<Slice> second) {
        return new PoolsDiff().compare(first, second);
    }

    private Result compare(List<Slice> first, List<Slice> second) {
        Map<PoolId, PoolContent> before = pools(first);
        Map<PoolId, PoolContent> after = pools(second);
        before.forEach((id, pool) -> {
            PoolContent counterpart = after.remove(id);
            if (counterpart == null) {
                differences.add(new Difference(id, Kind.ONLY_IN_FIRST, title(pool) + " is only in the first"));
            } else {
                compare(pool, counterpart);
            }
        });
        after.forEach((id, pool) ->
                differences.add(new Difference(id, Kind.ONLY_IN_SECOND, title(pool) + " is only in the second")));
        return new Result(differences, notes, equal);
    }

    private void compare(PoolContent before, PoolContent after) {
        var sentences = new ArrayList<String>();
        if (!before.nodes().equals(after.nodes())) {
            sentences.add("pool %s: is for %s instead of %s"
                    .formatted(before.pool().name(), nodes(after.nodes()), nodes(before.nodes())));
        }
        sentences.addAll(ImportDiff.between(before, after));
        sentences.forEach(sentence -> differences.add(new Difference(before.pool(), Kind.DIFFERENT, sentence)));
        equal += sentences.isEmpty() ? 1 : 0;
    }

    private Map<PoolId, PoolContent> pools(List<Slice> slices) {
        var byPool = new TreeMap<PoolId, List<Slice>>();
        slices.forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                .add(slice.mapDevices(PoolsDiff::withoutTaintTimes)));
        var pools = new TreeMap<PoolId, PoolContent>();
        byPool.forEach((id, its) -> pools.put(id, PoolContent.of(id, its, notes)));
        return pools;
    }

    /** Removes the times of taints, which the API server sets. */
    private static Device withoutTaintTimes(Device device) {
        return device.withTaints(
                device.taints().stream().map(taint -> taint.addedAt(null)).toList());
    }

    private static String title(PoolContent pool) {
        return "pool %s of driver %s".formatted(pool.pool().name(), pool.pool().driver());
    }

    private static String nodes(NodeSelection nodes) {
        if (nodes instanceof NodeSelection.NodeName node) {
            return "node " + node.name();
        }
        if (nodes instanceof NodeSelection.AllNodes) {
            return "all nodes";
        }
        return nodes instanceof NodeSelection.Matching matching ? "nodes that match " + matching.selector() : "no node";
    }
}
