package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The capacity of a device and the policies of its requests: {@code validateMultiAllocatableDeviceCapacity}, {@code validateRequestPolicy}.
 * Steps are compared as whole numbers, as they are without the gate {@code DRAFractionalCapacityRange}, which is off by default.
 */
final class CapacityValidation {

    private final Quantity capacity;
    private final FieldErrors errors;

    private CapacityValidation(Quantity capacity, FieldErrors errors) {
        this.capacity = capacity;
        this.errors = errors;
    }

    /** @param isShared whether the device has {@code allowMultipleAllocations} */
    static void check(JsonNode capacities, String path, boolean isShared, FieldErrors errors) {
        capacities.properties().forEach(entry -> {
            NameFormat.qualified(errors.pathOfKey(path, entry.getKey()), entry.getKey(), errors);
            JsonNode policy = entry.getValue().path("requestPolicy");
            String at = path + "[" + entry.getKey() + "].requestPolicy";
            if (policy.isObject() && isShared) {
                Quantity value = Quantities.of(entry.getValue().path("value")).orElse(Quantity.ZERO);
                new CapacityValidation(value, errors).policy(policy, at);
            } else if (policy.isObject()) {
                errors.forbidden(at, "allowMultipleAllocations must be true");
            }
        });
    }

    private void policy(JsonNode policy, String path) {
        JsonNode values = policy.path("validValues");
        JsonNode range = policy.path("validRange");
        if (!values.isEmpty() && range.isObject()) {
            errors.forbidden(
                    path,
                    "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\" at the"
                            + " same time");
        } else if (!values.isEmpty() || range.isObject()) {
            String kind = values.isEmpty() ? "validRange" : "validValues";
            if (!policy.hasNonNull("default")) {
                errors.required(path + ".default", "required when " + kind + " is defined");
                return;
            }
            Quantities.of(policy.path("default")).ifPresent(byDefault -> {
                if (values.isEmpty()) {
                    range(byDefault, range, path + ".validRange");
                } else {
                    values(byDefault, values, path + ".validValues");
                }
            });
        }
    }

    private void values(Quantity byDefault, JsonNode list, String path) {
        var values = Stream.iterate(0, i -> i < list.size(), i -> i + 1)
                .map(i -> Quantities.of(list.get(i)).orElse(Quantity.ZERO))
                .toList();
        for (int i = 1; i < values.size(); i++) {
            if (values.get(i - 1).compareTo(values.get(i)) > 0) {
                errors.invalid(
                        path + "[" + i + "]", values.get(i).toString(), "values must be sorted in ascending order");
            }
        }
        boolean isTooLong = errors.isTooLong(path, list, Limits.POLICY_VALUES);
        var seen = new HashSet<BigDecimal>();
        for (int i = 0; i < values.size() && !isTooLong; i++) {
            Quantity value = values.get(i);
            String at = path + "[" + i + "]";
            notAbove(at, value, "option");
            BigDecimal whole = Quantities.whole(value);
            if (!seen.add(whole)) {
                errors.duplicate(at, TextNode.valueOf(whole.toPlainString()));
            }
        }
        if (isTooLong || !values.contains(byDefault)) {
            errors.invalid(path, byDefault.toString(), "default value is not valid according to the requestPolicy");
        }
    }

    private void range(Quantity byDefault, JsonNode range, String path) {
        if (!range.hasNonNull("min")) {
            errors.required(path + ".min", "required when validRange is defined");
            return;
        }
        Quantity min = Quantities.of(range.path("min")).orElse(Quantity.ZERO);
        Optional<Quantity> max = Quantities.of(range.path("max"));
        notAbove(path + ".min", min, "min");
        if (byDefault.compareTo(min) < 0) {
            errors.invalid(path + pathOfDefault(".min"), byDefault.toString(), "default is less than min: " + min);
        }
        max.ifPresent(most -> {
            if (min.compareTo(most) > 0) {
                errors.invalid(path + ".max", min.toString(), "min is larger than max: " + most);
            }
            notAbove(path + ".max", most, "max");
            if (byDefault.compareTo(most) > 0) {
                errors.invalid(path + pathOfDefault(".max"), byDefault.toString(), "default is more than max: " + most);
            }
        });
        Quantities.of(range.path("step")).ifPresent(step -> step(byDefault, min, max, step, path));
    }

    private String pathOfDefault(String bound) {
        return errors.follows(VersionedRule.DEFAULT_AT_ITSELF) ? ".default" : bound;
    }

    private void step(Quantity byDefault, Quantity min, Optional<Quantity> max, Quantity step, String path) {
        String at = path + ".step";
        boolean mustBePositive = errors.follows(VersionedRule.POSITIVE_STEPS);
        if (mustBePositive
                ? step.signum() <= 0
                : Quantities.whole(step).signum() == 0) { // a division by zero otherwise
            errors.invalid(at, step.toString(), "must be greater than zero");
            return;
        }
        Quantity added = min.plus(step);
        if (added.compareTo(capacity) > 0) {
            errors.invalid(at, step.toString(), "one step " + added + " is larger than capacity value: " + capacity);
        }
        boolean isNegative = mustBePositive && isNegative(byDefault, min, max, path);
        if (!isNegative) {
            Stream.concat(Stream.of(byDefault), max.stream()).forEach(value -> {
                if (!isOnStep(value, min, step)) {
                    errors.invalid(
                            at,
                            value.toString(),
                            "value is not a multiple of a given step (%s) from (%s)".formatted(step, min));
                }
            });
        }
    }

    private boolean isNegative(Quantity byDefault, Quantity min, Optional<Quantity> max, String path) {
        boolean isNegative = negative(path + ".default", byDefault) | negative(path + ".min", min);
        return max.isPresent() ? isNegative | negative(path + ".max", max.get()) : isNegative;
    }

    private static boolean isOnStep(Quantity value, Quantity min, Quantity step) {
        return Quantities.whole(value)
                        .subtract(Quantities.whole(min))
                        .remainder(Quantities.whole(step))
                        .signum()
                == 0;
    }

    /** {@code validateInt64Range}; larger quantities do not exist. */
    private boolean negative(String path, Quantity value) {
        boolean isNegative = value.signum() < 0;
        if (isNegative) {
            errors.invalid(path, value.toString(), "must be greater than or equal to 0");
        }
        return isNegative;
    }

    private void notAbove(String path, Quantity value, String what) {
        if (value.compareTo(capacity) > 0) {
            errors.invalid(path, value.toString(), what + " is larger than capacity value: " + capacity);
        }
    }
}
