package dev.fakegpu.dra.wire;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequestPolicy;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequestPolicyRange;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumption;
import io.fabric8.kubernetes.api.model.resource.v1.ResourcePool;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads ResourceSlices, including ones that the API would reject. */
public final class SliceReader {
    private SliceReader() {}

    public static Slice read(ResourceSlice slice) {
        return slice instanceof CompactSlice compact ? compact.slice() : parse(slice);
    }

    private static Slice parse(ResourceSlice slice) {
        ResourceSliceSpec spec = requireNonNullElseGet(slice.getSpec(), ResourceSliceSpec::new);
        ResourcePool pool = requireNonNullElseGet(spec.getPool(), ResourcePool::new);
        return new Slice(
                slice.getMetadata() == null ? "" : text(slice.getMetadata().getName()),
                new PoolId(text(spec.getDriver()), text(pool.getName())),
                requireNonNullElse(pool.getGeneration(), 0L),
                requireNonNullElse(pool.getResourceSliceCount(), 0L),
                nodes(spec.getNodeName(), spec.getAllNodes(), spec.getNodeSelector()),
                spec.getPerDeviceNodeSelection(),
                mapAll(spec.getSharedCounters(), SliceReader::counterSet),
                mapAll(spec.getDevices(), SliceReader::device),
                copy(spec.getSkipNodeOperations()),
                spec.getPartitionTypeAttribute());
    }

    private static NodeSelection nodes(
            @Nullable String nodeName,
            @Nullable Boolean allNodes,
            io.fabric8.kubernetes.api.model.@Nullable NodeSelector selector) {
        if (nodeName != null && !nodeName.isEmpty()) {
            return new NodeSelection.NodeName(nodeName);
        }
        NodeSelection selection = nodes(allNodes, selector);
        return nodeName == null ? selection : new NodeSelection.WithEmptyNodeName(selection);
    }

    private static @Nullable NodeSelection nodesOf(io.fabric8.kubernetes.api.model.resource.v1.Device device) {
        NodeSelection selection = nodes(device.getNodeName(), device.getAllNodes(), device.getNodeSelector());
        return selection instanceof NodeSelection.None ? null : selection;
    }

    private static NodeSelection nodes(
            @Nullable Boolean allNodes, io.fabric8.kubernetes.api.model.@Nullable NodeSelector selector) {
        if (Boolean.TRUE.equals(allNodes)) {
            return new NodeSelection.AllNodes();
        }
        return selector == null ? new NodeSelection.None() : new NodeSelection.Matching(NodeSelectors.read(selector));
    }

    private static CounterSet counterSet(io.fabric8.kubernetes.api.model.resource.v1.CounterSet set) {
        return new CounterSet(text(set.getName()), counters(set.getCounters()));
    }

    private static Device device(io.fabric8.kubernetes.api.model.resource.v1.Device device) {
        return new Device(
                text(device.getName()),
                mapValues(device.getAttributes(), SliceReader::attribute),
                mapValues(device.getCapacity(), SliceReader::capacity),
                mapAll(device.getConsumesCounters(), SliceReader::consumption),
                mapAll(device.getTaints(), SliceReader::taint),
                Boolean.TRUE.equals(device.getAllowMultipleAllocations()),
                nodesOf(device),
                new Device.Binding(
                        Boolean.TRUE.equals(device.getBindsToNode()),
                        copy(device.getBindingConditions()),
                        copy(device.getBindingFailureConditions())));
    }

    private static DeviceCapacity capacity(io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity capacity) {
        CapacityRequestPolicy policy = capacity.getRequestPolicy();
        return new DeviceCapacity(quantity(capacity.getValue()), policy == null ? null : policy(policy));
    }

    private static DeviceCapacity.RequestPolicy policy(CapacityRequestPolicy policy) {
        CapacityRequestPolicyRange range = policy.getValidRange();
        return new DeviceCapacity.RequestPolicy(
                optionalQuantity(policy.getDefault()),
                mapAll(policy.getValidValues(), SliceReader::quantity),
                range == null
                        ? null
                        : new DeviceCapacity.Range(
                                optionalQuantity(range.getMin()),
                                optionalQuantity(range.getMax()),
                                optionalQuantity(range.getStep())));
    }

    /** A list takes precedence over a single value, as in upstream's conversions; the API allows only one of them. */
    private static AttributeValue attribute(DeviceAttribute attribute) {
        return isEmpty(attribute) ? single(attribute) : list(attribute);
    }

    private static boolean isEmpty(DeviceAttribute attribute) {
        return copy(attribute.getInts()).isEmpty()
                && copy(attribute.getBools()).isEmpty()
                && copy(attribute.getStrings()).isEmpty()
                && copy(attribute.getVersions()).isEmpty();
    }

    private static AttributeValue list(DeviceAttribute attribute) {
        if (!copy(attribute.getInts()).isEmpty()) {
            return AttributeValue.ints(attribute.getInts());
        }
        if (!copy(attribute.getBools()).isEmpty()) {
            return AttributeValue.bools(attribute.getBools());
        }
        return copy(attribute.getStrings()).isEmpty()
                ? AttributeValue.versions(attribute.getVersions())
                : AttributeValue.strings(attribute.getStrings());
    }

    private static AttributeValue single(DeviceAttribute attribute) {
        if (attribute.getString() != null) {
            return AttributeValue.of(attribute.getString());
        }
        if (attribute.getInt() != null) {
            return AttributeValue.of(attribute.getInt());
        }
        if (attribute.getBool() != null) {
            return AttributeValue.of(attribute.getBool());
        }
        return attribute.getVersion() == null
                ? new AttributeValue.Unknown()
                : AttributeValue.version(attribute.getVersion());
    }

    private static CounterConsumption consumption(DeviceCounterConsumption consumption) {
        return new CounterConsumption(
                text(consumption.getCounterSet()),
                counters(consumption.getCounters()),
                copy(consumption.getCompatibilityGroups()));
    }

    static DeviceTaint taint(io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint taint) {
        return new DeviceTaint(
                text(taint.getKey()), text(taint.getValue()), text(taint.getEffect()), time(taint.getTimeAdded()));
    }

    /** Null if there is none, or if its format is not the API server's. */
    static @Nullable Instant time(@Nullable String written) {
        try {
            return written == null ? null : Instant.parse(written).truncatedTo(ChronoUnit.SECONDS);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static Map<String, Quantity> counters(@Nullable Map<String, Counter> counters) {
        return mapValues(counters, counter -> quantity(counter.getValue()));
    }

    /** Zero if it is missing, as in Go. */
    public static Quantity quantity(io.fabric8.kubernetes.api.model.@Nullable Quantity quantity) {
        if (quantity == null) {
            return Quantity.ZERO;
        }
        return Quantity.parse(quantity.getAmount() + requireNonNullElse(quantity.getFormat(), ""));
    }

    private static @Nullable Quantity optionalQuantity(io.fabric8.kubernetes.api.model.@Nullable Quantity quantity) {
        return quantity == null ? null : quantity(quantity);
    }

    /** Missing strings are empty, as in Go. */
    static String text(@Nullable String value) {
        return requireNonNullElse(value, "");
    }

    static <A> List<A> copy(@Nullable List<A> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    static <A, B> List<B> mapAll(@Nullable List<A> list, Function<A, B> function) {
        return list == null ? List.of() : list.stream().map(function).toList();
    }

    static <A, B> Map<String, B> mapValues(@Nullable Map<String, A> map, Function<A, B> function) {
        var result = new LinkedHashMap<String, B>();
        if (map != null) {
            map.forEach((key, value) -> result.put(key, function.apply(value)));
        }
        return result;
    }
}
