package dev.fakegpu.slices;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.inventory.Inventory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Deals the inventory of a node out to ResourceSlices. */
public final class PoolLayout {

    private static final int MAX_COUNTER_SETS = 8;
    private static final int MAX_NAME = 253;

    private PoolLayout() {}

    /**
     * The slices of a pool, in generation 1: counter sets first, in slices of their own as the API demands, then devices in the
     * inventory's order. An empty inventory has one empty slice, so that "no devices" and "no driver" can be told apart
     * (ResourceSlice controller of {@code k8s.io/dynamic-resource-allocation}).
     *
     * <p>Slices are named in that order, too: an allocator tries the slices of a pool in the bytewise order of their names.
     *
     * @param published what the API server gets to see
     */
    public static List<Slice> slices(PoolId pool, String nodeName, String fakeGpuName, Inventory published) {
        List<Content> contents = contents(published);
        String prefix = namePrefix(pool, nodeName, fakeGpuName);
        var slices = new ArrayList<Slice>();
        for (Content content : contents) {
            slices.add(new Slice(
                    prefix + String.format("%04x", slices.size()),
                    pool,
                    1,
                    contents.size(),
                    new NodeSelection.NodeName(nodeName),
                    content.counterSets,
                    content.devices));
        }
        return List.copyOf(slices);
    }

    private static List<Content> contents(Inventory inventory) {
        var contents = new ArrayList<Content>();
        List<CounterSet> sets = inventory.counterSets();
        for (int from = 0; from < sets.size(); from += MAX_COUNTER_SETS) {
            List<CounterSet> some = sets.subList(from, Math.min(from + MAX_COUNTER_SETS, sets.size()));
            contents.add(new Content(some, List.of()));
        }
        DeviceBatch.split(inventory.devices()).forEach(devices -> contents.add(new Content(List.of(), devices)));
        return contents.isEmpty() ? List.of(new Content(List.of(), List.of())) : contents;
    }

    /**
     * {@code <FakeGpu>-<node>-<hash>-}. The hash keeps pools apart whose names would otherwise read the same, like node {@code b-c}
     * of {@code a} and node {@code c} of {@code a-b}, and long node names that had to be cut.
     */
    private static String namePrefix(PoolId pool, String nodeName, String fakeGpuName) {
        String hash = UUID.nameUUIDFromBytes(pool.toString().getBytes(UTF_8))
                .toString()
                .substring(0, 6);
        int room = MAX_NAME - "--000000-0000".length() - fakeGpuName.length();
        return fakeGpuName + "-" + cut(nodeName, room) + "-" + hash + "-";
    }

    /** A dash after a dot is no DNS subdomain, so what is cut must end with a letter or digit. */
    private static String cut(String nodeName, int room) {
        return nodeName.length() <= room
                ? nodeName
                : nodeName.substring(0, room).replaceAll("[-.]+$", "");
    }

    private record Content(List<CounterSet> counterSets, List<Device> devices) {}
}
