package dev.fakegpu.cluster.check;

import dev.fakegpu.cluster.validation.FieldError;
import java.util.regex.Pattern;

/**
 * A rule of the API server.
 *
 * @param errors matches the messages of {@link dev.fakegpu.cluster.validation.ApiValidation} for this rule from the first character on:
 *     path, colon, error; the content of brackets in the path is omitted
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

    /** A rule for errors that match no other rule. */
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
