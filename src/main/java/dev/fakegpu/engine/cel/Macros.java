package dev.fakegpu.engine.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import java.util.List;
import java.util.Optional;

/**
 * Macros that cel-java lacks, or expands to an expression with a different cost. Upstream: {@code cel-go/cel/library.go} and
 * {@code cel-go/ext/lists.go}.
 */
final class Macros {

    static final List<CelMacro> ALL = List.of(
            CelMacro.newReceiverMacro(
                    "optMap",
                    2,
                    (factory, target, args) ->
                            optional(factory, target, args, value -> factory.newGlobalCall("optional.of", value))),
            CelMacro.newReceiverMacro(
                    "optFlatMap", 2, (factory, target, args) -> optional(factory, target, args, value -> value)),
            CelMacro.newReceiverMacro("sortBy", 2, Macros::sortBy));

    private static final String UNUSED = "#unused";
    private static final String SORTED = "@__sortBy_input__";

    /** The maximum number of nodes of an expression. Each macro of a chain doubles the expression before it. */
    private static final int MAX_COPIED = 2_000;

    private Macros() {}

    private interface Wrapper {
        CelExpr around(CelExpr value);
    }

    /** {@code target.hasValue() ? wrapped(bind(name, target.value(), expression)) : optional.none()}. */
    private static Optional<CelExpr> optional(
            CelMacroExprFactory factory, CelExpr target, ImmutableList<CelExpr> args, Wrapper wrapper) {
        CelExpr name = args.get(0);
        if (name.getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return Optional.of(factory.reportError("variable name must be a simple identifier"));
        }
        if (CelNavigableExpr.fromExpr(target).allNodes().limit(MAX_COPIED).count() == MAX_COPIED) {
            return Optional.of(factory.reportError("the expression becomes too large: macros copy it"));
        }
        CelExpr value = factory.newReceiverCall("value", factory.copy(target));
        CelExpr binding = bind(factory, name.ident().name(), value, args.get(1));
        return Optional.of(factory.newGlobalCall(
                "_?_:_",
                factory.newReceiverCall("hasValue", target),
                wrapper.around(binding),
                factory.newGlobalCall("optional.none")));
    }

    private static CelExpr bind(CelMacroExprFactory factory, String name, CelExpr value, CelExpr expression) {
        return factory.fold(
                UNUSED,
                factory.newList(),
                name,
                value,
                factory.newBoolLiteral(false),
                factory.newIdentifier(name),
                expression);
    }

    /** {@code list.sortBy(x, key)}: computes the list of keys, then sorts the elements by it. */
    private static Optional<CelExpr> sortBy(CelMacroExprFactory factory, CelExpr target, ImmutableList<CelExpr> args) {
        CelExpr name = args.get(0);
        boolean sortable =
                target.getKind() != CelExpr.ExprKind.Kind.CONSTANT && target.getKind() != CelExpr.ExprKind.Kind.MAP;
        if (name.getKind() != CelExpr.ExprKind.Kind.IDENT || !sortable) {
            return Optional.of(factory.reportError("sortBy needs a list and a simple variable name"));
        }
        String accumulator = factory.getAccumulatorVarName();
        CelExpr keys = factory.fold(
                name.ident().name(),
                factory.newIdentifier(SORTED),
                accumulator,
                factory.newList(),
                factory.newBoolLiteral(true),
                factory.newGlobalCall("_+_", factory.newIdentifier(accumulator), factory.newList(args.get(1))),
                factory.newIdentifier(accumulator));
        CelExpr sorted = factory.newReceiverCall("@sortByAssociatedKeys", factory.newIdentifier(SORTED), keys);
        return Optional.of(bind(factory, SORTED, target, sorted));
    }
}
