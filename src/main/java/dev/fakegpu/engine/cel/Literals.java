package dev.fakegpu.engine.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.fakegpu.engine.cel.library.TextFormat;
import dev.fakegpu.engine.cel.value.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks literals beyond the rules of the type checker: the elements of a list or map have one type, except in arguments of {@code format},
 * and formats match their arguments. Upstream: {@code cel-go/cel/validator.go} and {@code ext/formatting.go}.
 */
final class Literals {

    private static final String FORMAT = "format";

    private enum Elements {
        OF_ONE_TYPE,
        OF_ANY_TYPE
    }

    private final CelAbstractSyntaxTree ast;
    private final Elements elements;

    private Literals(CelAbstractSyntaxTree ast, Elements elements) {
        this.ast = ast;
        this.elements = elements;
    }

    /** @throws Failure if the expression breaks a rule */
    static void check(CelAbstractSyntaxTree ast) {
        new Literals(ast, Elements.OF_ONE_TYPE).check(ast.getExpr());
    }

    private void check(CelExpr expr) {
        switch (expr.getKind()) {
            case SELECT -> check(expr.select().operand());
            case CALL -> checkCall(expr.call());
            case LIST -> checkList(expr.list());
            case MAP -> checkMap(expr.map());
            case COMPREHENSION -> checkComprehension(expr.comprehension());
            default -> {
                // Other expressions have no elements to check.
            }
        }
    }

    private void checkCall(CelExpr.CelCall call) {
        if (!call.function().equals(FORMAT)) {
            checkOperands(call);
            return;
        }
        new Literals(ast, Elements.OF_ANY_TYPE).checkOperands(call);
        call.target().ifPresent(format -> checkFormat(format, call.args().get(0)));
    }

    private void checkOperands(CelExpr.CelCall call) {
        call.target().ifPresent(this::check);
        call.args().forEach(this::check);
    }

    private void checkComprehension(CelExpr.CelComprehension fold) {
        List.of(fold.iterRange(), fold.accuInit(), fold.loopCondition(), fold.loopStep(), fold.result())
                .forEach(this::check);
    }

    private void checkList(CelExpr.CelList list) {
        CelType expected = null;
        for (int i = 0; i < list.elements().size(); i++) {
            CelExpr element = list.elements().get(i);
            check(element);
            CelType type = list.optionalIndices().contains(i) ? parameter(type(element)) : type(element);
            expected = requireSame(expected, type);
        }
    }

    private void checkMap(CelExpr.CelMap map) {
        CelType expectedKey = null;
        CelType expectedValue = null;
        for (CelExpr.CelMap.Entry entry : map.entries()) {
            check(entry.key());
            check(entry.value());
            CelType type = entry.optionalEntry() ? parameter(type(entry.value())) : type(entry.value());
            expectedKey = requireSame(expectedKey, type(entry.key()));
            expectedValue = requireSame(expectedValue, type);
        }
    }

    private static CelType parameter(CelType optional) {
        return optional.parameters().isEmpty()
                ? optional
                : optional.parameters().get(0);
    }

    private CelType requireSame(@Nullable CelType expected, CelType actual) {
        if (expected != null && elements == Elements.OF_ONE_TYPE && !expected.equals(actual)) {
            throw new Failure("expected type '" + expected.name() + "' but found '" + actual.name() + "'");
        }
        return expected == null ? actual : expected;
    }

    private CelType type(CelExpr expr) {
        return ast.getTypeOrThrow(expr.id());
    }

    private void checkFormat(CelExpr format, CelExpr arguments) {
        boolean literal = format.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && format.constant().getKind() == CelConstant.Kind.STRING_VALUE
                && arguments.getKind() == CelExpr.ExprKind.Kind.LIST;
        if (!literal) {
            return;
        }
        List<TextFormat.Clause> clauses = TextFormat.clauses(format.constant().stringValue());
        List<CelExpr> values = arguments.list().elements();
        if (clauses.size() != values.size()) {
            throw new Failure("string.format has " + clauses.size() + " clauses and " + values.size() + " arguments");
        }
        for (int i = 0; i < clauses.size(); i++) {
            checkFits(clauses.get(i), values.get(i));
        }
    }

    private void checkFits(TextFormat.Clause clause, CelExpr argument) {
        CelType type = type(argument);
        if (!isDynamic(type) && !clause.accepts(type.name())) {
            throw new Failure("%" + clause.kind() + " cannot be used on " + type.name());
        }
        if (argument.getKind() == CelExpr.ExprKind.Kind.LIST) {
            argument.list().elements().forEach(element -> checkFits(clause, element));
        } else if (argument.getKind() == CelExpr.ExprKind.Kind.MAP) {
            argument.map().entries().forEach(entry -> {
                checkFits(clause, entry.key());
                checkFits(clause, entry.value());
            });
        }
    }

    private static boolean isDynamic(CelType type) {
        return type.kind() == CelKind.DYN || type.kind() == CelKind.ANY;
    }
}
