package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.AttributeSpec;
import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.CustomSpec.CounterSet;
import dev.fakegpu.api.CustomSpec.Device;
import dev.fakegpu.api.CustomSpec.Repeat;
import dev.fakegpu.hardware.inventory.field.AttributeReader;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.hardware.inventory.field.Syntax;
import dev.fakegpu.util.Suggestion;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks {@code repeat} of custom hardware and the use of its indexes before {@link RepeatedHardware} expands the entries. */
final class RepeatCheck {

    private static final int MAX_COUNT = 4096;
    private static final int MAX_COUNTER_SETS = 512;
    private static final int MAX_DEVICES = 4096;

    private final Problems problems;
    private final Set<String> given;

    /** @param given the names of values that all entries can use */
    RepeatCheck(Problems problems, Set<String> given) {
        this.problems = problems;
        this.given = given;
    }

    void check(CustomSpec custom) {
        int before = problems.count();
        for (int i = 0; i < custom.counterSets().size(); i++) {
            CounterSet set = custom.counterSets().get(i);
            String field = RepeatedHardware.counterSetEntryField(i);
            if (isRepeated(field, set.repeat(), set.name()) || !given.isEmpty()) {
                new Uses(set.repeat()).in(field, set);
            }
        }
        for (int i = 0; i < custom.devices().size(); i++) {
            Device device = custom.devices().get(i);
            String field = RepeatedHardware.deviceEntryField(i);
            if (isRepeated(field, device.repeat(), device.name()) || !given.isEmpty()) {
                new Uses(device.repeat()).in(field, device);
            }
        }
        if (problems.count() == before) {
            checkTotals(custom);
        }
    }

    private void checkTotals(CustomSpec custom) {
        var sets = custom.counterSets().stream().map(CounterSet::repeat).toList();
        var devices = custom.devices().stream().map(Device::repeat).toList();
        checkTotal("spec.custom.counterSets", sets, MAX_COUNTER_SETS, "counter sets");
        checkTotal("spec.custom.devices", devices, MAX_DEVICES, "devices");
    }

    /** Limits the expanded entries; the schema limits the entries as written. */
    private void checkTotal(String field, List<List<Repeat>> entries, int limit, String things) {
        long total = entries.stream().mapToLong(CustomSpec::copies).sum();
        if (total > limit && total > entries.size()) {
            problems.add(field, total, "is too many " + things + ", with those of repeat", "at most " + limit);
        }
    }

    /** Whether there are indexes and they are valid. */
    private boolean isRepeated(String field, List<Repeat> repeat, @Nullable String name) {
        int before = problems.count();
        problems.ifMoreThan(CustomSpec.MAX_REPEAT, repeat.size(), field + ".repeat", "indexes");
        Set<String> names = new HashSet<>();
        for (int i = 0; i < repeat.size(); i++) {
            String at = field + ".repeat[" + i + "]";
            Repeat index = repeat.get(i);
            problems.unlessMatches(Syntax.INDEX_NAME, at + ".name", index.name());
            problems.ifSeen(names, at + ".name", index.name(), "each once");
            checkCount(at + ".count", index.count());
        }
        boolean valid = problems.count() == before;
        if (valid && name != null) {
            checkName(field + ".name", name, repeat);
        }
        return valid && !repeat.isEmpty();
    }

    private void checkCount(String field, @Nullable Integer count) {
        problems.ifMissing(field, count, "1 to " + MAX_COUNT);
        if (count != null && (count < 1 || count > MAX_COUNT)) {
            problems.add(field, count, "is out of range", "1 to " + MAX_COUNT);
        }
    }

    /** Each name must contain all indexes. Otherwise the same name would occur several times. */
    private void checkName(String field, String name, List<Repeat> repeat) {
        for (Repeat index : repeat) {
            if (uses(name).noneMatch(index.name()::equals)) {
                problems.add(field, name, "is the same for each " + index.name(), "a name with {" + index.name() + "}");
            }
        }
    }

    private static Stream<String> uses(String text) {
        return IndexExpression.IN_TEXT
                .matcher(text)
                .results()
                .flatMap(match -> IndexExpression.names(match.group(1)).stream());
    }

    /** Replaces nothing, but reports placeholders that name no index. */
    private final class Uses extends Placeholders {

        private final List<String> names;

        Uses(List<Repeat> repeat) {
            names = Stream.concat(given.stream().sorted(), repeat.stream().map(Repeat::name))
                    .toList();
        }

        @Override
        String inText(String field, String written) {
            Matcher matcher = IndexExpression.IN_TEXT.matcher(written);
            while (matcher.find()) {
                String expression = matcher.group(1);
                check(field, written, expression, names.stream().map(name -> "{" + name + "}"), "{" + expression + "}");
            }
            return written;
        }

        @Override
        AttributeSpec inAttribute(String field, AttributeSpec written, String index) {
            // An index becomes a number, so other values would be lost.
            AttributeReader.hasOneValue(field.replaceFirst("\\.index$", ""), written, problems);
            check(field, index, index, names.stream(), "");
            return written;
        }

        private void check(String field, String written, String expression, Stream<String> allowed, String shown) {
            String all = allowed.collect(Collectors.joining(", "));
            Optional<String> unknown = IndexExpression.names(expression).stream()
                    .filter(name -> !names.contains(name))
                    .findFirst();
            if (unknown.isPresent()) {
                String hint = Suggestion.hint(unknown.get(), names);
                problems.add(
                        field,
                        written,
                        shown.isEmpty()
                                ? "is not an index of repeat" + hint
                                : "has {" + unknown.get() + "}, which is not an index of repeat" + hint,
                        all);
                return;
            }
            try {
                IndexExpression.number(
                        expression, names.stream().collect(Collectors.toMap(name -> name, name -> "1", (a, b) -> a)));
            } catch (IllegalArgumentException e) {
                problems.add(field, written, String.valueOf(e.getMessage()), "a calculation with " + all);
            }
        }
    }
}
