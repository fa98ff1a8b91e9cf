package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SliceIndex;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Represents several nodes by one that can access all their devices, so that the allocator can search them together. An attribute of each
 * device lists the nodes on which it is free, and a constraint makes the devices of each copy agree on one node.
 */
final class JoinedNodes {

    private static final String FREE_ON = "headroom.fakegpu.dev/free-on";

    private final NodeInfo node;
    private final Copies copies;

    private JoinedNodes(NodeInfo node, Copies copies) {
        this.node = node;
        this.copies = copies;
    }

    /** The joined node; empty if one node cannot represent all of them. */
    static Optional<JoinedNodes> of(AllocationContext context, List<SelectableDevices> nodes, List<Claim> claims) {
        if (!canBeJoined(context.options(), claims)) {
            return Optional.empty();
        }
        List<SelectableDevices> different = withDifferentDevices(nodes);
        var changed = new HashMap<PoolId, List<Slice>>();
        for (PoolId pool : pools(different)) {
            List<Slice> slices = newest(context.slices().slices(pool));
            if (slices.size() != slices.get(0).sliceCount()) {
                return Optional.empty(); // nodes see different pools with this name
            }
            changed.put(
                    pool, slices.stream().map(slice -> joined(slice, different)).toList());
        }
        AllocatorOptions options = withLists(context.options());
        List<Slice> slices = changed.values().stream().flatMap(List::stream).toList();
        var joined = new AllocationContext(
                new SliceIndex(slices, options), context.classes(), context.allocated(), context.selectors(), options);
        return Optional.of(new JoinedNodes(node(different), new Copies(joined, List.of(merged(claims)))));
    }

    /** The number of copies that can be allocated together; see {@link Copies#together}. */
    Count together(Count known) {
        return copies.together(node, known);
    }

    /**
     * Whether the claims allow joining. The devices of a request for all devices depend on the node, and lists must not change the meaning
     * of the claims' own constraints.
     */
    private static boolean canBeJoined(AllocatorOptions options, List<Claim> claims) {
        boolean anyForAll = claims.stream()
                .flatMap(claim -> claim.requests().stream())
                .flatMap(DeviceRequest::options)
                .anyMatch(ExactRequest::isAll);
        boolean areListsKnown = options.features().contains(Feature.LIST_TYPE_ATTRIBUTES);
        return !anyForAll
                && (areListsKnown
                        || claims.stream().allMatch(claim -> claim.constraints().isEmpty()));
    }

    private static AllocatorOptions withLists(AllocatorOptions options) {
        Set<Feature> features = EnumSet.of(Feature.LIST_TYPE_ATTRIBUTES);
        features.addAll(options.features());
        return new AllocatorOptions(
                features, options.gate(), options.groupPolicy(), options.tolerations(), options.shareIds());
    }

    /** One node of each set of nodes with the same devices. */
    private static List<SelectableDevices> withDifferentDevices(List<SelectableDevices> nodes) {
        var different = new ArrayList<SelectableDevices>();
        var devices = new HashSet<>();
        nodes.stream().filter(SelectableDevices::anyFree).forEach(node -> {
            if (devices.add(node.devices())) {
                different.add(node);
            }
        });
        return different;
    }

    private static Set<PoolId> pools(List<SelectableDevices> nodes) {
        var pools = new LinkedHashSet<PoolId>();
        nodes.forEach(node -> pools.addAll(node.pools()));
        return pools;
    }

    private static List<Slice> newest(List<Slice> slices) {
        long newest = slices.stream().mapToLong(Slice::generation).max().orElseThrow();
        return slices.stream().filter(slice -> slice.generation() == newest).toList();
    }

    private static NodeInfo node(List<SelectableDevices> nodes) {
        var features = new HashSet<String>();
        nodes.forEach(node -> features.addAll(node.node().declaredFeatures()));
        return new NodeInfo("joined", Map.of(), features);
    }

    private static Slice joined(Slice slice, List<SelectableDevices> nodes) {
        boolean hasDevices = !slice.devices().isEmpty();
        return new Slice(
                slice.name(),
                slice.pool(),
                slice.generation(),
                slice.sliceCount(),
                hasDevices ? new NodeSelection.None() : new NodeSelection.AllNodes(),
                hasDevices,
                slice.counterSets(),
                slice.devices().stream()
                        .map(device -> joined(slice.pool(), device, nodes))
                        .toList(),
                slice.skipNodeOperations(),
                slice.partitionTypeAttribute());
    }

    private static Device joined(PoolId pool, Device device, List<SelectableDevices> nodes) {
        List<String> names = nodes.stream()
                .filter(node -> node.isFree(pool.device(device.name())))
                .map(node -> node.node().name())
                .toList();
        if (names.isEmpty()) {
            return device.withNodes(new NodeSelection.None());
        }
        var attributes = new HashMap<>(device.attributes());
        attributes.put(FREE_ON, AttributeValue.strings(names));
        return device.withAttributes(attributes).withNodes(new NodeSelection.AllNodes());
    }

    /**
     * All claims of a pod as one claim, since their devices must be on one node. Requests get new names, since several claims may use the
     * same name.
     */
    private static Claim merged(List<Claim> claims) {
        var requests = new ArrayList<DeviceRequest>();
        var constraints = new ArrayList<DeviceConstraint>();
        for (int i = 0; i < claims.size(); i++) {
            Claim claim = claims.get(i);
            String prefix = i + "-";
            claim.requests()
                    .forEach(request -> requests.add(
                            new DeviceRequest(prefix + request.name(), request.exactly(), request.firstAvailable())));
            claim.constraints().forEach(constraint -> constraints.add(renamed(constraint, claim, prefix)));
        }
        constraints.add(new DeviceConstraint(List.of(), FREE_ON, null));
        return new Claim(claims.get(0).ref(), requests, constraints, List.of());
    }

    private static DeviceConstraint renamed(DeviceConstraint constraint, Claim claim, String prefix) {
        Stream<String> names = constraint.requests().isEmpty()
                ? claim.requests().stream().map(DeviceRequest::name)
                : constraint.requests().stream();
        return new DeviceConstraint(
                names.map(name -> prefix + name).toList(), constraint.matchAttribute(), constraint.distinctAttribute());
    }
}
