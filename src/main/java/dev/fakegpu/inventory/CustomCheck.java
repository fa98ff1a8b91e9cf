package dev.fakegpu.inventory;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks hardware that is written out against what the API server accepts in ResourceSlices of one pool
 * ({@code pkg/apis/resource/validation}, Kubernetes 1.37), and against what could ever be allocated.
 */
final class CustomCheck {

    private static final int MAX_COUNTERS = 32;
    private static final int MAX_ATTRIBUTES_AND_CAPACITIES = 32;
    private static final int MAX_CONSUMPTIONS = 2;
    private static final int MAX_GROUPS = 2;
    private static final int MAX_STRING_BYTES = 64;
    private static final int MAX_NAMES_SHOWN = 20;

    /** The API server stores anything above as this, and the slice would never be what was wanted. */
    private static final BigDecimal MAX_QUANTITY = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final String QUANTITIES =
            "a quantity from 0 to " + Long.MAX_VALUE + ", for example 16, 500m or 40Gi";

    private final Problems problems;

    /** Counters by set; a counter without a readable quantity is null. */
    private final Map<String, Map<String, @Nullable Quantity>> counterSets = new HashMap<>();

    private CustomCheck(Problems problems) {
        this.problems = problems;
    }

    static void check(FakeGpuSpec spec, CustomSpec custom, Problems problems) {
        if (spec.count() != null) {
            problems.add("spec.count", spec.count(), "goes with model only", "no count beside custom");
        }
        if (spec.partitions() != null) {
            problems.add("spec.partitions", "", "goes with model only", "no partitions beside custom");
        }
        if (spec.modelOverrides() != null) {
            problems.add("spec.modelOverrides", "", "goes with model only", "no modelOverrides beside custom");
        }
        if (spec.compatibility() == FakeGpuSpec.Compatibility.Custom) {
            problems.add(
                    "spec.compatibility",
                    spec.compatibility(),
                    "goes with model only",
                    "ByScheme or None beside custom, which names the groups of each device");
        }
        new CustomCheck(problems).check(custom);
    }

    private void check(CustomSpec custom) {
        Set<String> setNames = new HashSet<>();
        for (int i = 0; i < custom.counterSets().size(); i++) {
            checkCounterSet(
                    "spec.custom.counterSets[" + i + "]", custom.counterSets().get(i), setNames);
        }
        if (custom.devices().isEmpty()) {
            problems.add("spec.custom.devices", "", "is empty", "at least one device");
        }
        Set<String> deviceNames = new HashSet<>();
        for (int i = 0; i < custom.devices().size(); i++) {
            checkDevice("spec.custom.devices[" + i + "]", custom.devices().get(i), deviceNames);
        }
    }

    private void checkCounterSet(String field, CustomSpec.CounterSet set, Set<String> names) {
        problems.unlessMatches(Syntax.DNS_LABEL, field + ".name", set.name());
        problems.ifSeen(names, field + ".name", set.name(), "names that are unique among counterSets");
        counterSets.put(Objects.requireNonNullElse(set.name(), ""), checkCounters(field + ".counters", set.counters()));
    }

    private Map<String, @Nullable Quantity> checkCounters(
            String field, Map<String, io.fabric8.kubernetes.api.model.Quantity> counters) {
        if (counters.isEmpty()) {
            problems.add(field, "", "is empty", "1 to " + MAX_COUNTERS + " counters");
        }
        problems.ifMoreThan(MAX_COUNTERS, counters.size(), field, "counters");
        Map<String, @Nullable Quantity> amounts = new HashMap<>();
        counters.forEach((name, written) -> {
            problems.unlessMatches(Syntax.DNS_LABEL, field + "[" + name + "]", name);
            amounts.put(name, checkQuantity(field + "[" + name + "]", written).orElse(null));
        });
        return amounts;
    }

    private void checkDevice(String field, CustomSpec.Device device, Set<String> names) {
        problems.unlessMatches(Syntax.DNS_LABEL, field + ".name", device.name());
        problems.ifSeen(names, field + ".name", device.name(), "names that are unique among devices");
        problems.ifMoreThan(
                MAX_ATTRIBUTES_AND_CAPACITIES,
                device.attributes().size() + device.capacity().size(),
                field,
                "attributes and capacities together");
        device.attributes().forEach((name, value) -> {
            String at = field + ".attributes[" + name + "]";
            problems.unlessMatches(Syntax.QUALIFIED_NAME, at, name);
            checkAttribute(at, value);
        });
        device.capacity().forEach((name, value) -> {
            String at = field + ".capacity[" + name + "]";
            problems.unlessMatches(Syntax.QUALIFIED_NAME, at, name);
            checkQuantity(at, value);
        });
        checkConsumption(field + ".consumesCounters", device.consumesCounters());
    }

    private void checkAttribute(String field, CustomSpec.@Nullable Attribute attribute) {
        long kinds = attribute == null
                ? 0
                : Stream.of(
                                attribute.stringValue(),
                                attribute.intValue(),
                                attribute.boolValue(),
                                attribute.versionValue())
                        .filter(Objects::nonNull)
                        .count();
        if (attribute == null || kinds != 1) {
            problems.add(field, kinds, "is the number of values", "exactly one of string, int, bool and version");
            return;
        }
        String text = attribute.stringValue();
        if (text != null && text.getBytes(UTF_8).length > MAX_STRING_BYTES) {
            problems.add(field + ".string", text, "is too long", "at most " + MAX_STRING_BYTES + " bytes");
        }
        if (attribute.versionValue() != null) {
            problems.unlessMatches(Syntax.SEMANTIC_VERSION, field + ".version", attribute.versionValue());
        }
    }

    private void checkConsumption(String field, List<CustomSpec.CounterConsumption> consumptions) {
        problems.ifMoreThan(MAX_CONSUMPTIONS, consumptions.size(), field, "counter sets for one device");
        Set<String> sets = new HashSet<>();
        for (int i = 0; i < consumptions.size(); i++) {
            CustomSpec.CounterConsumption consumption = consumptions.get(i);
            String at = field + "[" + i + "]";
            problems.ifSeen(sets, at + ".counterSet", consumption.counterSet(), "one entry per counter set");
            checkConsumption(at, consumption);
            checkGroups(problems, at + ".compatibilityGroups", consumption.compatibilityGroups());
        }
    }

    private void checkConsumption(String field, CustomSpec.CounterConsumption consumption) {
        var consumed = checkCounters(field + ".counters", consumption.counters());
        String name = Objects.requireNonNullElse(consumption.counterSet(), "");
        var set = counterSets.get(name);
        if (set == null) {
            problems.add(
                    field + ".counterSet",
                    name,
                    "names no counter set" + NearMiss.hint(name, counterSets.keySet()),
                    oneOf(counterSets.keySet(), "no consumesCounters, for there are no counterSets"));
            return;
        }
        consumed.forEach(
                (counter, amount) -> checkCounter(field + ".counters[" + counter + "]", name, counter, amount));
    }

    private void checkCounter(String field, String setName, String counter, @Nullable Quantity amount) {
        var set = counterSets.getOrDefault(setName, Map.of());
        if (!set.containsKey(counter)) {
            problems.add(
                    field,
                    counter,
                    "is no counter of " + setName + NearMiss.hint(counter, set.keySet()),
                    oneOf(set.keySet(), "none"));
            return;
        }
        Quantity available = set.get(counter);
        if (amount != null && available != null && amount.compareTo(available) > 0) {
            problems.add(
                    field,
                    amount,
                    "is more than " + setName + " has, so the device could never be allocated",
                    "at most " + available);
        }
    }

    /** The groups of one entry, wherever they are named. */
    static void checkGroups(Problems problems, String field, List<String> groups) {
        problems.ifMoreThan(MAX_GROUPS, groups.size(), field, "groups");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < groups.size(); i++) {
            String group = groups.get(i);
            problems.unlessMatches(Syntax.DNS_LABEL, field + "[" + i + "]", group);
            problems.ifSeen(seen, field + "[" + i + "]", group, "groups that are unique in the entry");
        }
    }

    private Optional<Quantity> checkQuantity(String field, io.fabric8.kubernetes.api.model.@Nullable Quantity written) {
        String text = CustomQuantity.text(written);
        Quantity quantity;
        try {
            quantity = CustomQuantity.of(written);
        } catch (IllegalArgumentException e) {
            problems.add(field, text, text.isEmpty() ? "is missing" : "is no quantity", QUANTITIES);
            return Optional.empty();
        }
        if (quantity.signum() < 0) {
            problems.add(field, text, "is negative", QUANTITIES);
        } else if (quantity.value().compareTo(MAX_QUANTITY) > 0) {
            problems.add(field, text, "is too large", QUANTITIES);
        }
        return Optional.of(quantity);
    }

    private static String oneOf(Set<String> names, String otherwise) {
        if (names.isEmpty()) {
            return otherwise;
        }
        String shown = names.stream().sorted().limit(MAX_NAMES_SHOWN).collect(Collectors.joining(", "));
        return names.size() > MAX_NAMES_SHOWN ? shown + ", ..." : shown;
    }
}
