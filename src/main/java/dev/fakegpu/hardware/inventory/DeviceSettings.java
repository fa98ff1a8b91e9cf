package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.DevicesSelector;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.HealthSpec;
import dev.fakegpu.api.SharingSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.hardware.inventory.field.AttributeReader;
import dev.fakegpu.hardware.inventory.field.BindingReader;
import dev.fakegpu.hardware.inventory.field.TaintReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Applies the settings of a spec that work for devices of any hardware: sharing, attributes, binding, health and taints. */
final class DeviceSettings {

    private static final Pattern GPU = Pattern.compile("gpu-(?:vfio-)?(\\d{1,9})");

    private final FakeGpuSpec spec;
    private final @Nullable String node;
    private final Map<String, AttributeValue> attributes;

    /** @param node the node of the devices; null to apply the settings of all nodes */
    DeviceSettings(FakeGpuSpec spec, @Nullable String node) {
        this.spec = spec;
        this.node = node;
        this.attributes = AttributeReader.read(spec.attributes());
    }

    Inventory applyTo(Inventory hardware) {
        var devices = new ArrayList<Device>();
        hardware.devices().forEach(device -> devices.add(withSettings(device)));
        return new Inventory(hardware.gpus(), hardware.counterSets(), devices);
    }

    /**
     * The index of the GPU in the device's name. Only names that come from a model have one; selectors do not select other devices by GPU.
     */
    private static long gpu(Device device) {
        Matcher index = GPU.matcher(device.name());
        return index.find() ? Long.parseLong(index.group(1)) : 0;
    }

    private Device withSettings(Device device) {
        Device changed = device;
        SharingSpec sharing = spec.sharing();
        if (sharing != null && Sharing.covers(device)) {
            changed = new Sharing(sharing).share(changed);
        }
        if (!attributes.isEmpty()) {
            var all = new LinkedHashMap<>(changed.attributes());
            all.putAll(attributes);
            changed = changed.withAttributes(all);
        }
        if (spec.binding() != null && device.binding().equals(Device.Binding.NONE)) {
            changed = changed.withBinding(BindingReader.read(spec.binding()));
        }
        List<DeviceTaint> taints = taints(device);
        return taints.isEmpty() ? changed : changed.withTaints(taints);
    }

    private List<DeviceTaint> taints(Device device) {
        var taints = new ArrayList<>(device.taints());
        spec.health().stream()
                .filter(health -> selects(health.selected(), device))
                .forEach(health -> taints.add(taint(health)));
        spec.taints().stream()
                .filter(taint -> selects(taint.selected(), device))
                .forEach(taint ->
                        taints.add(TaintReader.read(taint.key(), taint.value(), taint.effect(), taint.timeAdded())));
        return taints;
    }

    private DeviceTaint taint(HealthSpec health) {
        String xid = String.valueOf(Objects.requireNonNullElse(health.xid(), 0));
        return switch (health.state()) {
            case XidError -> new DeviceTaint(spec.driver() + "/xid", xid, "NoSchedule");
            case XidWarning -> new DeviceTaint(spec.driver() + "/xid", xid, "None");
            case GpuLost -> new DeviceTaint(spec.driver() + "/gpu-lost", "", "NoSchedule");
            case Unmonitored -> new DeviceTaint(spec.driver() + "/unmonitored", "", "None");
        };
    }

    boolean selects(DevicesSelector selector, Device device) {
        return (node == null || selector.nodes().isEmpty() || selector.nodes().contains(node))
                && (selector.gpus().isEmpty() || selector.gpus().contains(gpu(device)))
                && (selector.names().isEmpty() || selector.names().contains(device.name()))
                && (selector.types().isEmpty() || selector.types().contains(type(device)));
    }

    boolean selectsAny(DevicesSelector selector, Inventory hardware) {
        return selectsAny(selector, hardware, device -> true);
    }

    boolean selectsAny(DevicesSelector selector, Inventory hardware, Predicate<Device> among) {
        return hardware.devices().stream().anyMatch(device -> among.test(device) && selects(selector, device));
    }

    /** The attribute {@code type} of NVIDIA's driver; empty if the device does not have it. */
    static String type(Device device) {
        return device.attributes().get("type") instanceof AttributeValue.StringValue type ? type.value() : "";
    }
}
