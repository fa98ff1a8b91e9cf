package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The slices of a pool.
 *
 * @param all of any generation
 * @param current those of the highest generation, which alone count; not empty
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

    /** Where a device is declared; the last place if its name is there twice. */
    Optional<Where> device(String name) {
        return devices().stream()
                .filter(device -> device.name().equals(name))
                .reduce((first, last) -> last)
                .map(device -> device.at(""));
    }

    /** Where a counter set is declared; the last place if its name is there twice. */
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
