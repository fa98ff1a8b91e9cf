package dev.fakegpu.dra.field;

import static dev.fakegpu.dra.field.JsonField.inline;
import static dev.fakegpu.dra.field.JsonField.list;
import static dev.fakegpu.dra.field.JsonField.map;
import static dev.fakegpu.dra.field.JsonField.optional;
import static dev.fakegpu.dra.field.JsonField.required;
import static dev.fakegpu.dra.field.JsonValue.BOOL;
import static dev.fakegpu.dra.field.JsonValue.INTEGER;
import static dev.fakegpu.dra.field.JsonValue.QUANTITY;
import static dev.fakegpu.dra.field.JsonValue.TEXT;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Device.NodeAllocatable;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceCapacity.Range;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.NodeSelector.Requirement;
import dev.fakegpu.dra.NodeSelector.Term;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The table of the fields of ResourceSlices ({@code k8s.io/api/resource/v1/types.go} in Kubernetes 1.37). Everything that reads, writes,
 * probes, checks or imports slices uses it. Fields that an API server may not serve are also in {@code SliceField}, with their feature
 * gates.
 */
public final class SliceFields {

    private static final JsonType<Requirement> REQUIREMENT = JsonType.of(
            "NodeSelectorRequirement",
            Requirement.class,
            required("key", TEXT, "", Requirement::key),
            required("operator", TEXT, "", Requirement::operator),
            list("values", TEXT, Requirement::values));

    private static final JsonType<Term> TERM = JsonType.of(
            "NodeSelectorTerm",
            Term.class,
            list("matchExpressions", REQUIREMENT, Term::expressions),
            list("matchFields", REQUIREMENT, Term::fields));

    public static final JsonType<NodeSelector> NODE_SELECTOR = JsonType.of(
            "NodeSelector",
            NodeSelector.class,
            required("nodeSelectorTerms", JsonValue.list(TERM), List.of(), NodeSelector::terms));

    /** The fields of node selection, which ResourceSliceSpec and Device share. */
    private static final JsonType<NodeSelection> NODES = JsonType.of(
            "nodes",
            SliceFields::nodes,
            optional(
                    "nodeName", TEXT, null, nodes -> nodes instanceof NodeSelection.NodeName node ? node.name() : null),
            optional(
                    "nodeSelector",
                    NODE_SELECTOR,
                    null,
                    nodes -> nodes instanceof NodeSelection.Matching matching ? matching.selector() : null),
            optional("allNodes", BOOL, false, nodes -> nodes instanceof NodeSelection.AllNodes));

    public static final JsonType<AttributeValue> ATTRIBUTE = JsonType.of(
            "DeviceAttribute",
            SliceFields::attribute,
            single("int", INTEGER, AttributeValue.IntValue.class, AttributeValue.IntValue::value),
            single("bool", BOOL, AttributeValue.BoolValue.class, AttributeValue.BoolValue::value),
            single("string", TEXT, AttributeValue.StringValue.class, AttributeValue.StringValue::value),
            single("version", TEXT, AttributeValue.VersionValue.class, AttributeValue.VersionValue::value),
            several("ints", INTEGER, AttributeValue.Kind.INT, it -> ((AttributeValue.IntValue) it).value()),
            several("bools", BOOL, AttributeValue.Kind.BOOL, it -> ((AttributeValue.BoolValue) it).value()),
            several("strings", TEXT, AttributeValue.Kind.STRING, Object::toString),
            several("versions", TEXT, AttributeValue.Kind.VERSION, Object::toString));

    private static final JsonType<Range> RANGE = JsonType.of(
            "CapacityRequestPolicyRange",
            Range.class,
            optional("min", QUANTITY, null, Range::min),
            optional("max", QUANTITY, null, Range::max),
            optional("step", QUANTITY, null, Range::step));

    private static final JsonType<RequestPolicy> POLICY = JsonType.of(
            "CapacityRequestPolicy",
            RequestPolicy.class,
            optional("default", QUANTITY, null, RequestPolicy::defaultValue),
            list("validValues", QUANTITY, RequestPolicy::validValues),
            optional("validRange", RANGE, null, RequestPolicy::validRange));

    public static final JsonType<DeviceCapacity> CAPACITY = JsonType.of(
            "DeviceCapacity",
            DeviceCapacity.class,
            required("value", QUANTITY, Quantity.ZERO, DeviceCapacity::value),
            optional("requestPolicy", POLICY, null, DeviceCapacity::requestPolicy));

    public static final JsonType<Quantity> COUNTER = JsonType.of(
            "Counter", values -> (Quantity) values[0], required("value", QUANTITY, Quantity.ZERO, amount -> amount));

    public static final JsonType<CounterSet> COUNTER_SET = JsonType.of(
            "CounterSet",
            CounterSet.class,
            required("name", TEXT, "", CounterSet::name),
            required("counters", JsonValue.map(COUNTER), Map.of(), CounterSet::counters));

    public static final JsonType<CounterConsumption> CONSUMPTION = JsonType.of(
            "DeviceCounterConsumption",
            CounterConsumption.class,
            required("counterSet", TEXT, "", CounterConsumption::counterSet),
            required("counters", JsonValue.map(COUNTER), Map.of(), CounterConsumption::counters),
            list("compatibilityGroups", TEXT, CounterConsumption::compatibilityGroups));

    public static final JsonType<DeviceTaint> TAINT = JsonType.of(
            "DeviceTaint",
            values -> new DeviceTaint(
                    (String) values[0], (String) values[1], (String) values[2], time((String) values[3])),
            required("key", TEXT, "", DeviceTaint::key),
            optional("value", TEXT, "", DeviceTaint::value),
            required("effect", TEXT, "", DeviceTaint::effect),
            optional("timeAdded", TEXT, null, SliceFields::time));

    private static final JsonType<Device.Binding> BINDING = JsonType.of(
            "binding",
            Device.Binding.class,
            optional("bindsToNode", BOOL, false, Device.Binding::bindsToNode),
            list("bindingConditions", TEXT, Device.Binding::conditions),
            list("bindingFailureConditions", TEXT, Device.Binding::failureConditions));

    private static final JsonType<NodeAllocatable.Mapping> MAPPING = JsonType.of(
            "NodeAllocatableMapping",
            NodeAllocatable.Mapping.class,
            optional("capacityKey", TEXT, null, NodeAllocatable.Mapping::capacityKey),
            optional("capacityMultiplier", QUANTITY, null, NodeAllocatable.Mapping::capacityMultiplier),
            optional("deviceMultiplier", QUANTITY, null, NodeAllocatable.Mapping::deviceMultiplier));

    private static final JsonType<NodeAllocatable.Overhead> OVERHEAD = JsonType.of(
            "NodeAllocatableOverhead",
            NodeAllocatable.Overhead.class,
            optional("perPod", QUANTITY, null, NodeAllocatable.Overhead::perPod),
            optional("perContainer", QUANTITY, null, NodeAllocatable.Overhead::perContainer));

    private static final JsonType<NodeAllocatable> NODE_ALLOCATABLE = JsonType.of(
            "NodeAllocatableResource",
            NodeAllocatable.class,
            optional("mapping", MAPPING, null, NodeAllocatable::mapping),
            optional("overhead", OVERHEAD, null, NodeAllocatable::overhead));

    public static final JsonType<Device> DEVICE = JsonType.of(
            "Device",
            Device.class,
            required("name", TEXT, "", Device::name),
            map("attributes", ATTRIBUTE, Device::attributes),
            map("capacity", CAPACITY, Device::capacity),
            list("consumesCounters", CONSUMPTION, Device::consumesCounters),
            list("taints", TAINT, Device::taints),
            optional("allowMultipleAllocations", BOOL, false, Device::allowMultipleAllocations),
            inline("nodes", NODES, new NodeSelection.None(), Device::nodes),
            inline("binding", BINDING, Device.Binding.NONE, Device::binding),
            map("nodeAllocatableResources", NODE_ALLOCATABLE, Device::nodeAllocatableResources));

    private static final JsonType<Pool> POOL = JsonType.of(
            "ResourcePool",
            Pool.class,
            required("name", TEXT, "", Pool::name),
            required("generation", INTEGER, 0L, Pool::generation),
            required("resourceSliceCount", INTEGER, 0L, Pool::sliceCount));

    public static final JsonType<Spec> SPEC = JsonType.of(
            "ResourceSliceSpec",
            Spec.class,
            required("driver", TEXT, "", Spec::driver),
            required("pool", POOL, new Pool("", 0, 0), Spec::pool),
            inline("nodes", NODES, new NodeSelection.None(), Spec::nodes),
            optional("perDeviceNodeSelection", BOOL, null, Spec::perDeviceNodeSelection),
            optional("partitionTypeAttribute", TEXT, null, Spec::partitionTypeAttribute),
            list("skipNodeOperations", TEXT, Spec::skipNodeOperations),
            list("sharedCounters", COUNTER_SET, Spec::counterSets),
            list("devices", DEVICE, Spec::devices));

    record Pool(String name, long generation, long sliceCount) {}

    /** A {@link Slice} without its name. The fields are in the order of the API's type. */
    public record Spec(
            String driver,
            Pool pool,
            NodeSelection nodes,
            @Nullable Boolean perDeviceNodeSelection,
            @Nullable String partitionTypeAttribute,
            List<String> skipNodeOperations,
            List<CounterSet> counterSets,
            List<Device> devices) {

        public static Spec of(Slice slice) {
            return new Spec(
                    slice.pool().driver(),
                    new Pool(slice.pool().name(), slice.generation(), slice.sliceCount()),
                    slice.nodes(),
                    slice.perDeviceNodeSelection(),
                    slice.partitionTypeAttribute(),
                    slice.skipNodeOperations(),
                    slice.counterSets(),
                    slice.devices());
        }

        public Slice named(String name) {
            return new Slice(
                    name,
                    new PoolId(driver, pool.name),
                    pool.generation,
                    pool.sliceCount,
                    nodes,
                    perDeviceNodeSelection,
                    counterSets,
                    devices,
                    skipNodeOperations,
                    partitionTypeAttribute);
        }
    }

    private SliceFields() {}

    private static @Nullable String time(DeviceTaint taint) {
        return taint.timeAdded() == null ? null : taint.timeAdded().toString();
    }

    /** The time; null if there is none, or if it is not in the API server's format. */
    private static @Nullable Instant time(@Nullable String written) {
        try {
            return written == null ? null : Instant.parse(written).truncatedTo(ChronoUnit.SECONDS);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** An empty node name does not count beside another selection. */
    private static NodeSelection nodes(@Nullable Object[] values) {
        String name = (String) values[0];
        if (name != null && !name.isEmpty()) {
            return new NodeSelection.NodeName(name);
        }
        NodeSelection others = Boolean.TRUE.equals(values[2])
                ? new NodeSelection.AllNodes()
                : values[1] instanceof NodeSelector selector
                        ? new NodeSelection.Matching(selector)
                        : new NodeSelection.None();
        return name == null ? others : new NodeSelection.WithEmptyNodeName(others);
    }

    private static <A extends AttributeValue, V> JsonField<AttributeValue, V> single(
            String property, JsonValue<V> value, Class<A> type, Function<A, V> of) {
        return optional(
                property, value, null, attribute -> type.isInstance(attribute) ? of.apply(type.cast(attribute)) : null);
    }

    private static <V> JsonField<AttributeValue, List<V>> several(
            String property, JsonValue<V> element, AttributeValue.Kind kind, Function<AttributeValue, V> of) {
        return list(
                property,
                element,
                attribute -> attribute instanceof AttributeValue.ListValue list && list.kind() == kind
                        ? list.values().stream().map(of).toList()
                        : List.of());
    }

    /** A list takes precedence over a single value, as in upstream's conversions; the API allows only one of them. */
    @SuppressWarnings("unchecked") // the fields of ATTRIBUTE, in their order
    private static AttributeValue attribute(@Nullable Object[] values) {
        if (values[4] instanceof List<?> ints && !ints.isEmpty()) {
            return AttributeValue.ints((List<Long>) ints);
        }
        if (values[5] instanceof List<?> bools && !bools.isEmpty()) {
            return AttributeValue.bools((List<Boolean>) bools);
        }
        if (values[6] instanceof List<?> strings && !strings.isEmpty()) {
            return AttributeValue.strings((List<String>) strings);
        }
        if (values[7] instanceof List<?> versions && !versions.isEmpty()) {
            return AttributeValue.versions((List<String>) versions);
        }
        if (values[2] instanceof String string) {
            return AttributeValue.of(string);
        }
        if (values[0] instanceof Long number) {
            return AttributeValue.of(number);
        }
        if (values[1] instanceof Boolean bool) {
            return AttributeValue.of(bool);
        }
        return values[3] instanceof String version ? AttributeValue.version(version) : new AttributeValue.Unknown();
    }
}
