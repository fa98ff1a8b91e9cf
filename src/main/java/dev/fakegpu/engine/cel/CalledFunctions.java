package dev.fakegpu.engine.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import java.util.Set;
import java.util.stream.Collectors;

/** The functions that an expression calls, by name. */
record CalledFunctions(Set<String> names) {

    static CalledFunctions of(CelAbstractSyntaxTree parsed) {
        return new CalledFunctions(CelNavigableAst.fromAst(parsed)
                .getRoot()
                .allNodes()
                .map(CelNavigableExpr::expr)
                .filter(expr -> expr.getKind() == ExprKind.Kind.CALL)
                .map(CelExpr::call)
                .map(CelExpr.CelCall::function)
                .collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * Whether the expression may call {@code function}. The parser treats {@code ip} in {@code ip.isCanonical(x)} as a variable, so the
     * last part of a qualified name is enough.
     */
    boolean include(String function) {
        return names.contains(function) || names.contains(function.substring(function.lastIndexOf('.') + 1));
    }
}
