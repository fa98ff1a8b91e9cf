package dev.fakegpu.dra.wire;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequestPolicy;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequestPolicyBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequestPolicyRangeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.CounterSetBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacityBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumption;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumptionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes ResourceSlices: name and spec; the publisher adds labels and owners. */
public final class SliceWriter {
    private SliceWriter() {}

    /** The client's own object for a slice that is kept as a {@link CompactSlice}; others as they are. */
    public static ResourceSlice expand(ResourceSlice slice) {
        if (!(slice instanceof CompactSlice compact)) {
            return slice;
        }
        ResourceSlice written = write(compact.slice());
        written.setMetadata(compact.getMetadata());
        return written;
    }

    public static ResourceSlice write(Slice slice) {
        ResourceSlice written = new ResourceSliceBuilder()
                .withNewMetadata()
                .withName(slice.name())
                .endMetadata()
                .withNewSpec()
                .withDriver(slice.pool().driver())
                .withNewPool()
                .withName(slice.pool().name())
                .withGeneration(slice.generation())
                .withResourceSliceCount(slice.sliceCount())
                .endPool()
                .withSharedCounters(slice.counterSets().stream()
                        .map(SliceWriter::counterSet)
                        .toList())
                .withDevices(slice.devices().stream().map(SliceWriter::device).toList())
                .withPerDeviceNodeSelection(slice.perDeviceNodeSelection())
                .withSkipNodeOperations(slice.skipNodeOperations())
                .withPartitionTypeAttribute(slice.partitionTypeAttribute())
                .endSpec()
                .build();
        writeNodes(slice, written.getSpec());
        return written;
    }

    private static void writeNodes(Slice slice, ResourceSliceSpec spec) {
        if (slice.nodes() instanceof NodeSelection.NodeName node) {
            spec.setNodeName(node.name());
        } else if (slice.nodes() instanceof NodeSelection.Matching matching) {
            spec.setNodeSelector(NodeSelectors.write(matching.selector()));
        } else if (slice.nodes() instanceof NodeSelection.AllNodes) {
            spec.setAllNodes(true);
        } else if (!slice.selectsNodesPerDevice()) {
            throw new IllegalArgumentException("cannot publish a slice with " + slice.nodes());
        }
    }

    private static io.fabric8.kubernetes.api.model.resource.v1.CounterSet counterSet(CounterSet set) {
        return new CounterSetBuilder()
                .withName(set.name())
                .withCounters(counters(set.counters()))
                .build();
    }

    private static io.fabric8.kubernetes.api.model.resource.v1.Device device(Device device) {
        var written = new DeviceBuilder()
                .withName(device.name())
                .withAttributes(mapValues(device.attributes(), SliceWriter::attribute))
                .withCapacity(mapValues(device.capacity(), SliceWriter::capacity))
                .withConsumesCounters(device.consumesCounters().stream()
                        .map(SliceWriter::consumption)
                        .toList())
                .withTaints(device.taints().stream().map(SliceWriter::taint).toList())
                .withAllowMultipleAllocations(device.allowMultipleAllocations() ? true : null)
                .withBindsToNode(device.binding().bindsToNode() ? true : null)
                .withBindingConditions(device.binding().conditions())
                .withBindingFailureConditions(device.binding().failureConditions())
                .build();
        writeNodes(device.nodes(), written);
        return written;
    }

    private static void writeNodes(
            @Nullable NodeSelection nodes, io.fabric8.kubernetes.api.model.resource.v1.Device device) {
        if (nodes instanceof NodeSelection.NodeName node) {
            device.setNodeName(node.name());
        } else if (nodes instanceof NodeSelection.Matching matching) {
            device.setNodeSelector(NodeSelectors.write(matching.selector()));
        } else if (nodes instanceof NodeSelection.AllNodes) {
            device.setAllNodes(true);
        }
    }

    private static DeviceAttribute attribute(AttributeValue value) {
        var attribute = new DeviceAttributeBuilder();
        if (value instanceof AttributeValue.StringValue text) {
            attribute.withString(text.value());
        } else if (value instanceof AttributeValue.IntValue number) {
            attribute.withInt(number.value());
        } else if (value instanceof AttributeValue.BoolValue bool) {
            attribute.withBool(bool.value());
        } else if (value instanceof AttributeValue.VersionValue version) {
            attribute.withVersion(version.value());
        } else if (value instanceof AttributeValue.ListValue list) {
            writeList(list, attribute);
        }
        return attribute.build();
    }

    private static void writeList(AttributeValue.ListValue list, DeviceAttributeBuilder attribute) {
        for (AttributeValue element : list.values()) {
            if (element instanceof AttributeValue.StringValue text) {
                attribute.addToStrings(text.value());
            } else if (element instanceof AttributeValue.IntValue number) {
                attribute.addToInts(number.value());
            } else if (element instanceof AttributeValue.BoolValue bool) {
                attribute.addToBools(bool.value());
            } else if (element instanceof AttributeValue.VersionValue version) {
                attribute.addToVersions(version.value());
            }
        }
    }

    private static io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity capacity(DeviceCapacity capacity) {
        RequestPolicy policy = capacity.requestPolicy();
        return new DeviceCapacityBuilder()
                .withValue(quantity(capacity.value()))
                .withRequestPolicy(policy == null ? null : policy(policy))
                .build();
    }

    private static CapacityRequestPolicy policy(RequestPolicy policy) {
        DeviceCapacity.Range range = policy.validRange();
        return new CapacityRequestPolicyBuilder()
                .withDefault(optionalQuantity(policy.defaultValue()))
                .withValidValues(
                        policy.validValues().stream().map(SliceWriter::quantity).toList())
                .withValidRange(
                        range == null
                                ? null
                                : new CapacityRequestPolicyRangeBuilder()
                                        .withMin(optionalQuantity(range.min()))
                                        .withMax(optionalQuantity(range.max()))
                                        .withStep(optionalQuantity(range.step()))
                                        .build())
                .build();
    }

    private static io.fabric8.kubernetes.api.model.@Nullable Quantity optionalQuantity(@Nullable Quantity value) {
        return value == null ? null : quantity(value);
    }

    private static DeviceCounterConsumption consumption(CounterConsumption consumption) {
        List<String> groups = consumption.compatibilityGroups();
        return new DeviceCounterConsumptionBuilder()
                .withCounterSet(consumption.counterSet())
                .withCounters(counters(consumption.counters()))
                .withCompatibilityGroups(groups)
                .build();
    }

    private static io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint taint(DeviceTaint taint) {
        return new DeviceTaintBuilder()
                .withKey(taint.key())
                .withValue(taint.value().isEmpty() ? null : taint.value())
                .withEffect(taint.effect())
                .withTimeAdded(
                        taint.timeAdded() == null ? null : taint.timeAdded().toString())
                .build();
    }

    private static Map<String, Counter> counters(Map<String, Quantity> counters) {
        return mapValues(counters, value -> new Counter(quantity(value)));
    }

    private static io.fabric8.kubernetes.api.model.Quantity quantity(Quantity value) {
        return new io.fabric8.kubernetes.api.model.Quantity(value.toString());
    }

    private static <A, B> Map<String, B> mapValues(Map<String, A> map, Function<A, B> function) {
        var result = new LinkedHashMap<String, B>();
        map.forEach((key, value) -> result.put(key, function.apply(value)));
        return result;
    }
}
