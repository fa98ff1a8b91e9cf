package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.cel.ComparedQuantity;
import dev.fakegpu.engine.cel.ComparedText;
import dev.fakegpu.engine.cel.ComparedValue;
import dev.fakegpu.util.Suggestion;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The values that devices have of an attribute or capacity that a selector reads, sorted and without duplicates.
 *
 * @param texts the values of an attribute; empty for a capacity
 * @param amounts the values of a capacity; empty for an attribute
 */
public record ValuesThere(ComparedValue compared, List<String> texts, List<Quantity> amounts) {

    public ValuesThere {
        texts = texts.stream().distinct().sorted().toList();
        amounts = amounts.stream().distinct().sorted().toList();
    }

    public static ValuesThere of(ComparedValue compared, Collection<PoolDevice> devices) {
        return compared instanceof ComparedText text
                ? new ValuesThere(
                        compared,
                        devices.stream()
                                .flatMap(device -> text.in(driver(device), device.device()).stream())
                                .toList(),
                        List.of())
                : new ValuesThere(
                        compared,
                        List.of(),
                        devices.stream()
                                .flatMap(device ->
                                        ((ComparedQuantity) compared).in(driver(device), device.device()).stream())
                                .toList());
    }

    private static String driver(PoolDevice device) {
        return device.id().driver();
    }

    /**
     * A clause for each requested value that no device has, unless devices do not have the attribute or capacity at all.
     *
     * @param onNodes the values on all nodes
     */
    static List<String> clauses(List<ValuesThere> onNodes) {
        return onNodes.stream()
                .map(ValuesThere::compared)
                .distinct()
                .map(compared -> new ValuesThere(
                        compared,
                        all(compared, onNodes, ValuesThere::texts),
                        all(compared, onNodes, ValuesThere::amounts)))
                .flatMap(values -> values.clause().stream())
                .toList();
    }

    private static <T> List<T> all(
            ComparedValue compared, List<ValuesThere> onNodes, Function<ValuesThere, List<T>> values) {
        return onNodes.stream()
                .filter(each -> each.compared().equals(compared))
                .flatMap(each -> values.apply(each).stream())
                .toList();
    }

    private Optional<String> clause() {
        if (texts.isEmpty() && amounts.isEmpty()) {
            return Optional.empty();
        }
        if (compared instanceof ComparedText text) {
            return text.isDriver() ? Optional.empty() : clause(text);
        }
        return clause((ComparedQuantity) compared);
    }

    private Optional<String> clause(ComparedText asked) {
        return texts.contains(asked.text())
                ? Optional.empty()
                : Optional.of("devices have " + asked.name() + " " + Phrases.list(texts)
                        + Suggestion.hint(asked.text(), texts));
    }

    private Optional<String> clause(ComparedQuantity asked) {
        if (amounts.stream().anyMatch(asked::isMetBy)) {
            return Optional.empty();
        }
        String name = " " + asked.name();
        if (asked.bound().isLower()) {
            return Optional.of("the largest has " + amounts.get(amounts.size() - 1) + name);
        }
        return Optional.of(
                asked.bound().isUpper()
                        ? "the smallest has " + amounts.get(0) + name
                        : "devices have "
                                + Phrases.list(
                                        amounts.stream().map(Quantity::toString).toList())
                                + name);
    }
}
