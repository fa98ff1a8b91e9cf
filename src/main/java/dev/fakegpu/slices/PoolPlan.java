package dev.fakegpu.slices;

import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What to write so that a pool becomes what it should be: first delete, then apply in order. Following
 * {@code resourceslice/resourceslicecontroller.go} of {@code k8s.io/dynamic-resource-allocation}, with names fixed in advance.
 *
 * <p>A reader takes a pool for complete when as many slices as they say carry the highest generation. So either a single write
 * leads from one complete state to the next, or the generation goes up and every slice is written, and the pool is incomplete
 * from the first write to the last. That holds for a plan that was cut short, too: the next one goes up again.
 *
 * @param generation of the pool when all is written
 * @param apply slices to create or to replace, with that generation
 * @param delete names of slices; one that is in {@code apply} as well must go first, because it cannot be changed in place
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
     * Compares by value: another spelling of a quantity is no difference.
     *
     * @param desired all slices of the pool; their generation does not matter
     * @param stored all slices that there are for this pool, under whatever name
     */
    public static PoolPlan of(List<Slice> desired, List<Slice> stored) {
        return of(desired, stored, Set.of());
    }

    /**
     * The same, where there is more to a slice than its content.
     *
     * @param stale names of stored slices that must be written anew, although their content is as it should be
     */
    public static PoolPlan of(List<Slice> desired, List<Slice> stored, Set<String> stale) {
        return ofTimed(TaintTimes.keep(desired, stored), stored, stale);
    }

    private static PoolPlan ofTimed(List<Slice> desired, List<Slice> stored, Set<String> stale) {
        Map<String, Slice> wanted = byName(desired);
        Map<String, Slice> kept = byName(stored.stream()
                .filter(slice -> canBecome(slice, wanted.get(slice.name())))
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

    /** Driver, pool name and the one node of a slice are immutable. */
    private static boolean canBecome(Slice stored, @Nullable Slice wanted) {
        return wanted != null
                && stored.pool().equals(wanted.pool())
                && nodeName(stored).equals(nodeName(wanted));
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
