package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.MixinsSpec;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.hardware.inventory.field.AttributeReader;
import dev.fakegpu.hardware.inventory.field.BindingReader;
import dev.fakegpu.hardware.inventory.field.CapacityReader;
import dev.fakegpu.hardware.inventory.field.NetworkDataReader;
import dev.fakegpu.hardware.inventory.field.NodeSelectorReader;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.hardware.inventory.field.QuantityReader;
import dev.fakegpu.hardware.inventory.field.Syntax;
import dev.fakegpu.hardware.inventory.field.TaintReader;
import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the syntax of custom hardware: names, quantities, values, includes. {@link FlattenedCheck} checks the hardware after mixins are
 * resolved.
 */
final class CustomCheck {

    private final @Nullable NodesSpec nodes;
    private final Problems problems;

    private CustomCheck(@Nullable NodesSpec nodes, Problems problems) {
        this.nodes = nodes;
        this.problems = problems;
    }

    static void check(FakeGpuSpec spec, CustomSpec custom, Problems problems) {
        modelOnly("spec.count", spec.count(), "count", problems);
        modelOnly("spec.partitions", spec.partitions(), "partitions", problems);
        modelOnly("spec.modelOverrides", spec.modelOverrides(), "modelOverrides", problems);
        if (spec.compatibility() == FakeGpuSpec.Compatibility.Custom) {
            problems.add(
                    "spec.compatibility",
                    spec.compatibility(),
                    "goes with model only",
                    "ByScheme or None beside custom, which names the groups of each device");
        }
        modelOnly("spec.sharing", spec.sharing(), "sharing", problems);
        modelOnly("spec.topology", spec.topology(), "topology", problems);
        check(spec.nodes(), custom, Map.of(), problems);
    }

    /** @param given values that all entries can use, by name */
    static void check(@Nullable NodesSpec nodes, CustomSpec custom, Map<String, String> given, Problems problems) {
        int before = problems.count();
        new RepeatCheck(problems, given.keySet()).check(custom);
        if (problems.count() > before) {
            return;
        }
        RepeatedHardware hardware;
        try {
            hardware = RepeatedHardware.of(custom, given);
        } catch (RepeatedHardware.NoNumberException e) {
            problems.add(e.field(), e.written(), e.problem(), RepeatedHardware.NoNumberException.ALLOWED);
            return;
        }
        new CustomCheck(nodes, problems).check(hardware);
        if (problems.count() == before) {
            unreadable(hardware, problems);
        }
        if (problems.count() == before) {
            new FlattenedCheck(hardware, problems).check();
        }
    }

    /** Checks quantities of fields that have no other check. */
    private static void unreadable(RepeatedHardware hardware, Problems problems) {
        List<CustomSpec.Device> devices = hardware.custom().devices();
        for (int i = 0; i < devices.size(); i++) {
            CustomSpec.Device device = devices.get(i);
            String field = hardware.deviceField(i);
            problems.once(field, () -> {
                try {
                    CustomInventory.device(device);
                } catch (IllegalArgumentException e) {
                    problems.add(
                            field, device.name(), "cannot be read: " + e.getMessage(), "values as the API has them");
                }
            });
        }
    }

    private static void modelOnly(String field, @Nullable Object value, String name, Problems problems) {
        if (value != null) {
            problems.add(
                    field,
                    value instanceof Number ? value : "",
                    "goes with model only",
                    "no " + name + " beside custom");
        }
    }

    private void check(RepeatedHardware hardware) {
        CustomSpec custom = hardware.custom();
        MixinsSpec mixins = custom.mixinsOrNone();
        checkMixins(mixins);
        List<String> counterSetMixins =
                mixins.counterSet().stream().map(MixinsSpec.Counters::name).toList();
        Set<String> setNames = new HashSet<>();
        for (int i = 0; i < custom.counterSets().size(); i++) {
            String field = hardware.counterSetField(i);
            CustomSpec.CounterSet set = custom.counterSets().get(i);
            problems.once(field, () -> {
                checkName(field, set.name(), setNames, "names that are unique among counterSets");
                checkIncludes(field, set.includes(), counterSetMixins, "counterSet");
                checkCounters(field + ".counters", set.counters(), set.includes());
            });
        }
        if (custom.devices().isEmpty()) {
            problems.add("spec.custom.devices", "", "is empty", "at least one device");
        }
        Set<String> deviceNames = new HashSet<>();
        for (int i = 0; i < custom.devices().size(); i++) {
            String field = hardware.deviceField(i);
            CustomSpec.Device device = custom.devices().get(i);
            problems.once(field, () -> {
                checkName(field, device.name(), deviceNames, "names that are unique among devices");
                checkDevice(field, device, mixins);
                checkNodes(field, device);
            });
        }
    }

    private void checkMixins(MixinsSpec mixins) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < mixins.device().size(); i++) {
            String field = "spec.custom.mixins.device[" + i + "]";
            MixinsSpec.Device mixin = mixins.device().get(i);
            checkName(field, mixin.name(), names, "names that are unique among device mixins");
            AttributeReader.check(field + ".attributes", mixin.attributes(), problems);
            CapacityReader.check(field, mixin.capacity(), mixin.requestPolicies(), problems);
        }
        checkMixins("spec.custom.mixins.counterConsumption", mixins.counterConsumption());
        checkMixins("spec.custom.mixins.counterSet", mixins.counterSet());
    }

    private void checkMixins(String field, List<MixinsSpec.Counters> mixins) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < mixins.size(); i++) {
            String at = field + "[" + i + "]";
            checkName(at, mixins.get(i).name(), names, "names that are unique among mixins of this kind");
            checkCounters(at + ".counters", mixins.get(i).counters(), List.of());
        }
    }

    private void checkName(String field, @Nullable String name, Set<String> names, String unique) {
        problems.unlessMatches(Syntax.DNS_LABEL, field + ".name", name);
        problems.ifSeen(names, field + ".name", name, unique);
    }

    private void checkIncludes(String field, List<String> includes, List<String> known, String kind) {
        problems.ifMoreThan(Limits.INCLUDES, includes.size(), field + ".includes", "mixins");
        for (int i = 0; i < includes.size(); i++) {
            if (!known.contains(includes.get(i))) {
                problems.add(
                        field + ".includes[" + i + "]",
                        includes.get(i),
                        "is not a " + kind + " mixin" + Suggestion.hint(includes.get(i), known),
                        Problems.oneOf(known, "no includes, for there is no " + kind + " mixin"));
            }
        }
    }

    private void checkCounters(String field, Map<String, Quantity> counters, List<String> includes) {
        if (counters.isEmpty() && includes.isEmpty()) {
            problems.add(field, "", "is empty", "1 to " + Limits.COUNTERS + " counters");
        }
        counters.forEach((name, written) -> {
            problems.unlessMatches(Syntax.DNS_LABEL, field + "[" + name + "]", name);
            QuantityReader.check(field + "[" + name + "]", written, problems);
        });
    }

    private void checkDevice(String field, CustomSpec.Device device, MixinsSpec mixins) {
        checkIncludes(
                field,
                device.includes(),
                mixins.device().stream().map(MixinsSpec.Device::name).toList(),
                "device");
        AttributeReader.check(field + ".attributes", device.attributes(), problems);
        CapacityReader.check(field, device.capacity(), device.requestPolicies(), problems);
        checkConsumption(field + ".consumesCounters", device.consumesCounters(), mixins);
        for (int i = 0; i < device.taints().size(); i++) {
            CustomSpec.DeviceTaint taint = device.taints().get(i);
            TaintReader.check(
                    field + ".taints[" + i + "]",
                    taint.key(),
                    taint.value(),
                    taint.effect(),
                    taint.timeAdded(),
                    problems);
        }
        if (device.binding() != null) {
            BindingReader.check(field + ".binding", device.binding(), problems);
        }
        if (device.networkData() != null) {
            NetworkDataReader.check(field + ".networkData", device.networkData(), problems);
        }
    }

    private void checkConsumption(String field, List<CustomSpec.CounterConsumption> consumptions, MixinsSpec mixins) {
        problems.ifMoreThan(Limits.CONSUMPTIONS, consumptions.size(), field, "counter sets for one device");
        List<String> known = mixins.counterConsumption().stream()
                .map(MixinsSpec.Counters::name)
                .toList();
        Set<String> sets = new HashSet<>();
        for (int i = 0; i < consumptions.size(); i++) {
            CustomSpec.CounterConsumption consumption = consumptions.get(i);
            String at = field + "[" + i + "]";
            problems.ifMissing(at + ".counterSet", consumption.counterSet(), "the name of a counter set");
            problems.ifSeen(sets, at + ".counterSet", consumption.counterSet(), "one entry per counter set");
            checkIncludes(at, consumption.includes(), known, "counterConsumption");
            checkCounters(at + ".counters", consumption.counters(), consumption.includes());
            checkGroups(problems, at + ".compatibilityGroups", consumption.compatibilityGroups());
        }
    }

    /** Checks one list of compatibility groups. */
    static void checkGroups(Problems problems, String field, List<String> groups) {
        problems.ifMoreThan(Limits.GROUPS, groups.size(), field, "groups");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < groups.size(); i++) {
            problems.unlessMatches(Syntax.DNS_LABEL, field + "[" + i + "]", groups.get(i));
            problems.ifSeen(seen, field + "[" + i + "]", groups.get(i), "groups that are unique in the entry");
        }
    }

    private void checkNodes(String field, CustomSpec.Device device) {
        List<String> set = new ArrayList<>();
        if (device.nodeName() != null) {
            set.add("nodeName");
        }
        if (device.nodeSelector() != null) {
            set.add("nodeSelector");
        }
        if (device.allNodes() != null) {
            set.add("allNodes");
        }
        if (set.size() > 1) {
            problems.add(
                    field, String.join(", ", set), "are set together", "one of nodeName, nodeSelector and allNodes");
        } else if (!set.isEmpty() && (nodes == null || !nodes.isNetworkAttached())) {
            problems.add(
                    field + "." + set.get(0),
                    Objects.requireNonNullElse(device.nodeName(), ""),
                    "goes with network-attached devices only",
                    "spec.nodes.all or spec.nodes.nodeSelector");
        } else if (device.nodeName() != null) {
            problems.unlessMatches(Syntax.NODE_NAME, field + ".nodeName", device.nodeName());
        } else if (device.nodeSelector() != null) {
            NodeSelectorReader.check(field + ".nodeSelector", device.nodeSelector(), problems);
        } else if (Boolean.FALSE.equals(device.allNodes())) {
            problems.add(field + ".allNodes", false, "says nothing", "true, or left out");
        }
    }
}
