package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceFields;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The fields of a ResourceSlice that some API servers drop. Each has a feature gate, and the API server silently drops the field if its
 * gate is off ({@code pkg/registry/resource/resourceslice/strategy.go} in Kubernetes 1.37).
 */
public enum SliceField {
    /** KEP-5963. Without this field, incompatible devices seem to have no groups. */
    COMPATIBILITY_GROUPS(
            "compatibilityGroups",
            "DRADeviceCompatibilityGroups",
            37,
            "DeviceCounterConsumption",
            "compatibilityGroups",
            Slice::usesCompatibilityGroups,
            device -> device.withConsumption(CounterConsumption::withoutGroups)),

    /** KEP-5055. Without this field, nothing keeps an allocator from using a device. */
    TAINTS("taints", "DRADeviceTaints", 34, List.of(new DeviceTaint("probe", "", "NoSchedule"))),

    /** KEP-4815. Without this field, devices that share hardware can all be allocated at the same time. */
    COUNTERS(
            "sharedCounters and consumesCounters",
            "DRAPartitionableDevices",
            34,
            "ResourceSliceSpec",
            "sharedCounters",
            slice -> !slice.counterSets().isEmpty()
                    || anyDevice(device -> !device.consumesCounters().isEmpty()).test(slice),
            device -> device.withConsumesCounters(List.of())) {
        @Override
        Slice without(Slice slice) {
            return super.without(slice).withCounterSets(List.of());
        }
    },

    /** KEP-4815. Without this field, the nodes of the devices are unknown, so the devices are omitted. */
    NODE_SELECTION_PER_DEVICE(
            "perDeviceNodeSelection",
            "DRAPartitionableDevices",
            34,
            "ResourceSliceSpec",
            "perDeviceNodeSelection",
            Slice::selectsNodesPerDevice,
            UnaryOperator.identity()) {
        @Override
        Slice without(Slice slice) {
            if (!slice.selectsNodesPerDevice()) {
                return slice;
            }
            return new Slice(
                    slice.name(),
                    slice.pool(),
                    slice.generation(),
                    slice.sliceCount(),
                    new NodeSelection.AllNodes(),
                    slice.counterSets(),
                    List.of());
        }
    },

    /** KEP-5075. */
    MULTIPLE_ALLOCATIONS("allowMultipleAllocations", "DRAConsumableCapacity", 34, true),

    /** KEP-5075. */
    REQUEST_POLICIES(
            "requestPolicy",
            "DRAConsumableCapacity",
            34,
            "DeviceCapacity",
            "requestPolicy",
            anyDevice(device -> device.capacity().values().stream().anyMatch(it -> it.requestPolicy() != null)),
            device -> device.withCapacity(withoutPolicies(device.capacity()))),

    /** KEP-5007. */
    BINDING_CONDITIONS(
            "bindsToNode, bindingConditions and bindingFailureConditions",
            "DRADeviceBindingConditions",
            34,
            "Device",
            "bindingConditions",
            anyDevice(device -> !device.binding().equals(Device.Binding.NONE)),
            device -> device.withBinding(Device.Binding.NONE)),

    /** KEP-5491. The API server rejects an attribute without a value, so the whole attribute is omitted. */
    LIST_ATTRIBUTES(
            "list attributes",
            "DRAListTypeAttributes",
            36,
            "DeviceAttribute",
            "strings",
            anyDevice(device -> device.attributes().values().stream().anyMatch(SliceField::isList)),
            device -> device.withAttributes(withoutLists(device.attributes()))),

    /** KEP-5517. */
    NODE_ALLOCATABLE_RESOURCES(
            "nodeAllocatableResources",
            "DRANodeAllocatableResources",
            37,
            Map.of(
                    "memory",
                    new Device.NodeAllocatable(null, new Device.NodeAllocatable.Overhead(Quantity.ONE, null)))),

    /** The name of the attribute that says what kind of partition a device is. */
    PARTITION_TYPE(
            "partitionTypeAttribute",
            "DRAPartitionableDevicesType",
            37,
            "ResourceSliceSpec",
            "partitionTypeAttribute",
            slice -> slice.partitionTypeAttribute() != null,
            UnaryOperator.identity()) {
        @Override
        Slice without(Slice slice) {
            return slice.withPartitionTypeAttribute(null);
        }
    },

    /** KEP-5945. */
    SKIP_NODE_OPERATIONS(
            "skipNodeOperations",
            "DRAOptionalNodeOperations",
            37,
            "ResourceSliceSpec",
            "skipNodeOperations",
            slice -> !slice.skipNodeOperations().isEmpty(),
            UnaryOperator.identity()) {
        @Override
        Slice without(Slice slice) {
            return slice.withSkipNodeOperations(List.of());
        }
    };

    private final String text;
    private final String gate;
    private final int since;
    private final String schema;
    private final String property;
    private final Predicate<Slice> usedBy;
    private final UnaryOperator<Device> withoutIt;
    private final UnaryOperator<Device> withExample;

    /** @param example a device that uses the field */
    SliceField(String field, String gate, int since, Object example) {
        this(
                field,
                gate,
                since,
                SliceFields.DEVICE.name(),
                field,
                anyDevice(device -> SliceFields.DEVICE.field(field).isIn(device)),
                device -> SliceFields.DEVICE.without(device, field),
                device -> SliceFields.DEVICE.map(device, (name, value) -> name.equals(field) ? example : value));
    }

    SliceField(
            String text,
            String gate,
            int since,
            String schema,
            String property,
            Predicate<Slice> usedBy,
            UnaryOperator<Device> withoutIt) {
        this(text, gate, since, schema, property, usedBy, withoutIt, UnaryOperator.identity());
    }

    /** @param since the first minor version of Kubernetes 1 that has the field in {@code resource.k8s.io/v1} */
    SliceField(
            String text,
            String gate,
            int since,
            String schema,
            String property,
            Predicate<Slice> usedBy,
            UnaryOperator<Device> withoutIt,
            UnaryOperator<Device> withExample) {
        this.text = text;
        this.gate = gate;
        this.since = since;
        this.schema = schema;
        this.property = property;
        this.usedBy = usedBy;
        this.withoutIt = withoutIt;
        this.withExample = withExample;
    }

    /** The fields that the slice uses. */
    public static Set<SliceField> usedBy(Slice slice) {
        return Stream.of(values())
                .filter(field -> field.isUsedBy(slice))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(SliceField.class)));
    }

    /** The path of the field in the API. */
    public String text() {
        return text;
    }

    /** The feature gate of kube-apiserver that must be enabled. */
    public String gate() {
        return gate;
    }

    /** The first minor version of Kubernetes 1 whose {@code resource.k8s.io/v1} has the field. */
    public int since() {
        return since;
    }

    /** Whether the API server of this minor version of Kubernetes 1 has the field. */
    public boolean isIn(int minorVersion) {
        return minorVersion >= since;
    }

    /** A device with an example of each field that belongs to a single device. */
    public static Device withExamples(Device device) {
        Device complete = device;
        for (SliceField field : values()) {
            complete = field.withExample.apply(complete);
        }
        return complete;
    }

    /** The type of {@code io.k8s.api.resource.v1} that has the field. */
    public String schema() {
        return schema;
    }

    /** The name of the field in that type. */
    public String property() {
        return property;
    }

    public boolean isUsedBy(Slice slice) {
        return usedBy.test(slice);
    }

    /** The device as it is stored if the field is dropped. */
    public Device without(Device device) {
        return withoutIt.apply(device);
    }

    /** The slice as it is stored if the field is dropped. */
    Slice without(Slice slice) {
        return slice.mapDevices(withoutIt);
    }

    private static Predicate<Slice> anyDevice(Predicate<Device> condition) {
        return slice -> slice.devices().stream().anyMatch(condition);
    }

    private static Map<String, DeviceCapacity> withoutPolicies(Map<String, DeviceCapacity> capacity) {
        var result = new LinkedHashMap<String, DeviceCapacity>();
        capacity.forEach((name, value) -> result.put(name, DeviceCapacity.of(value.value())));
        return result;
    }

    private static Map<String, AttributeValue> withoutLists(Map<String, AttributeValue> attributes) {
        var result = new LinkedHashMap<>(attributes);
        result.values().removeIf(SliceField::isList);
        return result;
    }

    private static boolean isList(AttributeValue value) {
        return value instanceof AttributeValue.ListValue;
    }
}
