package dev.fakegpu.hardware.inventory.field;

import dev.fakegpu.dra.DeviceCapacity.Range;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks a request policy. It applies the rules of {@code validateRequestPolicy} in Kubernetes 1.37, and checks that the device has enough
 * for the default.
 */
public final class PolicyCheck {

    private static final int MILLI = 3;

    /** The API server cannot calculate in thousandths above this number. */
    private static final BigDecimal MAX_MILLI =
            BigDecimal.valueOf(Long.MAX_VALUE).movePointLeft(MILLI);

    private final String field;
    private final Quantity all;
    private final Problems problems;

    /**
     * Checks a policy.
     *
     * @param field the path of the policy
     * @param all the total capacity
     */
    public PolicyCheck(String field, Quantity all, Problems problems) {
        this.field = field;
        this.all = all;
        this.problems = problems;
    }

    public void check(RequestPolicy policy) {
        boolean values = !policy.validValues().isEmpty();
        if (values && policy.validRange() != null) {
            problems.add(field, "validValues, validRange", "are both set", "one of them");
        } else if (policy.defaultValue() == null) {
            String with = values ? "validValues" : policy.validRange() == null ? "a request policy" : "validRange";
            problems.add(field + ".default", "", "is missing", "a quantity; " + with + " needs a default");
        } else if (values) {
            checkValues(policy.defaultValue(), policy.validValues());
        } else if (policy.validRange() != null) {
            checkRange(policy.defaultValue(), policy.validRange());
        } else {
            notAbove(field + ".default", policy.defaultValue(), all, "is more than there is");
        }
    }

    private void checkValues(Quantity defaultValue, List<Quantity> values) {
        String at = field + ".validValues";
        problems.ifMoreThan(Limits.POLICY_VALUES, values.size(), at, "values");
        for (int i = 0; i < values.size(); i++) {
            int order = i == 0 ? 1 : values.get(i).compareTo(values.get(i - 1));
            if (order <= 0) {
                problems.add(
                        at + "[" + i + "]",
                        values.get(i),
                        order == 0 ? "is the value before it again" : "comes after the larger " + values.get(i - 1),
                        "values in rising order, each once");
            }
            notAbove(at + "[" + i + "]", values.get(i), all, "is more than there is");
        }
        if (values.stream().noneMatch(value -> value.compareTo(defaultValue) == 0)) {
            problems.add(
                    field + ".default",
                    defaultValue,
                    "is none of the validValues",
                    String.join(", ", values.stream().map(Quantity::toString).toList()));
        }
    }

    private void checkRange(Quantity defaultValue, Range range) {
        Quantity min = Objects.requireNonNull(range.min());
        Quantity max = range.max() == null ? all : range.max();
        String at = field + ".validRange";
        int before = problems.count();
        notAbove(at + ".max", max, all, "is more than there is");
        notAbove(at + ".min", min, max, "is more than the largest portion");
        if (problems.count() > before) {
            return;
        }
        notAbove(field + ".default", defaultValue, max, "is more than the largest portion");
        notAbove(at + ".min", min, defaultValue, "is more than the default");
        checkPrecision(defaultValue, range);
        if (range.step() != null && problems.count() == before) {
            checkStep(at + ".step", range.step(), min, defaultValue, range.max());
        }
    }

    /** Whether any number has a fraction; then the API server calculates in thousandths. */
    private void checkPrecision(Quantity defaultValue, Range range) {
        var numbers = Stream.of(defaultValue, range.min(), range.max(), range.step())
                .filter(Objects::nonNull)
                .toList();
        if (numbers.stream()
                .noneMatch(number -> number.value().stripTrailingZeros().scale() > 0)) {
            return;
        }
        numbers.stream()
                .filter(number -> number.value().stripTrailingZeros().scale() > MILLI
                        || number.value().compareTo(MAX_MILLI) > 0)
                .findFirst()
                .ifPresent(number -> problems.add(
                        field + ".validRange",
                        number,
                        "cannot be counted in thousandths",
                        "multiples of 1m up to " + MAX_MILLI.toBigInteger() + ", or whole numbers only"));
    }

    private void checkStep(String at, Quantity step, Quantity min, Quantity defaultValue, @Nullable Quantity max) {
        if (step.signum() <= 0) {
            problems.add(at, step, "leads nowhere", "more than 0");
            return;
        }
        notAbove(at, step, all.minus(min), "leads from min beyond what there is");
        notOnStep(field + ".default", defaultValue, min, step);
        if (max != null) {
            notOnStep(field + ".validRange.max", max, min, step);
        }
    }

    private void notOnStep(String at, Quantity value, Quantity min, Quantity step) {
        BigDecimal[] steps = value.minus(min).value().divideAndRemainder(step.value());
        if (steps[1].signum() != 0) {
            Quantity below = min.plus(step.withValue(step.value().multiply(steps[0].max(BigDecimal.ZERO))));
            problems.add(
                    at,
                    value,
                    "is not " + min + " and a number of steps of " + step,
                    below + " or " + below.plus(step));
        }
    }

    private void notAbove(String at, Quantity value, Quantity limit, String problem) {
        if (value.compareTo(limit) > 0) {
            problems.add(at, value, problem, "at most " + limit);
        }
    }
}
