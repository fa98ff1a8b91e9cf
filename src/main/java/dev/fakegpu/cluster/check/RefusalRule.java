package dev.fakegpu.cluster.check;

import dev.fakegpu.cluster.validation.FieldError;
import java.util.regex.Pattern;

/**
 * A rule of the API server.
 *
 * @param errors matches what {@link dev.fakegpu.cluster.validation.ApiValidation} says where it is broken, from the first character on:
 *     path, colon, error; what is in brackets in the path is left out
 */
record RefusalRule(Rule rule, Pattern errors) {

    private static final Pattern IN_BRACKETS = Pattern.compile("\\[[^]]*]");
    private static final String WHY = "The API server refuses the slice.";

    static RefusalRule of(Scope scope, String name, String errors, String why, String fix, String source) {
        return new RefusalRule(Rule.error(scope, name, why, fix, source), Pattern.compile(errors, Pattern.DOTALL));
    }

    static RefusalRule ofSlice(String name, String errors, String fix, String source) {
        return of(Scope.SLICE, name, errors, WHY, fix, source);
    }

    /** For errors that no other rule is about. */
    static RefusalRule ofAnythingElse(Scope scope, String name) {
        return of(
                scope,
                name,
                "",
                "The API server refuses the %s.".formatted(scope),
                "Correct the field as the message says.",
                "pkg/apis: validation");
    }

    boolean isAbout(FieldError error) {
        String path = IN_BRACKETS.matcher(error.path()).replaceAll("[]");
        return errors.matcher(path + ": " + error.what()).lookingAt();
    }
}
