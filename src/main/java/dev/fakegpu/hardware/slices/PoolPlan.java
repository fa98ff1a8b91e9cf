package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The writes that bring a pool to its desired state: first delete, then apply in order. This follows
 * {@code resourceslice/resourceslicecontroller.go} of {@code k8s.io/dynamic-resource-allocation}, but with deterministic names.
 *
 * <p>Readers consider a pool complete if the number of slices with the highest generation equals their slice count. Therefore, either a
 * single write leads from one complete state to the next, or the generation is incremented and every slice is written; then the pool is
 * incomplete from the first write to the last. This also holds if a plan is interrupted, because the next plan increments the generation
 * again.
 *
 * @param generation the generation of the pool after all writes
 * @param apply slices to create or to replace, with that generation
 * @param delete names of slices to delete; a slice that is also in {@code apply} must be deleted first because it differs in immutable
 *     fields
 */
public record PoolPlan(long generation, List<Slice> apply, List<String> delete) {

    public PoolPlan {
        apply = List.copyOf(apply);
        delete = List.copyOf(delete);
    }

    public boolean isEmpty() {
        return apply.isEmpty() && delete.isEmpty();
    }

    /**
     * Computes the writes. Values are compared, so different spellings of a quantity are equal.
     *
     * @param desired all slices of the pool; their generation is ignored
     * @param stored all existing slices of the pool, whatever their names
     * @param stale the names of stored slices that must be written again although their content is up to date
     */
    public static PoolPlan of(List<Slice> desired, List<Slice> stored, Set<String> stale) {
        return ofTimed(TaintTimes.keep(desired, stored), stored, stale);
    }

    private static PoolPlan ofTimed(List<Slice> desired, List<Slice> stored, Set<String> stale) {
        Map<String, Slice> desiredByName = byName(desired);
        Map<String, Slice> kept = byName(stored.stream()
                .filter(slice -> canUpdate(slice, desiredByName.get(slice.name())))
                .toList());
        List<String> obsolete = stored.stream()
                .map(Slice::name)
                .filter(name -> !kept.containsKey(name))
                .toList();
        long highest = stored.stream().mapToLong(Slice::generation).max().orElse(0);
        boolean sameSlices = obsolete.isEmpty() && kept.size() == desired.size();
        boolean complete = kept.values().stream()
                .allMatch(slice -> slice.generation() == highest && slice.sliceCount() == desired.size());
        if (sameSlices && complete) {
            List<Slice> changed = desired.stream()
                    .filter(slice ->
                            stale.contains(slice.name()) || !slice.sameContent(kept.getOrDefault(slice.name(), slice)))
                    .toList();
            if (changed.size() <= 1) {
                return new PoolPlan(highest, inGeneration(highest, changed, desired.size()), List.of());
            }
        }
        return new PoolPlan(highest + 1, inGeneration(highest + 1, desired, desired.size()), obsolete);
    }

    /** The driver, pool name and node name of a slice are immutable. */
    private static boolean canUpdate(Slice stored, @Nullable Slice desired) {
        return desired != null
                && stored.pool().equals(desired.pool())
                && nodeName(stored).equals(nodeName(desired));
    }

    private static String nodeName(Slice slice) {
        return slice.nodes() instanceof NodeSelection.NodeName node ? node.name() : "";
    }

    private static List<Slice> inGeneration(long generation, List<Slice> slices, int count) {
        return slices.stream().map(slice -> slice.withPool(generation, count)).toList();
    }

    private static Map<String, Slice> byName(List<Slice> slices) {
        return slices.stream().collect(Collectors.toMap(Slice::name, Function.identity()));
    }
}
