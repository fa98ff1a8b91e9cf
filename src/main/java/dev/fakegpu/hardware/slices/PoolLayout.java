package dev.fakegpu.hardware.slices;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.Inventory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Distributes the inventory of a node over ResourceSlices. */
public final class PoolLayout {

    private PoolLayout() {}

    /**
     * The slices of a pool, in generation 1: first counter sets, in their own slices as the API requires, then devices in the order of the
     * inventory. An empty inventory gets one empty slice, to distinguish "no devices" from "no driver" (ResourceSlice controller of
     * {@code k8s.io/dynamic-resource-allocation}).
     *
     * <p>The bytewise order of the slices' names is the same, because allocators try the slices of a pool in that order.
     *
     * @param published the inventory as it is published
     */
    public static List<Slice> slices(PoolTarget target, Inventory published) {
        List<Content> contents = contents(published);
        boolean perDevice = published.devices().stream().anyMatch(device -> device.nodes() != null);
        String prefix = namePrefix(target);
        var slices = new ArrayList<Slice>();
        for (Content content : contents) {
            String name = prefix + String.format("%04x", slices.size());
            slices.add(
                    perDevice
                            ? perDevice(name, target, content, contents.size())
                            : slice(name, target, content, contents.size()));
        }
        return List.copyOf(slices);
    }

    private static Slice slice(String name, PoolTarget target, Content content, int count) {
        return new Slice(
                name,
                target.pool(),
                1,
                count,
                target.nodes(),
                null,
                content.counterSets,
                content.devices,
                target.skipNodeOperations(),
                content.consumesCounters() ? target.partitionTypeAttribute() : null);
    }

    /** Slices with counter sets select all nodes, because any node may have access to a device that consumes from them. */
    private static Slice perDevice(String name, PoolTarget target, Content content, int count) {
        boolean counters = !content.counterSets.isEmpty();
        return new Slice(
                name,
                target.pool(),
                1,
                count,
                counters ? new NodeSelection.AllNodes() : new NodeSelection.None(),
                counters ? null : true,
                content.counterSets,
                content.devices.stream()
                        .map(device -> device.nodes() == null ? device.withNodes(target.nodes()) : device)
                        .toList(),
                target.skipNodeOperations(),
                content.consumesCounters() ? target.partitionTypeAttribute() : null);
    }

    private static List<Content> contents(Inventory inventory) {
        var contents = new ArrayList<Content>();
        List<CounterSet> sets = inventory.counterSets();
        for (int from = 0; from < sets.size(); from += Limits.COUNTER_SETS) {
            List<CounterSet> some = sets.subList(from, Math.min(from + Limits.COUNTER_SETS, sets.size()));
            contents.add(new Content(some, List.of()));
        }
        DeviceBatch.split(inventory.devices()).forEach(devices -> contents.add(new Content(List.of(), devices)));
        return contents.isEmpty() ? List.of(new Content(List.of(), List.of())) : contents;
    }

    /**
     * {@code <FakeGpu>-<node>-<hash>-}, without the node for devices that belong to no node. The hash tells pools apart whose prefixes
     * would otherwise be equal, such as those of node {@code b-c} of {@code a} and node {@code c} of {@code a-b}, and those of truncated
     * node names.
     */
    private static String namePrefix(PoolTarget target) {
        String hash = UUID.nameUUIDFromBytes(target.pool().toString().getBytes(UTF_8))
                .toString()
                .substring(0, 6);
        int room = Limits.SUBDOMAIN
                - "--000000-0000".length()
                - target.fakeGpuName().length();
        String node = target.nodeName().isEmpty() ? "" : truncate(target.nodeName(), room) + "-";
        return target.fakeGpuName() + "-" + node + hash + "-";
    }

    /** A truncated name must end with a letter or digit, because a DNS subdomain cannot have a dash after a dot. */
    private static String truncate(String nodeName, int room) {
        return nodeName.length() <= room
                ? nodeName
                : nodeName.substring(0, room).replaceAll("[-.]+$", "");
    }

    private record Content(List<CounterSet> counterSets, List<Device> devices) {
        boolean consumesCounters() {
            return devices.stream()
                    .anyMatch(device -> !device.consumesCounters().isEmpty());
        }
    }
}
