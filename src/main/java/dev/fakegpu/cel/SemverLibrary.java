package dev.fakegpu.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;

/** {@code semver("1.2.3")} and what can be done with it. Upstream: {@code apiserver/pkg/cel/library/semver.go}. */
final class SemverLibrary extends CelFunctions {

    private static final CelType TYPE = OpaqueType.create("kubernetes.Semver");

    SemverLibrary() {
        var textAndBool = types(SimpleType.STRING, SimpleType.BOOL);
        global("semver", "string_to_semver", TYPE, SimpleType.STRING, String.class, text -> parse(text, false));
        global("semver", "string_bool_to_semver", TYPE, textAndBool, String.class, Boolean.class, SemverLibrary::parse);
        global(
                "isSemver",
                "is_semver_string",
                SimpleType.BOOL,
                SimpleType.STRING,
                String.class,
                text -> isSemver(text, false));
        global(
                "isSemver",
                "is_semver_string_bool",
                SimpleType.BOOL,
                textAndBool,
                String.class,
                Boolean.class,
                SemverLibrary::isSemver);
        comparisons();
        parts();
    }

    private void comparisons() {
        var two = types(TYPE, TYPE);
        Class<SemanticVersion> version = SemanticVersion.class;
        member(
                "isGreaterThan",
                "semver_is_greater_than",
                SimpleType.BOOL,
                two,
                version,
                version,
                (a, b) -> a.compareTo(b) > 0);
        member(
                "isLessThan",
                "semver_is_less_than",
                SimpleType.BOOL,
                two,
                version,
                version,
                (a, b) -> a.compareTo(b) < 0);
        member("compareTo", "semver_compare_to", SimpleType.INT, two, version, version, (a, b) ->
                (long) a.compareTo(b));
    }

    private void parts() {
        Class<SemanticVersion> version = SemanticVersion.class;
        member("major", "semver_major", SimpleType.INT, TYPE, version, SemanticVersion::major);
        member("minor", "semver_minor", SimpleType.INT, TYPE, version, SemanticVersion::minor);
        member("patch", "semver_patch", SimpleType.INT, TYPE, version, SemanticVersion::patch);
    }

    private static SemanticVersion parse(String text, boolean normalize) throws CelEvaluationException {
        try {
            return normalize ? SemanticVersion.parseLenient(text) : SemanticVersion.parse(text);
        } catch (IllegalArgumentException e) {
            throw new CelEvaluationException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isSemver(String text, boolean normalize) {
        try {
            parse(text, normalize);
            return true;
        } catch (CelEvaluationException e) {
            return false;
        }
    }
}
