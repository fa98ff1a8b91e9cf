package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rules about the slices of a pool, and about the pools of a driver. */
final class PoolChecks {

    private static final Rule COUNT = Rule.error(
            Scope.POOL,
            "slice-count-differs",
            "The scheduler takes the number of an arbitrary slice, so the pool is sometimes complete and sometimes never.",
            "Write the same resourceSliceCount into all slices of a generation.",
            Sources.allocator(
                    "pools are complete by the first slice's count; k8s.io/dynamic-resource-allocation/resourceslice"));
    private static final Rule GENERATIONS = Rule.warning(
            Scope.POOL,
            "several-generations",
            "Only the highest generation counts; devices of older slices do not exist for the scheduler.",
            "Delete the older slices, or update them with the others.",
            Sources.types("ResourcePool.generation"));
    private static final Rule OBJECT = Rule.error(
            Scope.POOL,
            "duplicate-object",
            "The second object overwrites the first, so a part of the pool is missing.",
            "Give every ResourceSlice its own metadata.name, best by generateName.",
            "Kubernetes API conventions: names are unique by kind");
    private static final Rule NODES = Rule.warning(
            Scope.POOL,
            "pool-on-several-nodes",
            "Drivers on two nodes that write into one pool overwrite each other's generation and number of slices.",
            "Name node-local pools after their node.",
            Sources.types("ResourcePool.name: for node-local devices this is often the node name"));
    private static final Rule OTHER_NODE = Rule.warning(
            Scope.POOL,
            "pool-named-after-other-node",
            "The pool of a node is usually named after it, so this name looks like a mistake and collides with the other node's pool.",
            "Name the pool after its own node.",
            Sources.types("ResourcePool.name: for node-local devices this is often the node name"));
    private static final Rule TYPE = Rule.error(
            Scope.POOL,
            "attribute-type-differs",
            "A selector that suits one device fails with a CEL error on the other, which ends the scheduling attempt of the whole pod.",
            "Publish the attribute with one type on all devices of the driver.",
            Sources.allocator("CEL runtime errors abort the allocation"));
    private static final Rule COSTS = Rule.warning(
            Scope.POOL,
            "partition-costs-differ",
            "ResourcePoolStatusRequest cannot say how many devices of a type still fit, and reports PartitionCostMismatch for the pool.",
            "Let all devices of a partition type consume the same counters of the same sets, or name the types differently.",
            "pkg/controller/resourcepoolstatusrequest: computePartitionSummary; KEP-5677");
    private static final Rule TYPES = Rule.warning(
            Scope.POOL,
            "too-many-partition-types",
            "ResourcePoolStatusRequest reports PartitionSummaryOverCap instead of numbers.",
            "Use at most " + Limits.PARTITION_TYPES + " partition types in a pool.",
            "pkg/controller/resourcepoolstatusrequest: maxStatusListItems = " + Limits.PARTITION_TYPES + "; KEP-5677");

    static final List<Rule> RULES = List.of(COUNT, GENERATIONS, OBJECT, NODES, OTHER_NODE, TYPE, COSTS, TYPES);

    private final CheckedPool pool;
    private final Violations findings;

    private PoolChecks(CheckedPool pool, Violations findings) {
        this.pool = pool;
        this.findings = findings;
    }

    /** @param nodeNames the node names of all slices, to find pools that have the name of another node */
    static void check(CheckedPool pool, Set<String> nodeNames, Violations findings) {
        var checks = new PoolChecks(pool, findings);
        checks.generations();
        checks.objects();
        checks.nodes(nodeNames);
        checks.partitions();
    }

    /** Compares attributes across all pools of a driver. */
    static void attributes(List<CheckedPool> pools, Map<PoolId, Violations> findings) {
        var seen = new HashMap<String, Typed>();
        for (CheckedPool pool : pools) {
            var told = new HashSet<String>();
            for (CheckedDevice device : pool.devices()) {
                device.device().attributes().forEach((name, value) -> {
                    String driver = pool.id().driver();
                    String full = name.contains("/") ? name : driver + "/" + name;
                    Typed own = new Typed(type(value), device);
                    Typed first = seen.computeIfAbsent(driver + " " + full, ignored -> own);
                    if (!first.type().equals(own.type()) && told.add(full)) {
                        Objects.requireNonNull(findings.get(pool.id()))
                                .add(
                                        TYPE,
                                        device.at("attributes[" + name + "]"),
                                        "is %s, but on device %s of pool %s it is %s"
                                                .formatted(
                                                        own.type(),
                                                        first.device().name(),
                                                        first.device()
                                                                .slice()
                                                                .pool()
                                                                .name(),
                                                        first.type()));
                    }
                });
            }
        }
    }

    private record Typed(String type, CheckedDevice device) {}

    private static String type(AttributeValue value) {
        if (value instanceof AttributeValue.ListValue list) {
            return list.kind().name().toLowerCase(Locale.ROOT);
        }
        if (value instanceof AttributeValue.IntValue) {
            return "int";
        }
        if (value instanceof AttributeValue.BoolValue) {
            return "bool";
        }
        return value instanceof AttributeValue.VersionValue ? "version" : "string";
    }

    private void generations() {
        var older = pool.all().stream()
                .filter(slice -> slice.slice().generation() != pool.generation())
                .toList();
        older.forEach(slice -> findings.add(
                GENERATIONS,
                slice.at("spec.pool.generation"),
                "%s is older than generation %s of the same pool"
                        .formatted(slice.slice().generation(), pool.generation())));
        if (!pool.hasOneCount()) {
            Set<Long> counts = pool.current().stream()
                    .map(slice -> slice.slice().sliceCount())
                    .collect(Collectors.toCollection(TreeSet::new));
            findings.add(
                    COUNT,
                    pool.first().at("spec.pool.resourceSliceCount"),
                    "the slices of generation %s have different counts: %s; there are %s slices"
                            .formatted(
                                    pool.generation(),
                                    Words.list(counts),
                                    pool.current().size()));
        }
    }

    private void objects() {
        var names = new HashSet<String>();
        pool.all().stream()
                .filter(slice -> !slice.slice().name().isEmpty())
                .filter(slice -> !names.add(slice.slice().name()))
                .forEach(slice -> findings.add(
                        OBJECT, slice.at("metadata.name"), "another ResourceSlice of the pool has the same name"));
    }

    private void nodes(Set<String> nodeNames) {
        var own = new TreeSet<String>();
        pool.current().forEach(slice -> own.addAll(nodeName(slice)));
        if (own.size() > 1) {
            findings.add(
                    NODES, pool.first().at("spec.nodeName"), "slices of the pool are for nodes " + Words.list(own));
        }
        String name = pool.id().name();
        if (own.size() == 1 && !own.contains(name) && nodeNames.contains(name)) {
            findings.add(
                    OTHER_NODE,
                    pool.first().at("spec.pool.name"),
                    "is the name of another node, but the slices are for node " + own.first());
        }
    }

    static List<String> nodeName(CheckedSlice slice) {
        return slice.slice().nodes() instanceof NodeSelection.NodeName node ? List.of(node.name()) : List.of();
    }

    /** Groups partitions as the controller does: by attribute and value, with the consumption of the first device of the type. */
    private void partitions() {
        var firsts = new LinkedHashMap<List<String>, CheckedDevice>();
        var told = new HashSet<List<String>>();
        for (CheckedDevice device : pool.devices()) {
            String attribute = device.slice().slice().partitionTypeAttribute();
            String type = attribute == null ? null : type(device, attribute);
            if (attribute == null
                    || type == null
                    || device.device().consumesCounters().isEmpty()) {
                continue;
            }
            List<String> key = List.of(attribute, type);
            CheckedDevice first = firsts.computeIfAbsent(key, ignored -> device);
            if (!cost(first).equals(cost(device)) && told.add(key)) {
                findings.add(
                        COSTS,
                        device.at("consumesCounters"),
                        "differs from what device %s consumes, which is of the same partition type %s"
                                .formatted(first.name(), Words.quoted(type)));
            }
        }
        if (firsts.size() > Limits.PARTITION_TYPES) {
            findings.add(
                    TYPES,
                    pool.first().at("spec.partitionTypeAttribute"),
                    "the pool has %s partition types".formatted(firsts.size()));
        }
    }

    private static @Nullable String type(CheckedDevice device, String attribute) {
        String own = device.slice().pool().driver() + "/";
        Map<String, AttributeValue> attributes = device.device().attributes();
        AttributeValue value = attributes.get(attribute);
        if (value == null && attribute.startsWith(own)) {
            value = attributes.get(attribute.substring(own.length()));
        }
        return value instanceof AttributeValue.StringValue text ? text.value() : null;
    }

    private static Set<String> cost(CheckedDevice device) {
        var parts = new ArrayList<String>();
        for (CounterConsumption entry : device.device().consumesCounters()) {
            entry.counters().forEach((counter, amount) -> parts.add(entry.counterSet() + "/" + counter + "=" + amount));
        }
        return new TreeSet<>(parts);
    }
}
