package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.cel.ComparedQuantity;
import dev.fakegpu.engine.cel.ComparedText;
import dev.fakegpu.engine.cel.ComparedValue;
import dev.fakegpu.engine.cel.ComparedVersion;
import dev.fakegpu.util.Suggestion;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The values that devices have of an attribute or capacity that a selector reads, sorted and without duplicates.
 *
 * @param given what else the devices with these values have; empty if they are all devices
 * @param texts the values of an attribute; empty for a capacity
 * @param amounts the values of a capacity; empty for an attribute
 */
public record ValuesThere(
        ComparedValue compared, List<ComparedText> given, List<String> texts, List<Quantity> amounts) {

    public ValuesThere {
        given = List.copyOf(given);
        texts = texts.stream().distinct().sorted().toList();
        amounts = amounts.stream().distinct().sorted().toList();
    }

    /**
     * The values of all devices and, separately, those of the devices with the other texts that the selectors read, if there are any.
     *
     * @param texts the other texts
     */
    public static Stream<ValuesThere> of(
            ComparedValue compared, Collection<PoolDevice> devices, List<ComparedText> texts) {
        ValuesThere ofAll = of(compared, List.of(), devices);
        return texts.isEmpty()
                ? Stream.of(ofAll)
                : Stream.of(
                        ofAll,
                        of(
                                compared,
                                texts,
                                devices.stream()
                                        .filter(device -> texts.stream()
                                                .allMatch(text -> text.holds(driver(device), device.device())))
                                        .toList()));
    }

    private static ValuesThere of(ComparedValue compared, List<ComparedText> given, Collection<PoolDevice> devices) {
        if (compared instanceof ComparedText text) {
            return ofTexts(compared, given, devices, text::in);
        }
        return compared instanceof ComparedVersion version
                ? ofTexts(compared, given, devices, version::in)
                : new ValuesThere(
                        compared,
                        given,
                        List.of(),
                        devices.stream()
                                .flatMap(device ->
                                        ((ComparedQuantity) compared).in(driver(device), device.device()).stream())
                                .toList());
    }

    private static ValuesThere ofTexts(
            ComparedValue compared,
            List<ComparedText> given,
            Collection<PoolDevice> devices,
            BiFunction<String, Device, Optional<String>> text) {
        return new ValuesThere(
                compared,
                given,
                devices.stream()
                        .flatMap(device -> text.apply(driver(device), device.device()).stream())
                        .toList(),
                List.of());
    }

    private static String driver(PoolDevice device) {
        return device.id().driver();
    }

    /**
     * A clause for each requested value that no device has, or else none of those with the other requested texts. There is none if devices
     * do not have the attribute or capacity at all.
     *
     * @param ofFirst the values on the node that the sentence is about
     * @param onNodes the values on all nodes
     */
    static List<String> clauses(List<ValuesThere> ofFirst, List<ValuesThere> onNodes) {
        return ofFirst.stream()
                .map(ValuesThere::compared)
                .distinct()
                .flatMap(compared -> onNodes.stream()
                        .filter(each -> each.compared().equals(compared))
                        .map(ValuesThere::given)
                        .distinct()
                        .map(given -> joined(compared, given, onNodes))
                        .flatMap(values -> values.clause().map(values::beginning).stream())
                        .limit(1))
                .toList();
    }

    /** The driver that is requested and that no device on any node has. */
    static Optional<String> missingDriver(List<ValuesThere> onNodes) {
        return onNodes.stream()
                .flatMap(values -> values.compared() instanceof ComparedText text && text.isDriver()
                        ? Stream.of(text)
                        : Stream.<ComparedText>empty())
                .filter(driver -> !joined(driver, List.of(), onNodes).texts().contains(driver.text()))
                .findFirst()
                .map(ComparedText::text);
    }

    private static ValuesThere joined(ComparedValue compared, List<ComparedText> given, List<ValuesThere> onNodes) {
        List<ValuesThere> same = onNodes.stream()
                .filter(each -> each.compared().equals(compared) && each.given().equals(given))
                .toList();
        return new ValuesThere(
                compared,
                given,
                same.stream().flatMap(each -> each.texts().stream()).toList(),
                same.stream().flatMap(each -> each.amounts().stream()).toList());
    }

    private String beginning(String clause) {
        return given.isEmpty()
                ? clause
                : given.stream()
                        .map(text -> text.name() + " " + text.text())
                        .collect(Collectors.joining(" and ", "with ", ", " + clause));
    }

    private Optional<String> clause() {
        if (texts.isEmpty() && amounts.isEmpty()) {
            return Optional.empty();
        }
        if (compared instanceof ComparedText text) {
            return text.isDriver() ? Optional.empty() : clause(text);
        }
        return compared instanceof ComparedVersion version ? clause(version) : clause((ComparedQuantity) compared);
    }

    private Optional<String> clause(ComparedText asked) {
        return texts.contains(asked.text())
                ? Optional.empty()
                : Optional.of("devices have " + asked.name() + " " + Phrases.list(texts)
                        + (texts.size() == 1 ? "" : Suggestion.hint(asked.text(), texts)));
    }

    private Optional<String> clause(ComparedVersion asked) {
        return texts.stream().anyMatch(asked::isMetBy)
                ? Optional.empty()
                : Optional.of("devices have " + asked.name() + " " + Phrases.list(texts));
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
