package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Estimates an upper bound of the bytes that a device adds to a stored ResourceSlice from the lengths of its strings. The API server stores
 * protobuf, whose overhead per map or list entry is less than assumed here.
 */
final class DeviceSize {

    /** The overhead of tags and lengths per value. */
    private static final int AROUND = 24;

    /** The length of the longest quantity. */
    private static final int QUANTITY = 32;

    private DeviceSize() {}

    static int of(Device device) {
        int bytes = text(device.name()) + nodes(device.nodes());
        for (var attribute : device.attributes().entrySet()) {
            bytes += text(attribute.getKey()) + attribute(attribute.getValue());
        }
        for (var capacity : device.capacity().entrySet()) {
            bytes += text(capacity.getKey()) + capacity(capacity.getValue());
        }
        for (CounterConsumption consumption : device.consumesCounters()) {
            bytes += text(consumption.counterSet()) + texts(consumption.compatibilityGroups());
            for (String counter : consumption.counters().keySet()) {
                bytes += text(counter) + QUANTITY + AROUND;
            }
        }
        for (DeviceTaint taint : device.taints()) {
            bytes += text(taint.key()) + text(taint.value()) + text(taint.effect()) + QUANTITY;
        }
        return bytes
                + texts(device.binding().conditions())
                + texts(device.binding().failureConditions())
                + AROUND;
    }

    private static int attribute(AttributeValue value) {
        return value instanceof AttributeValue.ListValue list
                ? list.values().stream().mapToInt(DeviceSize::attribute).sum()
                : text(value.toString());
    }

    private static int capacity(DeviceCapacity capacity) {
        var policy = capacity.requestPolicy();
        int quantities = policy == null ? 1 : 5 + policy.validValues().size();
        return quantities * (QUANTITY + AROUND);
    }

    private static int nodes(@Nullable NodeSelection nodes) {
        if (nodes instanceof NodeSelection.NodeName node) {
            return text(node.name());
        }
        if (nodes instanceof NodeSelection.Matching matching) {
            return matching.selector().terms().stream()
                    .mapToInt(term -> requirements(term.expressions()) + requirements(term.fields()) + AROUND)
                    .sum();
        }
        return AROUND;
    }

    private static int requirements(List<NodeSelector.Requirement> requirements) {
        return requirements.stream()
                .mapToInt(requirement ->
                        text(requirement.key()) + text(requirement.operator()) + texts(requirement.values()))
                .sum();
    }

    private static int texts(List<String> texts) {
        return texts.stream().mapToInt(DeviceSize::text).sum();
    }

    /** The length in UTF-8, assuming the maximum of three bytes per Java character. */
    private static int text(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            bytes += character < 0x80 ? 0 : character < 0x800 ? 1 : 2;
        }
        return bytes + AROUND;
    }
}
