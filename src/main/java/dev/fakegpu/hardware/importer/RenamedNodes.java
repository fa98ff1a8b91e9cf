package dev.fakegpu.hardware.importer;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * New names of nodes.
 *
 * @param byOld the new name of each node, by its old name
 */
public record RenamedNodes(Map<String, String> byOld) {

    /**
     * Assigns the names.
     *
     * @param old the existing names
     * @param names the new names in the order of the old ones; empty to keep the old ones
     * @throws IllegalArgumentException if the numbers of names differ
     */
    static RenamedNodes of(SortedSet<String> old, List<String> names) {
        if (!names.isEmpty() && names.size() != old.size()) {
            throw new IllegalArgumentException("there are %s nodes (%s), but %s names for them (%s)"
                    .formatted(old.size(), String.join(", ", old), names.size(), String.join(", ", names)));
        }
        var byOld = new LinkedHashMap<String, String>();
        int index = 0;
        for (String name : old) {
            byOld.put(name, names.isEmpty() ? name : names.get(index));
            index++;
        }
        return new RenamedNodes(byOld);
    }

    /**
     * The slices with other node names, also in the names of pools that contain the node's name.
     *
     * @throws IllegalArgumentException if the numbers of names and nodes differ
     */
    public static List<Slice> rename(List<Slice> slices, List<String> names) {
        RenamedNodes renamed = of(nodes(slices), names);
        if (renamed.byOld.isEmpty()) {
            return slices;
        }
        Pattern anyName = renamed.anyName();
        return slices.stream().map(slice -> renamed.rename(slice, anyName)).toList();
    }

    /** The names of the nodes that slices and their devices name. */
    public static SortedSet<String> nodes(List<Slice> slices) {
        var names = new TreeSet<String>();
        slices.forEach(slice -> Stream.concat(
                        of(slice.nodes()).stream(),
                        slice.devices().stream().flatMap(device -> of(device.nodes()).stream()))
                .forEach(names::add));
        return names;
    }

    /** Matches the name of any node, if it is not a part of a longer word. */
    private Pattern anyName() {
        return Pattern.compile(byOld.keySet().stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|", "(?<![a-z0-9])(", ")(?![a-z0-9])")));
    }

    private Slice rename(Slice slice, Pattern anyName) {
        PoolId pool = slice.pool();
        return new Slice(
                slice.name(),
                new PoolId(pool.driver(), poolName(pool.name(), anyName)),
                slice.generation(),
                slice.sliceCount(),
                rename(slice.nodes()),
                slice.perDeviceNodeSelection(),
                slice.counterSets(),
                slice.devices().stream().map(this::rename).toList(),
                slice.skipNodeOperations(),
                slice.partitionTypeAttribute());
    }

    /** The pool name with the name of a node in it replaced, as in {@code NODE} or {@code NODE/gpus}. */
    private String poolName(String name, Pattern anyName) {
        return anyName.matcher(name)
                .replaceAll(found -> Matcher.quoteReplacement(byOld.getOrDefault(found.group(), "")));
    }

    Device rename(Device device) {
        NodeSelection nodes = device.nodes();
        return nodes == null ? device : device.withNodes(rename(nodes));
    }

    NodeSelection rename(NodeSelection nodes) {
        return nodes instanceof NodeSelection.NodeName node
                ? new NodeSelection.NodeName(byOld.getOrDefault(node.name(), node.name()))
                : nodes;
    }

    static Optional<String> of(@Nullable NodeSelection nodes) {
        return nodes instanceof NodeSelection.NodeName node ? Optional.of(node.name()) : Optional.empty();
    }
}
