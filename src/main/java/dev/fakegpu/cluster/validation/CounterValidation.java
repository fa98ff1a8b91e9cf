package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Limits;
import java.util.HashSet;
import java.util.Optional;

/** Counter sets and the consumption of devices: {@code validateCounterSet}, {@code validateDeviceCounterConsumption}. */
final class CounterValidation {

    /**
     * Limits of Kubernetes 1.34: counters that all devices of a slice consume, counters of all its counter sets, and counters that one device
     * consumes.
     */
    private static final int COUNTERS_OF_DEVICES = 1024;

    private static final int COUNTERS_OF_SETS = 32;
    private static final int COUNTERS_OF_DEVICE = 32;

    private CounterValidation() {}

    static void sets(JsonNode list, String path, FieldErrors errors) {
        check(list, "name", Limits.COUNTER_SETS, path, errors);
    }

    static void consumption(JsonNode list, String path, FieldErrors errors) {
        if (check(list, "counterSet", Limits.CONSUMPTIONS, path, errors)) {
            for (int i = 0; i < list.size(); i++) {
                groups(list.get(i).path("compatibilityGroups"), path + "[" + i + "].compatibilityGroups", errors);
            }
        }
    }

    /** The limits of whole slices and devices, and the references to counter sets, that Kubernetes 1.34 has. */
    static void totals(JsonNode spec, FieldErrors errors) {
        if (errors.follows(VersionedRule.LIMITS_OF_COUNTER_SETS)) {
            return;
        }
        JsonNode devices = spec.path("devices");
        int ofDevices = 0;
        for (int i = 0; i < devices.size(); i++) {
            String path = "spec.devices[" + i + "]";
            JsonNode consumption = devices.get(i).path("consumesCounters");
            int ofDevice = counters(consumption);
            ofDevices += ofDevice;
            total(path, ofDevice, "the total number of counters", COUNTERS_OF_DEVICE, errors);
            for (int j = 0; j < consumption.size(); j++) {
                references(consumption.get(j), spec, path + ".consumesCounters[" + j + "]", errors);
            }
        }
        total("spec.devices", ofDevices, "the total number of counters in devices", COUNTERS_OF_DEVICES, errors);
        int ofSets = counters(spec.path("sharedCounters"));
        total("spec.sharedCounters", ofSets, "the total number of shared counters", COUNTERS_OF_SETS, errors);
    }

    private static int counters(JsonNode list) {
        return list.valueStream().mapToInt(each -> each.path("counters").size()).sum();
    }

    private static void total(String path, int actual, String what, int maximum, FieldErrors errors) {
        if (actual > maximum) {
            errors.invalid(path, actual, what + " must not exceed " + maximum);
        }
    }

    /** The last of several counter sets with the same name counts. */
    private static void references(JsonNode consumption, JsonNode spec, String path, FieldErrors errors) {
        String name = consumption.path("counterSet").asText();
        Optional<JsonNode> known = spec.path("sharedCounters")
                .valueStream()
                .filter(set -> set.path("name").asText().equals(name))
                .reduce((first, second) -> second);
        if (known.isEmpty()) {
            errors.invalid(
                    path + ".counterSet",
                    name,
                    "must reference a counterSet defined in the ResourceSlice sharedCounters");
            return;
        }
        consumption.path("counters").fieldNames().forEachRemaining(counter -> {
            if (!known.get().path("counters").has(counter)) {
                errors.invalid(
                        path + ".counters",
                        counter,
                        "must reference a counter defined in the ResourceSlice sharedCounters");
            }
        });
    }

    /** @return whether the number of entries is within the limit */
    private static boolean check(JsonNode list, String key, int maximum, String path, FieldErrors errors) {
        boolean isLimited = errors.follows(VersionedRule.LIMITS_OF_COUNTER_SETS);
        if (isLimited && errors.isTooLong(path, list, maximum)) {
            return false;
        }
        var names = new HashSet<JsonNode>();
        for (int i = 0; i < list.size(); i++) {
            String at = path + "[" + i + "]";
            String name = list.get(i).path(key).asText("");
            if (name.isEmpty()) {
                errors.required(at + "." + key, "");
            } else {
                errors.invalid(at + "." + key, name, NameFormat.label(name));
            }
            counters(list.get(i).path("counters"), at + ".counters", errors);
            if (!names.add(list.get(i).path(key))) {
                errors.duplicateItem(at, key, list.get(i));
            }
        }
        return true;
    }

    private static void counters(JsonNode counters, String path, FieldErrors errors) {
        if (counters.isEmpty()) {
            errors.required(path, "");
            return;
        }
        boolean isLimited = errors.follows(VersionedRule.LIMITS_OF_COUNTER_SETS);
        if (isLimited && errors.isTooLong(path, counters, Limits.COUNTERS)) {
            return;
        }
        counters.fieldNames()
                .forEachRemaining(name -> errors.invalid(errors.pathOfKey(path, name), name, NameFormat.label(name)));
    }

    private static void groups(JsonNode groups, String path, FieldErrors errors) {
        if (errors.isTooLong(path, groups, Limits.GROUPS)) {
            return;
        }
        var seen = new HashSet<JsonNode>();
        for (int i = 0; i < groups.size(); i++) {
            String at = path + "[" + i + "]";
            errors.invalid(
                    at, groups.get(i).asText(), NameFormat.label(groups.get(i).asText()));
            if (!seen.add(groups.get(i))) {
                errors.duplicate(at, groups.get(i));
            }
        }
    }
}
