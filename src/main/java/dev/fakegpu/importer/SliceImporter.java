package dev.fakegpu.importer;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.api.NodeSelectorSpec;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Turns the ResourceSlices of a cluster into FakeGpus: equal pools on several nodes into one, others into one each. */
public final class SliceImporter {

    private static final DeviceTaint COMPANION_ONLY =
            new DeviceTaint(Labels.ALLOCATOR_TAINT, Labels.COMPANION, "NoSchedule");
    private static final int MAX_NAME = 40;

    private final ImportOptions options;
    private final List<String> notes = new ArrayList<>();
    private final Map<String, String> nodeNames = new LinkedHashMap<>();

    private SliceImporter(ImportOptions options) {
        this.options = options;
    }

    /**
     * What came of it.
     *
     * @param notes a sentence for everything that is not the same as it was, by name
     */
    public record Result(List<Copied> fakeGpus, List<String> notes) {}

    /**
     * A FakeGpu and what it should publish.
     *
     * @param pools the pools that it stands for, with the names that their nodes have now
     */
    public record Copied(ImportedFakeGpu fakeGpu, List<PoolContent> pools) {}

    /** @throws IllegalArgumentException if there are more nodes, or fewer, than {@code nodeNames} */
    public static Result of(List<Slice> slices, ImportOptions options) {
        return new SliceImporter(options).read(slices);
    }

    /** Counter sets and devices written out as custom hardware, without mixins. */
    public static CustomSpec written(PoolContent pool) {
        return new CustomDevices(pool.pool().name(), new ArrayList<>()).write(pool);
    }

    /** Pools that become one FakeGpu. */
    private record Key(PoolContent content, int copy) {}

    private Result read(List<Slice> slices) {
        var byPool = new TreeMap<PoolId, List<Slice>>();
        slices.forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                .add(slice));
        var pools = new ArrayList<PoolContent>();
        byPool.forEach((pool, its) -> pools.add(timeless(withoutAttributes(PoolContent.of(pool, its, notes)))));
        nameNodes(pools);
        var groups = new LinkedHashMap<Key, List<PoolContent>>();
        pools.stream().filter(this::hasDevices).forEach(pool -> add(groups, pool));
        List<Copied> fakeGpus = copied(List.copyOf(groups.values()));
        if (options.simulated()) {
            noteSeparatedNodes(fakeGpus);
        }
        return new Result(fakeGpus, List.copyOf(notes));
    }

    private boolean hasDevices(PoolContent pool) {
        if (pool.devices().isEmpty()) {
            notes.add(
                    "pool " + pool.pool().name() + " of " + pool.pool().driver() + ": has no devices; it is left out");
        }
        return !pool.devices().isEmpty();
    }

    /** A node has a FakeGpu's devices once, so a second pool that is the same there needs a second FakeGpu. */
    private static void add(Map<Key, List<PoolContent>> groups, PoolContent pool) {
        for (int copy = 0; ; copy++) {
            List<PoolContent> group =
                    groups.computeIfAbsent(new Key(pool.elsewhere(), copy), ignored -> new ArrayList<>());
            boolean taken = group.stream().anyMatch(other -> other.nodes().equals(pool.nodes()));
            if (!taken) {
                group.add(pool);
                return;
            }
        }
    }

    private PoolContent withoutAttributes(PoolContent pool) {
        if (options.withoutAttributes().isEmpty()) {
            return pool;
        }
        return with(pool, pool.devices().stream().map(this::withoutAttributes).toList(), pool.nodes());
    }

    private Device withoutAttributes(Device device) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(device.attributes());
        attributes.keySet().removeAll(options.withoutAttributes());
        return device.withAttributes(attributes);
    }

    private static PoolContent with(PoolContent pool, List<Device> devices, NodeSelection nodes) {
        return new PoolContent(
                pool.pool(),
                nodes,
                pool.counterSets(),
                devices,
                pool.partitionTypeAttribute(),
                pool.skipNodeOperations());
    }

    /** Gives the nodes their new names, in the order of the old ones. */
    private void nameNodes(List<PoolContent> pools) {
        Set<String> old = new TreeSet<>();
        pools.forEach(pool -> {
            nodeName(pool.nodes()).ifPresent(old::add);
            pool.devices().forEach(device -> nodeName(device.nodes()).ifPresent(old::add));
        });
        if (!options.nodeNames().isEmpty() && options.nodeNames().size() != old.size()) {
            throw new IllegalArgumentException("there are %s nodes (%s), but %s names for them (%s)"
                    .formatted(
                            old.size(),
                            String.join(", ", old),
                            options.nodeNames().size(),
                            String.join(", ", options.nodeNames())));
        }
        int index = 0;
        for (String name : old) {
            nodeNames.put(
                    name,
                    options.nodeNames().isEmpty() ? name : options.nodeNames().get(index));
            index++;
        }
        pools.replaceAll(pool -> with(
                pool,
                pool.devices().stream()
                        .map(device -> device.withNodes(renamed(device.nodes())))
                        .toList(),
                Objects.requireNonNull(renamed(pool.nodes()))));
    }

    private @Nullable NodeSelection renamed(@Nullable NodeSelection nodes) {
        return nodes instanceof NodeSelection.NodeName node
                ? new NodeSelection.NodeName(nodeNames.getOrDefault(node.name(), node.name()))
                : nodes;
    }

    private static Optional<String> nodeName(@Nullable NodeSelection nodes) {
        return nodes instanceof NodeSelection.NodeName node ? Optional.of(node.name()) : Optional.empty();
    }

    private List<Copied> copied(List<List<PoolContent>> groups) {
        Map<String, Integer> ofDriver = new LinkedHashMap<>();
        groups.forEach(group -> ofDriver.merge(group.get(0).pool().driver(), 1, Integer::sum));
        Map<String, Integer> numbers = new LinkedHashMap<>();
        Set<String> names = new LinkedHashSet<>();
        var copied = new ArrayList<Copied>();
        for (List<PoolContent> group : groups) {
            String driver = group.get(0).pool().driver();
            int number = numbers.merge(driver, 1, Integer::sum);
            String name = name(driver, ofDriver.getOrDefault(driver, 1) == 1 ? "" : "-" + number, names);
            copied.add(copy(name, group));
        }
        return List.copyOf(copied);
    }

    /** Two drivers may become one name, since dots and upper-case letters go. */
    private static String name(String driver, String number, Set<String> names) {
        String base = driver.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        for (String suffix = number; ; suffix += "-x") {
            int room = MAX_NAME - suffix.length();
            String name = base.substring(0, Math.min(room, base.length())).replaceAll("^-+|-+$", "") + suffix;
            if (names.add(name)) {
                return name;
            }
        }
    }

    private Copied copy(String name, List<PoolContent> pools) {
        PoolContent first = pools.get(0);
        boolean companion = first.devices().stream()
                .allMatch(device -> device.taints().stream().anyMatch(SliceImporter::isCompanionOnly));
        List<PoolContent> wanted = pools.stream()
                .map(pool -> companion ? with(pool, untainted(pool.devices()), pool.nodes()) : pool)
                .toList();
        noteNames(name, pools);
        return new Copied(
                new ImportedFakeGpu(
                        new ImportedFakeGpu.Metadata(name),
                        new ImportedFakeGpu.Spec(
                                first.pool().driver(),
                                companion ? AllocatorName.Companion : AllocatorName.KubeScheduler,
                                nodes(name, pools),
                                first.partitionTypeAttribute(),
                                first.skipNodeOperations(),
                                new CustomDevices(first.pool().name(), notes).write(wanted.get(0)))),
                pools);
    }

    /** The companion's taint tells nothing by its time, which is another one in every slice. */
    private static PoolContent timeless(PoolContent pool) {
        return with(
                pool,
                pool.devices().stream()
                        .map(device -> device.withTaints(device.taints().stream()
                                .map(taint -> isCompanionOnly(taint) ? COMPANION_ONLY : taint)
                                .toList()))
                        .toList(),
                pool.nodes());
    }

    /** The operator puts it on every device of a FakeGpu, and always as the last one. */
    private static List<Device> untainted(List<Device> devices) {
        return devices.stream()
                .map(device -> device.withTaints(device.taints().stream()
                        .filter(taint -> !isCompanionOnly(taint))
                        .toList()))
                .toList();
    }

    private static boolean isCompanionOnly(DeviceTaint taint) {
        return taint.addedAt(null).equals(COMPANION_ONLY);
    }

    private NodesSpec nodes(String name, List<PoolContent> pools) {
        NodeSelection nodes = pools.get(0).nodes();
        if (nodes instanceof NodeSelection.NodeName) {
            return options.simulated()
                    ? new NodesSpec(List.of(), null, new NodesSpec.Simulated(pools.size(), null), null, null)
                    : new NodesSpec(
                            pools.stream()
                                    .flatMap(pool -> nodeName(pool.nodes()).stream())
                                    .toList(),
                            null,
                            null,
                            null,
                            null);
        }
        if (nodes instanceof NodeSelection.Matching matching) {
            Optional<NodeSelectorSpec> selector = CustomDevices.selector(matching.selector());
            if (selector.isPresent()) {
                return new NodesSpec(List.of(), null, null, null, selector.get());
            }
        }
        if (!(nodes instanceof NodeSelection.AllNodes)) {
            notes.add("FakeGpu %s: pool %s is reached from %s, which cannot be said; from all nodes instead"
                    .formatted(name, pools.get(0).pool().name(), nodes));
        }
        return new NodesSpec(List.of(), null, null, true, null);
    }

    private void noteNames(String name, List<PoolContent> pools) {
        if (pools.get(0).nodes() instanceof NodeSelection.NodeName) {
            notes.add("FakeGpu %s: its pools are called <node>/%s and not %s".formatted(name, name, names(pools)));
        } else if (!pools.get(0).pool().name().equals(name)) {
            notes.add("FakeGpu %s: its pool is called %s and not %s".formatted(name, name, names(pools)));
        }
    }

    private static String names(List<PoolContent> pools) {
        return pools.get(0).pool().name() + (pools.size() > 1 ? " and so on" : "");
    }

    /** Every FakeGpu brings simulated nodes of its own. */
    private void noteSeparatedNodes(List<Copied> fakeGpus) {
        Map<String, Set<String>> byNode = new TreeMap<>();
        fakeGpus.forEach(copied -> copied.pools()
                .forEach(pool -> nodeName(pool.nodes())
                        .ifPresent(node -> byNode.computeIfAbsent(node, ignored -> new LinkedHashSet<>())
                                .add(copied.fakeGpu().metadata().name()))));
        byNode.forEach((node, names) -> {
            if (names.size() > 1) {
                notes.add("node %s: its devices are on different simulated nodes, those of %s"
                        .formatted(node, String.join(" and ", names)));
            }
        });
    }
}
