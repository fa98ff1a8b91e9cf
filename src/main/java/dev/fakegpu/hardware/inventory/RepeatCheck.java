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
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks {@code repeat} of custom hardware and the use of its indexes, before {@link RepeatedHardware} writes it out. */
final class RepeatCheck {

    private static final int MAX_COUNT = 4096;
    private static final int MAX_COUNTER_SETS = 512;
    private static final int MAX_DEVICES = 4096;

    private final Problems problems;

    RepeatCheck(Problems problems) {
        this.problems = problems;
    }

    void check(CustomSpec custom) {
        int before = problems.count();
        for (int i = 0; i < custom.counterSets().size(); i++) {
            CounterSet set = custom.counterSets().get(i);
            String field = RepeatedHardware.counterSetEntryField(i);
            if (isRepeated(field, set.repeat(), set.name())) {
                new Uses(set.repeat()).in(field, set);
            }
        }
        for (int i = 0; i < custom.devices().size(); i++) {
            Device device = custom.devices().get(i);
            String field = RepeatedHardware.deviceEntryField(i);
            if (isRepeated(field, device.repeat(), device.name())) {
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

    /** How many entries there can be as they are written, the schema says. */
    private void checkTotal(String field, List<List<Repeat>> entries, int limit, String things) {
        long total = entries.stream().mapToLong(CustomSpec::copies).sum();
        if (total > limit && total > entries.size()) {
            problems.add(field, total, "is too many " + things + ", with those of repeat", "at most " + limit);
        }
    }

    /** Whether there are indexes, and they are valid. */
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

    /** Otherwise the same name would occur again. */
    private void checkName(String field, String name, List<Repeat> repeat) {
        for (Repeat index : repeat) {
            String placeholder = "{" + index.name() + "}";
            if (!name.contains(placeholder)) {
                problems.add(field, name, "is the same for each " + index.name(), "a name with " + placeholder);
            }
        }
    }

    /** Changes nothing, but reports placeholders without an index. */
    private final class Uses extends Placeholders {

        private final List<String> names;

        Uses(List<Repeat> repeat) {
            names = repeat.stream().map(Repeat::name).toList();
        }

        @Override
        String inText(String field, String written) {
            Matcher matcher = RepeatedHardware.PLACEHOLDER.matcher(written);
            while (matcher.find()) {
                if (!names.contains(matcher.group(1))) {
                    problems.add(
                            field,
                            written,
                            "has {" + matcher.group(1) + "}, which is not an index of repeat"
                                    + Suggestion.hint(matcher.group(1), names),
                            names.stream().map(name -> "{" + name + "}").collect(Collectors.joining(", ")));
                }
            }
            return written;
        }

        @Override
        AttributeSpec inAttribute(String field, AttributeSpec written, String index) {
            // An index becomes a number, and other values would be lost.
            AttributeReader.hasOneValue(field.replaceFirst("\\.index$", ""), written, problems);
            if (!names.contains(index)) {
                problems.add(
                        field,
                        index,
                        "is not an index of repeat" + Suggestion.hint(index, names),
                        String.join(", ", names));
            }
            return written;
        }
    }
}
