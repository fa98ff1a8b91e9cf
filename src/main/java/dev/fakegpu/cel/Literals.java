package dev.fakegpu.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.fakegpu.cel.library.TextFormat;
import dev.fakegpu.cel.value.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules for literals beyond those of the type checker: lists and maps are of one type, except as arguments of {@code format},
 * and formats fit their arguments. Upstream: {@code cel-go/cel/validator.go} and {@code ext/formatting.go}.
 */
final class Literals {

    private static final String FORMAT = "format";

    private final CelAbstractSyntaxTree ast;

    private Literals(CelAbstractSyntaxTree ast) {
        this.ast = ast;
    }

    /** @throws Failure if a rule is broken */
    static void check(CelAbstractSyntaxTree ast) {
        new Literals(ast).check(ast.getExpr(), false);
    }

    private void check(CelExpr expr, boolean formatted) {
        switch (expr.getKind()) {
            case SELECT -> check(expr.select().operand(), formatted);
            case CALL -> checkCall(expr.call(), formatted);
            case LIST -> checkList(expr.list(), formatted);
            case MAP -> checkMap(expr.map(), formatted);
            case COMPREHENSION -> checkComprehension(expr.comprehension(), formatted);
            default -> {
                // Nothing else has parts.
            }
        }
    }

    private void checkCall(CelExpr.CelCall call, boolean formatted) {
        boolean isFormat = call.function().equals(FORMAT);
        call.target().ifPresent(target -> check(target, formatted || isFormat));
        call.args().forEach(argument -> check(argument, formatted || isFormat));
        if (isFormat && call.target().isPresent()) {
            checkFormat(call.target().get(), call.args().get(0));
        }
    }

    private void checkComprehension(CelExpr.CelComprehension fold, boolean formatted) {
        List.of(fold.iterRange(), fold.accuInit(), fold.loopCondition(), fold.loopStep(), fold.result())
                .forEach(part -> check(part, formatted));
    }

    private void checkList(CelExpr.CelList list, boolean formatted) {
        CelType expected = null;
        for (int i = 0; i < list.elements().size(); i++) {
            CelExpr element = list.elements().get(i);
            check(element, formatted);
            CelType type = list.optionalIndices().contains(i) ? parameter(type(element)) : type(element);
            expected = requireSame(expected, type, formatted);
        }
    }

    private void checkMap(CelExpr.CelMap map, boolean formatted) {
        CelType expectedKey = null;
        CelType expectedValue = null;
        for (CelExpr.CelMap.Entry entry : map.entries()) {
            check(entry.key(), formatted);
            check(entry.value(), formatted);
            CelType type = entry.optionalEntry() ? parameter(type(entry.value())) : type(entry.value());
            expectedKey = requireSame(expectedKey, type(entry.key()), formatted);
            expectedValue = requireSame(expectedValue, type, formatted);
        }
    }

    private static CelType parameter(CelType optional) {
        return optional.parameters().isEmpty()
                ? optional
                : optional.parameters().get(0);
    }

    private static CelType requireSame(@Nullable CelType expected, CelType actual, boolean formatted) {
        if (expected != null && !formatted && !expected.equals(actual)) {
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
        List<CelExpr> elements = arguments.list().elements();
        if (clauses.size() != elements.size()) {
            throw new Failure("string.format has " + clauses.size() + " clauses and " + elements.size() + " arguments");
        }
        for (int i = 0; i < clauses.size(); i++) {
            checkFits(clauses.get(i), elements.get(i));
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
