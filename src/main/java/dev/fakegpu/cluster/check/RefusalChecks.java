package dev.fakegpu.cluster.check;

import dev.fakegpu.cluster.validation.FieldError;
import dev.fakegpu.util.SafeText;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Assigns the errors of the API server to rules. {@link dev.fakegpu.cluster.validation} finds these errors for all commands. */
final class RefusalChecks {

    private static final Pattern DEVICE = Pattern.compile("spec\\.devices\\[(\\d+)].*", Pattern.DOTALL);

    /** Errors that {@link LintChecks} also finds, and reports with the place of the duplicate. */
    private static final Pattern LINTED = Pattern.compile("spec\\.(devices|sharedCounters)\\[\\d+]: Duplicate");

    private static final List<RefusalRule> OF_SLICES = Stream.of(
                    SliceRefusals.ALL,
                    DeviceRefusals.ALL,
                    List.of(RefusalRule.ofAnythingElse(Scope.SLICE, "refused-slice")))
            .flatMap(List::stream)
            .toList();

    static final List<Rule> SLICE_RULES =
            OF_SLICES.stream().map(RefusalRule::rule).toList();

    static final List<Rule> CLASS_RULES =
            ClassRefusals.ALL.stream().map(RefusalRule::rule).toList();

    private RefusalChecks() {}

    static void check(CheckedSlice slice, Violations findings) {
        for (FieldError error : slice.errors()) {
            if (!LINTED.matcher(error.sentence()).lookingAt()) {
                add(OF_SLICES, error, slice.source().at(error.path(), device(slice, error.path())), findings);
            }
        }
    }

    static void check(CheckedClass checked, Violations findings) {
        checked.errors()
                .forEach(error -> add(ClassRefusals.ALL, error, checked.source().at(error.path()), findings));
    }

    static void check(CheckedObject checked, Violations findings) {
        checked.unreadable()
                .forEach(error -> add(
                        List.of(ObjectRefusals.UNREADABLE),
                        error,
                        checked.source().at(error.path()),
                        findings));
        checked.errors()
                .forEach(error -> add(
                        ObjectRefusals.of(checked.kind()),
                        error,
                        checked.source().at(error.path()),
                        findings));
    }

    private static void add(List<RefusalRule> refusals, FieldError error, Where where, Violations findings) {
        RefusalRule refusal = refusals.stream()
                .filter(each -> each.isAbout(error))
                .findFirst()
                .orElseThrow(); // the last rule matches everything
        findings.add(refusal.rule(), where, SafeText.of(error.what(), SafeText.LOG_MESSAGE));
    }

    private static String device(CheckedSlice slice, String path) {
        Matcher matcher = DEVICE.matcher(path);
        return matcher.matches()
                ? slice.devices().get(Integer.parseInt(matcher.group(1))).name()
                : "";
    }
}
