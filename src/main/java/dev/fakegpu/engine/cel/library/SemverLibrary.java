package dev.fakegpu.engine.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.SemanticVersion;

/** {@code semver("1.2.3")} and its functions. Upstream: {@code apiserver/pkg/cel/library/semverlib.go}. */
final class SemverLibrary extends FunctionLibrary {

    private static final CelType TYPE = SemanticVersion.TYPE;

    SemverLibrary() {
        var textAndBool = types(SimpleType.STRING, SimpleType.BOOL);
        global("semver", "string_to_semver", TYPE, SimpleType.STRING, (String text) -> parse(text, false));
        global(
                "semver",
                "string_bool_to_semver",
                TYPE,
                textAndBool,
                args -> parse((String) args[0], (Boolean) args[1]));
        global(
                "isSemver",
                "is_semver_string",
                SimpleType.BOOL,
                SimpleType.STRING,
                (String text) -> isSemver(text, false));
        global(
                "isSemver",
                "is_semver_string_bool",
                SimpleType.BOOL,
                textAndBool,
                args -> isSemver((String) args[0], (Boolean) args[1]));
        comparisons();
        parts();
    }

    private void comparisons() {
        member(
                "isGreaterThan",
                "semver_is_greater_than",
                SimpleType.BOOL,
                TYPE,
                TYPE,
                (SemanticVersion a, SemanticVersion b) -> a.compareTo(b) > 0);
        member(
                "isLessThan",
                "semver_is_less_than",
                SimpleType.BOOL,
                TYPE,
                TYPE,
                (SemanticVersion a, SemanticVersion b) -> a.compareTo(b) < 0);
        member("compareTo", "semver_compare_to", SimpleType.INT, TYPE, TYPE, (SemanticVersion a, SemanticVersion b) ->
                (long) a.compareTo(b));
    }

    private void parts() {
        member("major", "semver_major", SimpleType.INT, TYPE, SemanticVersion::major);
        member("minor", "semver_minor", SimpleType.INT, TYPE, SemanticVersion::minor);
        member("patch", "semver_patch", SimpleType.INT, TYPE, SemanticVersion::patch);
    }

    private static SemanticVersion parse(String text, boolean normalize) {
        try {
            return normalize ? SemanticVersion.parseLenient(text) : SemanticVersion.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isSemver(String text, boolean normalize) {
        try {
            parse(text, normalize);
            return true;
        } catch (Failure e) {
            return false;
        }
    }
}
