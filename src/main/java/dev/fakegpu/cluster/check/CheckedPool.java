package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The slices of a pool.
 *
 * @param all the slices of all generations
 * @param current the slices of the highest generation, which are the only ones that count; not empty
 */
record CheckedPool(PoolId id, List<CheckedSlice> all, List<CheckedSlice> current) {

    static List<CheckedPool> of(List<CheckedSlice> slices) {
        var byPool = new TreeMap<PoolId, List<CheckedSlice>>();
        slices.forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                .add(slice));
        return byPool.entrySet().stream()
                .map(entry -> of(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static CheckedPool of(PoolId id, List<CheckedSlice> all) {
        long newest = all.stream()
                .mapToLong(slice -> slice.slice().generation())
                .max()
                .orElse(0);
        return new CheckedPool(
                id,
                all,
                all.stream()
                        .filter(slice -> slice.slice().generation() == newest)
                        .toList());
    }

    CheckedSlice first() {
        return current.get(0);
    }

    long generation() {
        return first().slice().generation();
    }

    boolean hasOneCount() {
        return current.stream()
                        .map(slice -> slice.slice().sliceCount())
                        .distinct()
                        .count()
                == 1;
    }

    List<CheckedDevice> devices() {
        return current.stream().flatMap(slice -> slice.devices().stream()).toList();
    }

    /** The place where a device is declared; if its name occurs twice, the last place. */
    Optional<Where> device(String name) {
        return devices().stream()
                .filter(device -> device.name().equals(name))
                .reduce((first, last) -> last)
                .map(device -> device.at(""));
    }

    /** The place where a counter set is declared; if its name occurs twice, the last place. */
    Optional<Where> counterSet(String name) {
        Optional<Where> found = Optional.empty();
        for (CheckedSlice slice : current) {
            for (int i = 0; i < slice.slice().counterSets().size(); i++) {
                if (slice.slice().counterSets().get(i).name().equals(name)) {
                    found = Optional.of(slice.at("spec.sharedCounters[" + i + "]"));
                }
            }
        }
        return found;
    }
}
