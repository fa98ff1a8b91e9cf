package dev.fakegpu.engine.cel.eval;

import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.extensions.CelExtensions;
import dev.fakegpu.engine.cel.library.Callable;
import dev.fakegpu.engine.cel.library.Functions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Calls of all functions and operators with their worst arguments. */
final class ExtremeCalls {

    /** The maximum number of calls for {@link EvaluationTimes#CHEAP} units, because a loop alone costs three units for each element. */
    private static final List<Long> RANGE = Collections.nCopies((int) EvaluationTimes.CHEAP / 3, 0L);

    private static final long CALL = 1;
    private static final long FIRST_ARGUMENT = 10;

    private final Functions functions = new Functions();
    private final Random random;

    ExtremeCalls(long seed) {
        this.random = new Random(seed);
    }

    /** One overload of a function or operator. */
    record Overload(String function, CelOverloadDecl declaration) {
        String id() {
            return declaration.overloadId();
        }
    }

    /** An overload with arguments. */
    record Call(Overload overload, List<Object> arguments) {
        @Override
        public String toString() {
            return arguments.stream()
                    .map(ExtremeValues::shown)
                    .collect(Collectors.joining(", ", overload.function() + "(", ") [" + overload.id() + "]"));
        }
    }

    /** The overloads of all libraries and of the language itself. */
    List<Overload> overloads() {
        Stream<CelFunctionDecl> declarations = Stream.of(
                        functions.declarations(),
                        CelExtensions.optional().functions().stream(),
                        Stream.of(StandardFunction.values()).map(StandardFunction::functionDecl))
                .flatMap(each -> each);
        return declarations
                .flatMap(declaration ->
                        declaration.overloads().stream().map(overload -> new Overload(declaration.name(), overload)))
                .distinct()
                .toList();
    }

    /** All combinations of arguments, or a random selection of at most {@code most}. */
    List<Call> calls(Overload overload, int most) {
        List<CelType> types = overload.declaration().parameterTypes();
        double combinations = types.stream()
                .mapToDouble(type -> ExtremeValues.of(type).size())
                .reduce(1, (a, b) -> a * b);
        if (combinations > most) {
            return IntStream.range(0, most)
                    .mapToObj(i ->
                            new Call(overload, types.stream().map(this::any).toList()))
                    .toList();
        }
        List<List<Object>> all = List.of(List.of());
        for (CelType type : types) {
            all = all.stream()
                    .flatMap(before -> ExtremeValues.of(type).stream()
                            .map(value -> Stream.concat(before.stream(), Stream.of(value))
                                    .toList()))
                    .toList();
        }
        return all.stream().map(arguments -> new Call(overload, arguments)).toList();
    }

    private Object any(CelType type) {
        List<Object> values = ExtremeValues.of(type);
        return values.get(random.nextInt(values.size()));
    }

    /** A program that repeats the call as a comprehension does; empty if this project does not have the function. */
    Optional<Program> repeated(Call call) {
        return node(call).map(node -> {
            var parts = new FoldNode.Parts(
                    new ConstantNode(2, RANGE), new ConstantNode(3, true), node, new ConstantNode(4, true));
            return new Program(new FoldNode(5, new FoldNode.Slots(0, -1, -1), parts), 1);
        });
    }

    private Optional<ExpressionNode> node(Call call) {
        var arguments = new ArrayList<ExpressionNode>();
        for (Object value : call.arguments()) {
            arguments.add(new ConstantNode(FIRST_ARGUMENT + arguments.size(), value));
        }
        return node(call.overload(), arguments.toArray(ExpressionNode[]::new));
    }

    private Optional<ExpressionNode> node(Overload overload, ExpressionNode[] arguments) {
        return switch (overload.function()) {
            case "_==_" -> Optional.of(new EqualNode(CALL, arguments));
            case "_!=_" -> Optional.of(new NotEqualNode(CALL, arguments));
            case "_&&_" -> Optional.of(new AndNode(CALL, arguments));
            case "_||_" -> Optional.of(new OrNode(CALL, arguments));
            case "or" -> Optional.of(new OptionalOrNode(CALL, arguments[0], arguments[1]));
            case "orValue" -> Optional.of(new OptionalOrValueNode(CALL, arguments[0], arguments[1]));
            case "_?_:_" ->
                Optional.of(AttributeNode.of(new Attribute.Conditional(
                        CALL, arguments[0], attribute(arguments[1]), attribute(arguments[2]))));
            case "_[_]" -> Optional.of(index(arguments, false));
            case "_[?_]", "_?._" -> Optional.of(index(arguments, true));
            default -> function(overload, arguments);
        };
    }

    private static Attribute attribute(ExpressionNode node) {
        return new Attribute.OfNode(node.id(), node);
    }

    private static ExpressionNode index(ExpressionNode[] arguments, boolean optional) {
        Attribute attribute = attribute(arguments[0]);
        attribute.follow(Qualifier.computed(CALL, arguments[1], optional));
        return AttributeNode.of(attribute);
    }

    private Optional<ExpressionNode> function(Overload overload, ExpressionNode[] arguments) {
        Callable function = functions.find(overload.function(), overload.id());
        return Optional.ofNullable(function)
                .map(found -> new CallNode(CALL, found, CallCosts.of(overload.function(), overload.id()), arguments));
    }
}
