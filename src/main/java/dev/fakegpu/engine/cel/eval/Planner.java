package dev.fakegpu.engine.cel.eval;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.TypeType;
import dev.fakegpu.engine.cel.library.Callable;
import dev.fakegpu.engine.cel.library.Functions;
import dev.fakegpu.engine.cel.library.Regexes;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Numbers;
import dev.fakegpu.engine.cel.value.TypeName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts a checked expression to nodes. Constant parts are folded exactly where upstream folds them, and then cost nothing. Upstream:
 * {@code cel-go/interpreter/planner.go} and {@code decorators.go}.
 */
public final class Planner {

    private static final Set<String> CONVERSIONS =
            Set.of("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint");
    private static final Set<String> REGEX_FUNCTIONS = Set.of("matches", "find", "findAll");

    /** A function whose remaining arguments are not evaluated once one has failed. */
    private record StopAtFailure(Callable function) implements Callable {
        @Override
        public Object call(Object[] arguments) {
            return function.call(arguments);
        }

        @Override
        public boolean evaluatesAllArguments() {
            return false;
        }
    }

    /** A variable of a comprehension. */
    private record Local(int slot, @Nullable ExpressionNode initial) {}

    private final Functions functions;
    private final CelAbstractSyntaxTree ast;
    private final String variable;
    private final Map<String, Local> locals = new HashMap<>();
    private int slots;

    private Planner(Functions functions, CelAbstractSyntaxTree ast, String variable) {
        this.functions = functions;
        this.ast = ast;
        this.variable = variable;
    }

    /**
     * Plans a checked expression.
     *
     * @param variable the name of the one variable that expressions have
     * @throws Failure if a constant part fails, or if the expression uses something that is not supported
     */
    public static Program plan(Functions functions, CelAbstractSyntaxTree ast, String variable) {
        var planner = new Planner(functions, ast, variable);
        ExpressionNode root = planner.plan(ast.getExpr());
        return new Program(root, planner.slots);
    }

    private ExpressionNode plan(CelExpr expr) {
        return switch (expr.getKind()) {
            case CONSTANT -> new ConstantNode(expr.id(), value(expr.constant()));
            case IDENT -> identifier(expr);
            case SELECT -> select(expr);
            case CALL -> call(expr);
            case LIST -> list(expr);
            case MAP -> map(expr);
            case COMPREHENSION -> comprehension(expr);
            default -> throw new Failure("unsupported expression: " + expr.getKind());
        };
    }

    private static Object value(CelConstant constant) {
        return switch (constant.getKind()) {
            case BOOLEAN_VALUE -> constant.booleanValue();
            case INT64_VALUE -> constant.int64Value();
            case UINT64_VALUE ->
                UnsignedLong.fromLongBits(constant.uint64Value().longValue());
            case DOUBLE_VALUE -> constant.doubleValue();
            case STRING_VALUE -> constant.stringValue();
            case BYTES_VALUE -> constant.bytesValue();
            case NULL_VALUE -> constant.nullValue();
            default -> throw new Failure("unsupported literal: " + constant.getKind());
        };
    }

    private ExpressionNode identifier(CelExpr expr) {
        String name = expr.ident().name();
        Local local = locals.get(name);
        if (local != null) {
            return AttributeNode.of(new Attribute.OfLocal(expr.id(), local.slot(), local.initial()));
        }
        String global = name.startsWith(".") ? name.substring(1) : name;
        return global.equals(variable) ? AttributeNode.of(new Attribute.OfVariable(expr.id())) : typeName(expr, global);
    }

    private ExpressionNode typeName(CelExpr expr, String name) {
        CelType type = ast.getType(expr.id()).orElse(null);
        if (!(type instanceof TypeType)) {
            throw new Failure("unsupported identifier: " + name);
        }
        return new ConstantNode(expr.id(), new TypeName(name));
    }

    private ExpressionNode select(CelExpr expr) {
        CelExpr.CelSelect select = expr.select();
        var reference = ast.getReference(expr.id());
        if (reference.isPresent()) {
            return typeName(expr, reference.get().name());
        }
        Attribute attribute = attributeOf(plan(select.operand()));
        if (select.testOnly()) {
            attribute.follow(Qualifier.presenceOf(expr.id(), select.field()));
            return AttributeNode.presence(expr.id(), attribute);
        }
        attribute.follow(Qualifier.constant(expr.id(), select.field(), false));
        return AttributeNode.of(attribute);
    }

    private static Attribute attributeOf(ExpressionNode node) {
        return node instanceof AttributeNode attribute ? attribute.attribute() : new Attribute.OfNode(node.id(), node);
    }

    private ExpressionNode call(CelExpr expr) {
        CelExpr.CelCall call = expr.call();
        var operands = new ArrayList<CelExpr>();
        call.target().ifPresent(operands::add);
        operands.addAll(call.args());
        ExpressionNode[] arguments = operands.stream().map(this::plan).toArray(ExpressionNode[]::new);
        return switch (call.function()) {
            case "_&&_" -> new AndNode(expr.id(), arguments);
            case "_||_" -> new OrNode(expr.id(), arguments);
            case "_==_" -> new EqualNode(expr.id(), arguments);
            case "_!=_" -> new NotEqualNode(expr.id(), arguments);
            case "_?_:_" -> conditional(expr, arguments);
            case "_[_]" -> index(expr, arguments, false);
            case "_?._", "_[?_]" -> index(expr, arguments, true);
            case "or" -> new OptionalOrNode(expr.id(), arguments[0], arguments[1]);
            case "orValue" -> new OptionalOrValueNode(expr.id(), arguments[0], arguments[1]);
            default -> function(expr, arguments);
        };
    }

    private static ExpressionNode conditional(CelExpr expr, ExpressionNode[] arguments) {
        return AttributeNode.of(new Attribute.Conditional(
                expr.id(), arguments[0], attributeOf(arguments[1]), attributeOf(arguments[2])));
    }

    private static ExpressionNode index(CelExpr expr, ExpressionNode[] arguments, boolean optional) {
        Attribute attribute = attributeOf(arguments[0]);
        ExpressionNode key = arguments[1];
        if (key instanceof ConstantNode constant) {
            attribute.follow(Qualifier.constant(expr.id(), constant.value(), optional));
        } else if (key instanceof AttributeNode path) {
            attribute.follow(Qualifier.path(expr.id(), path.attribute(), optional));
        } else {
            attribute.follow(Qualifier.computed(expr.id(), key, optional));
        }
        return AttributeNode.of(attribute);
    }

    private ExpressionNode function(CelExpr expr, ExpressionNode[] arguments) {
        String name = expr.call().function();
        String overload = overload(expr);
        Callable function = functions.find(name, overload);
        if (function == null) {
            throw new Failure("unsupported function: " + name);
        }
        if (overload.equals("in_list") && arguments[1] instanceof ConstantNode list) {
            ExpressionNode membership = membership(expr, arguments[0], (List<?>) list.value());
            if (membership != null) {
                return membership;
            }
        }
        if (CONVERSIONS.contains(name) && arguments.length == 1 && arguments[0] instanceof ConstantNode constant) {
            return new ConstantNode(expr.id(), successful(function.call(new Object[] {constant.value()})));
        }
        if (REGEX_FUNCTIONS.contains(name)
                && arguments[1] instanceof ConstantNode regex
                && regex.value() instanceof String text) {
            Regexes.compile(text);
            // Upstream replaces such calls with calls that evaluate their arguments one after another.
            return new CallNode(expr.id(), new StopAtFailure(function), CallCosts.of(name, overload), arguments);
        }
        return new CallNode(expr.id(), function, CallCosts.of(name, overload), arguments);
    }

    /** The overload id; empty if the call can resolve to several overloads. */
    private String overload(CelExpr expr) {
        List<String> ids = ast.getReference(expr.id())
                .map(reference -> (List<String>) reference.overloadIds())
                .orElse(List.of());
        return ids.size() == 1 ? ids.get(0) : "";
    }

    private static Object successful(Object result) {
        if (result instanceof Failure failure) {
            throw failure;
        }
        return result;
    }

    private static @Nullable ExpressionNode membership(CelExpr expr, ExpressionNode element, List<?> list) {
        if (list.isEmpty()) {
            return new ConstantNode(expr.id(), false);
        }
        var values = new HashSet<Object>();
        for (Object value : list) {
            if (!Numbers.isNumber(value) && !(value instanceof String) && !(value instanceof Boolean)) {
                return null;
            }
            values.addAll(Numbers.equalValues(value));
        }
        return new MembershipNode(expr.id(), element, values);
    }

    private ExpressionNode list(CelExpr expr) {
        ExpressionNode[] elements =
                expr.list().elements().stream().map(this::plan).toArray(ExpressionNode[]::new);
        var list = new ListNode(expr.id(), elements, expr.list().optionalIndices());
        return areConstant(elements)
                ? new ConstantNode(expr.id(), successful(list.build(Evaluation.ofConstants())))
                : list;
    }

    private ExpressionNode map(CelExpr expr) {
        List<CelExpr.CelMap.Entry> entries = expr.map().entries();
        var parts = new ExpressionNode[2 * entries.size()];
        var optional = new boolean[entries.size()];
        for (int i = 0; i < entries.size(); i++) {
            parts[2 * i] = plan(entries.get(i).key());
            parts[2 * i + 1] = plan(entries.get(i).value());
            optional[i] = entries.get(i).optionalEntry();
        }
        var map = new MapNode(expr.id(), parts, optional);
        return areConstant(parts) ? new ConstantNode(expr.id(), successful(map.build(Evaluation.ofConstants()))) : map;
    }

    private static boolean areConstant(ExpressionNode[] nodes) {
        for (ExpressionNode node : nodes) {
            if (!(node instanceof ConstantNode)) {
                return false;
            }
        }
        return true;
    }

    private ExpressionNode comprehension(CelExpr expr) {
        CelExpr.CelComprehension fold = expr.comprehension();
        ExpressionNode initial = plan(fold.accuInit());
        ExpressionNode range = plan(fold.iterRange());
        var outer = new HashMap<>(locals);
        int accumulator = define(fold.accuVar(), initial);
        int first = define(fold.iterVar(), null);
        int second = fold.iterVar2().isEmpty() ? -1 : define(fold.iterVar2(), null);
        ExpressionNode condition = plan(fold.loopCondition());
        ExpressionNode step = plan(fold.loopStep());
        Local result = locals.get(fold.accuVar());
        locals.clear();
        locals.putAll(outer);
        if (result != null) {
            locals.put(fold.accuVar(), result);
        }
        var parts = new FoldNode.Parts(range, condition, step, plan(fold.result()));
        locals.clear();
        locals.putAll(outer);
        return new FoldNode(expr.id(), new FoldNode.Slots(accumulator, first, second), parts);
    }

    private int define(String name, @Nullable ExpressionNode initial) {
        locals.put(name, new Local(slots, initial));
        return slots++;
    }
}
