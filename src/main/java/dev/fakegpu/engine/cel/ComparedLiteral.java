package dev.fakegpu.engine.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.cel.ComparedQuantity.Bound;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An expression that is compared with a literal. A default for values that a device lacks is not part of it:
 * {@code device.attributes["domain"].?name.orValue("")} counts as {@code device.attributes["domain"].name}.
 *
 * @param literal a text, or the text of a quantity or version
 * @param isVersion whether the literal is a version
 * @param bound the comparison with a quantity or version; null for a text
 */
record ComparedLiteral(
        CelExpr value,
        String literal,
        boolean isVersion,
        @Nullable Bound bound) {

    private static final String QUANTITY = "quantity";
    private static final String VERSION = "semver";

    private static final Map<String, Bound> OPERATORS = Map.of(
            "_>=_", Bound.AT_LEAST,
            "_>_", Bound.MORE_THAN,
            "_<=_", Bound.AT_MOST,
            "_<_", Bound.LESS_THAN,
            "_==_", Bound.EXACTLY);

    private static final Map<String, Bound> METHODS =
            Map.of("isGreaterThan", Bound.MORE_THAN, "isLessThan", Bound.LESS_THAN);

    ComparedLiteral {
        value = withoutDefault(value);
    }

    /** The comparison in a call; empty if the call does not compare with a literal. */
    static List<ComparedLiteral> of(CelExpr.CelCall call) {
        return Stream.of(texts(call), values(call, QUANTITY), values(call, VERSION))
                .flatMap(found -> found)
                .toList();
    }

    private static Stream<ComparedLiteral> texts(CelExpr.CelCall call) {
        if (!call.function().equals("_==_")) {
            return Stream.empty();
        }
        CelExpr left = call.args().get(0);
        CelExpr right = call.args().get(1);
        return Stream.concat(
                Stream.ofNullable(References.text(right)).map(text -> new ComparedLiteral(left, text, false, null)),
                Stream.ofNullable(References.text(left)).map(text -> new ComparedLiteral(right, text, false, null)));
    }

    /**
     * Reads {@code value.compareTo(quantity("1Gi")) >= 0}, {@code value.isLessThan(quantity("1Gi"))} and {@code value == quantity("1Gi")},
     * and the same with versions.
     *
     * @param type the function that makes a quantity or version of a text
     */
    private static Stream<ComparedLiteral> values(CelExpr.CelCall call, String type) {
        Bound ofMethod = METHODS.get(call.function());
        if (ofMethod != null) {
            return ofMethod(call, type, ofMethod);
        }
        Bound bound = OPERATORS.get(call.function());
        if (bound == null) {
            return Stream.empty();
        }
        CelExpr left = call.args().get(0);
        CelExpr right = call.args().get(1);
        if (isZero(right) && isCall(left, "compareTo")) {
            return ofMethod(left.call(), type, bound);
        }
        return bound == Bound.EXACTLY
                ? text(right, type).map(text -> new ComparedLiteral(left, text, type.equals(VERSION), bound))
                : Stream.empty();
    }

    private static Stream<ComparedLiteral> ofMethod(CelExpr.CelCall call, String type, Bound bound) {
        return call.target().stream()
                .filter(target -> call.args().size() == 1)
                .flatMap(target -> text(call.args().get(0), type)
                        .map(text -> new ComparedLiteral(target, text, type.equals(VERSION), bound)));
    }

    private static Stream<String> text(CelExpr expr, String type) {
        return isCall(expr, type)
                ? Stream.ofNullable(References.text(expr.call().args().get(0)))
                : Stream.empty();
    }

    private static boolean isZero(CelExpr expr) {
        return expr.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && expr.constant().getKind() == CelConstant.Kind.INT64_VALUE
                && expr.constant().int64Value() == 0;
    }

    private static boolean isCall(CelExpr expr, String function) {
        return expr.getKind() == CelExpr.ExprKind.Kind.CALL
                && expr.call().function().equals(function);
    }

    private static CelExpr withoutDefault(CelExpr expr) {
        return isCall(expr, "orValue") ? expr.call().target().orElse(expr) : expr;
    }

    /** The comparison of a value with this name; empty if the literal is malformed. */
    Optional<ComparedValue> with(String domain, String name) {
        if (bound == null) {
            return Optional.of(new ComparedText(domain, name, literal));
        }
        try {
            return Optional.of(
                    isVersion
                            ? new ComparedVersion(domain, name, bound, literal)
                            : new ComparedQuantity(domain, name, bound, Quantity.parse(literal)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
