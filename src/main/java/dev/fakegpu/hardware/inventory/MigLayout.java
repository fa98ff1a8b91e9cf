package dev.fakegpu.hardware.inventory;

import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.catalog.MigPlacement;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.MigTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places the MIG devices of a layout on a GPU. They are created in the order of nvidia-mig-parted ({@code Flatten} in
 * {@code pkg/types/mig_config.go}), from large to small. If that fails, other positions are tried, as nvidia-mig-parted does. The real
 * driver chooses the position of each device by a rule that is not published. The rule here is to choose the position that leaves the most
 * possible placements of all profiles, and of those the lowest. It reproduces every listing in "Getting started with MIG" of NVIDIA's MIG
 * User Guide.
 */
final class MigLayout {

    /** A MIG device. */
    record Instance(MigProfile profile, MigPlacement placement) {}

    private static final Comparator<MigProfile> LARGE_FIRST = Comparator.comparingInt(MigProfile::computeSlices)
            .thenComparingInt(MigLayout::size)
            .thenComparing(MigProfile::name)
            .reversed();

    /** More than the number of sets of 16 memory slices, so the search gives up only on layouts of unusual GPUs. */
    private static final int MAX_TRIES = 100_000;

    /** The memory slices of each possible placement of each profile. */
    private final int[] possible;

    private final List<MigProfile> order;
    private final List<Instance> placed = new ArrayList<>();

    /** Sets of occupied memory slices from which the remaining devices cannot be placed. A set also tells how many devices were placed. */
    private final BitSet failed = new BitSet();

    private int tries;

    private MigLayout(MigTable table, List<MigProfile> order) {
        this.order = order;
        this.possible = table.profiles().stream()
                .flatMap(profile -> profile.possiblePlacements().stream())
                .mapToInt(MigLayout::slices)
                .toArray();
    }

    /**
     * The devices of a layout. Empty if they do not fit on the GPU together, or if it has more than 16 memory slices and the search gave
     * up.
     *
     * @param devices the number of devices by profile, none more than the profile's maximum
     */
    static Optional<List<Instance>> place(MigTable table, Map<MigProfile, Long> devices) {
        var order = new ArrayList<MigProfile>();
        devices.forEach((profile, count) -> {
            for (long i = 0; i < count; i++) {
                order.add(profile);
            }
        });
        order.sort(LARGE_FIRST);
        return fits(table, order) ? inOrder(table, order) : Optional.empty();
    }

    /** The devices in the given order, each at its preferred position if that leaves room for the others. */
    static Optional<List<Instance>> inOrder(MigTable table, List<MigProfile> order) {
        var layout = new MigLayout(table, order);
        return layout.placeRest(0) ? Optional.of(List.copyOf(layout.placed)) : Optional.empty();
    }

    /** Whether the resources that do not depend on positions suffice: memory, compute and engines. */
    private static boolean fits(MigTable table, List<MigProfile> order) {
        Map<String, Quantity> used = new HashMap<>();
        order.forEach(profile -> MigResource.capacities(profile.capacity())
                .forEach((name, amount) -> used.merge(name, amount, Quantity::plus)));
        Map<String, Quantity> total = MigResource.capacities(table.total());
        return order.stream().mapToInt(MigLayout::size).sum() <= table.memorySlices()
                && order.stream().mapToInt(MigProfile::computeSlices).sum() <= table.computeSlices()
                && total.entrySet().stream()
                        .allMatch(entry ->
                                used.getOrDefault(entry.getKey(), Quantity.ZERO).compareTo(entry.getValue()) <= 0);
    }

    private boolean placeRest(int occupied) {
        if (placed.size() == order.size()) {
            return true;
        }
        if (++tries > MAX_TRIES) {
            return false;
        }
        MigProfile next = order.get(placed.size());
        for (MigPlacement place : preferred(next, occupied)) {
            int then = occupied | slices(place);
            if (!failed.get(then)) {
                placed.add(new Instance(next, place));
                if (placeRest(then)) {
                    return true;
                }
                placed.remove(placed.size() - 1);
                failed.set(then);
            }
        }
        return false;
    }

    /** Sorting is stable, so the lowest of equally good positions comes first. */
    private List<MigPlacement> preferred(MigProfile profile, int occupied) {
        return profile.possiblePlacements().stream()
                .filter(place -> (slices(place) & occupied) == 0)
                .sorted(Comparator.comparingInt(place -> takenFromOthers(place, occupied)))
                .toList();
    }

    private int takenFromOthers(MigPlacement place, int occupied) {
        int taken = slices(place);
        int others = 0;
        for (int other : possible) {
            if ((other & occupied) == 0 && (other & taken) != 0) {
                others++;
            }
        }
        return others;
    }

    private static int size(MigProfile profile) {
        return profile.possiblePlacements().get(0).size();
    }

    /** The memory slices as bits; a GPU has at most 24. */
    private static int slices(MigPlacement placement) {
        return ((1 << placement.size()) - 1) << placement.start();
    }
}
