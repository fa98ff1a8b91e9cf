package dev.fakegpu.cluster.holdings;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.DevicePlace;
import dev.fakegpu.util.SafeText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws the hardware of nodes as text: which devices of any driver are attached to which NUMA node and PCIe root, and who holds them. */
public final class Topology {

    private static final int NO_NUMA_NODE = Integer.MAX_VALUE;

    /** The maximum length of an attribute in the API. */
    private static final int MAX_ROOT = 64;

    private final Map<DeviceId, List<HeldClaim>> holders = new HashMap<>();

    private Topology(List<HeldClaim> claims) {
        claims.forEach(claim -> claim.devices().stream()
                .map(AllocatedDevice::id)
                .distinct()
                .forEach(device -> holders.computeIfAbsent(device, ignored -> new ArrayList<>())
                        .add(claim)));
    }

    /** A device and its location; the root is empty if it has none, as for CPUs. */
    private record Placed(int numaNode, String root, DeviceId id) {}

    /** A line without its indentation; the second text is empty in headings. */
    private record Line(int indent, String what, String who) {}

    /**
     * Draws the nodes with their devices.
     *
     * @param slices slices of any driver; only the newest generation of each pool counts
     * @param claims the claims that have devices
     */
    public static List<String> lines(List<Slice> slices, List<HeldClaim> claims) {
        var topology = new Topology(claims);
        var byNode = new TreeMap<String, List<Placed>>();
        var byPool = new TreeMap<PoolId, List<Slice>>();
        slices.forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                .add(slice));
        byPool.values()
                .forEach(ofPool -> Holdings.newest(ofPool)
                        .forEach(slice -> slice.devices()
                                .forEach(device -> byNode.computeIfAbsent(
                                                node(slice, device), ignored -> new ArrayList<>())
                                        .add(placed(slice, device)))));
        var lines = new ArrayList<Line>();
        byNode.forEach((node, devices) -> {
            lines.add(new Line(0, node, ""));
            lines.addAll(topology.ofNode(devices));
        });
        return written(lines);
    }

    private static String node(Slice slice, Device device) {
        NodeSelection nodes = device.nodes() == null ? slice.nodes() : device.nodes();
        return nodes instanceof NodeSelection.NodeName name ? name.name() : "devices of several nodes";
    }

    private static Placed placed(Slice slice, Device device) {
        var place = DevicePlace.of(device);
        return new Placed(
                Objects.requireNonNullElse(place.numaNode(), NO_NUMA_NODE),
                SafeText.of(place.root(), MAX_ROOT),
                slice.pool().device(device.name()));
    }

    private List<Line> ofNode(List<Placed> devices) {
        Map<String, Integer> numaNodes = devices.stream()
                .filter(device -> !device.root.isEmpty())
                .collect(Collectors.toMap(Placed::root, Placed::numaNode, Math::min));
        List<Placed> sorted = devices.stream()
                .map(device -> new Placed(numaNodes.getOrDefault(device.root, device.numaNode), device.root, device.id))
                .sorted(Comparator.comparing(Placed::numaNode).thenComparing(Placed::root))
                .toList();
        var lines = new ArrayList<Line>();
        for (int i = 0; i < sorted.size(); i++) {
            Placed device = sorted.get(i);
            boolean isFirst = i == 0;
            if (isFirst || sorted.get(i - 1).numaNode != device.numaNode) {
                lines.add(new Line(
                        2, device.numaNode == NO_NUMA_NODE ? "no NUMA node" : "NUMA node " + device.numaNode, ""));
                isFirst = true;
            }
            if (!device.root.isEmpty() && (isFirst || !sorted.get(i - 1).root.equals(device.root))) {
                lines.add(new Line(4, device.root, ""));
            }
            int alike = alike(sorted, i);
            lines.add(line(device, alike));
            i += alike;
        }
        return lines;
    }

    /** The number of following devices that have the same location and driver and are free, as this one is. */
    private int alike(List<Placed> devices, int index) {
        Placed first = devices.get(index);
        if (holders.containsKey(first.id)) {
            return 0;
        }
        return (int) devices.subList(index + 1, devices.size()).stream()
                .takeWhile(other -> other.numaNode == first.numaNode
                        && other.root.equals(first.root)
                        && other.id.driver().equals(first.id.driver())
                        && !holders.containsKey(other.id))
                .count();
    }

    private Line line(Placed device, int alike) {
        String what =
                device.id.device() + (alike == 0 ? "" : " and " + alike + " more") + " (" + device.id.driver() + ")";
        String who = holders.getOrDefault(device.id, List.of()).stream()
                .map(claim -> holder(claim, device.id))
                .collect(Collectors.joining("; "));
        return new Line(device.root.isEmpty() ? 4 : 6, what, who.isEmpty() ? "free" : who);
    }

    /** The claim, how much of the device it holds, and its pods. */
    private static String holder(HeldClaim claim, DeviceId device) {
        String amounts = claim.devices().stream()
                .filter(held -> held.id().equals(device))
                .flatMap(held -> Stream.ofNullable(held.share()))
                .flatMap(share -> new TreeMap<>(share.consumedCapacity()).entrySet().stream())
                .map(amount -> " " + amount.getKey() + " " + amount.getValue())
                .collect(Collectors.joining(","));
        return claim.ref() + amounts + (claim.pods().isEmpty() ? "" : ": " + String.join(", ", claim.pods()));
    }

    private static List<String> written(List<Line> lines) {
        int width = lines.stream()
                .filter(line -> !line.who.isEmpty())
                .mapToInt(line -> line.indent + line.what.length())
                .max()
                .orElse(0);
        return lines.stream()
                .map(line -> " ".repeat(line.indent)
                        + line.what
                        + (line.who.isEmpty()
                                ? ""
                                : " ".repeat(width + 2 - line.indent - line.what.length()) + line.who))
                .toList();
    }
}
