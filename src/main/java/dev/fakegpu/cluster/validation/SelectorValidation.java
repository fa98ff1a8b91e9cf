package dev.fakegpu.cluster.validation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.engine.cel.SelectorFeatures;
import dev.fakegpu.engine.cel.Selectors;
import java.util.regex.Pattern;

/** The selectors of a class or request: {@code validateSelectorSlice}. The maximum cost of an expression is not estimated. */
final class SelectorValidation {

    /** It caches compiled selectors, because compilation is slow. */
    private static final Selectors SELECTORS = Selectors.shared();

    /** The prefix of the parser's messages, which Kubernetes' compiler marks as syntax errors. */
    private static final Pattern SYNTAX = Pattern.compile(
            "^(ERROR: <input>:\\d+:\\d+: )(?=mismatched input|extraneous input|no viable|token recognition|missing )");

    private SelectorValidation() {}

    static void check(JsonNode selectors, String path, FieldErrors errors) {
        if (errors.isTooLong(path, selectors, Limits.SELECTORS)) {
            return;
        }
        for (int i = 0; i < selectors.size(); i++) {
            JsonNode cel = selectors.get(i).path("cel");
            String at = path + "[" + i + "].cel";
            if (cel.isMissingNode() || cel.isNull()) {
                errors.required(at, "");
            } else {
                expression(cel.path("expression").asText(), at + ".expression", errors);
            }
        }
    }

    /** The expression of a derived attribute ({@code validateCELExpression}). */
    static void derivedAttribute(String expression, String path, FieldErrors errors) {
        if (!isTooLong(expression, path, errors)) {
            SELECTORS
                    .compileDerivedAttribute(expression, features(errors))
                    .compileProblem()
                    .ifPresent(problem -> errors.invalid(path, expression, detail(problem)));
        }
    }

    private static boolean isTooLong(String expression, String path, FieldErrors errors) {
        boolean isTooLong = expression.getBytes(UTF_8).length > Limits.EXPRESSION_BYTES;
        if (isTooLong) {
            errors.tooLong(path, Limits.EXPRESSION_BYTES);
        }
        return isTooLong;
    }

    private static void expression(String expression, String path, FieldErrors errors) {
        if (isTooLong(expression, path, errors)) {
            return;
        }
        SELECTORS
                .compile(expression, features(errors))
                .compileProblem()
                .ifPresent(problem -> errors.invalid(path, expression, detail(problem)));
    }

    private static SelectorFeatures features(FieldErrors errors) {
        return new SelectorFeatures(
                errors.follows(VersionedRule.LISTS_IN_SELECTORS),
                errors.follows(VersionedRule.MULTIPLE_ALLOCATIONS_IN_SELECTORS));
    }

    /** Returns only the first line; the compiler shows the position in two more. */
    private static String detail(String problem) {
        String first = problem.lines().findFirst().orElse(problem);
        String marked = SYNTAX.matcher(first).replaceFirst("$1Syntax error: ");
        return first.startsWith("ERROR") ? "compilation failed: " + marked : first;
    }
}
