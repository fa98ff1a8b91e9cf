package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Limits;
import java.util.HashSet;

/** Counter sets and the consumption of devices: {@code validateCounterSet}, {@code validateDeviceCounterConsumption}. */
final class CounterValidation {

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

    /** @return whether the number of entries is within the limit */
    private static boolean check(JsonNode list, String key, int maximum, String path, FieldErrors errors) {
        if (list.size() > maximum) {
            errors.tooMany(path, list.size(), maximum);
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
                errors.duplicate(at, list.get(i));
            }
        }
        return true;
    }

    private static void counters(JsonNode counters, String path, FieldErrors errors) {
        if (counters.isEmpty()) {
            errors.required(path, "");
        } else if (counters.size() > Limits.COUNTERS) {
            errors.tooMany(path, counters.size(), Limits.COUNTERS);
        } else {
            counters.fieldNames().forEachRemaining(name -> errors.invalid(path, name, NameFormat.label(name)));
        }
    }

    private static void groups(JsonNode groups, String path, FieldErrors errors) {
        if (groups.size() > Limits.GROUPS) {
            errors.tooMany(path, groups.size(), Limits.GROUPS);
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
