package dev.fakegpu.engine.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.values.CelByteString;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.cel.value.OpaqueValue;
import dev.fakegpu.engine.cel.value.QuantityType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A library of functions. Its constructor declares each overload to the type checker and implements it in one place. Overload ids
 * are upstream's, because costs depend on them.
 */
abstract class FunctionLibrary {

    /** The implementation of an overload, for arguments that fit its declaration. */
    @FunctionalInterface
    interface Body {
        Object apply(Object[] arguments);
    }

    @FunctionalInterface
    interface Unary<A> {
        Object apply(A argument);
    }

    @FunctionalInterface
    interface Binary<A, B> {
        Object apply(A first, B second);
    }

    private final Map<String, List<CelOverloadDecl>> declarations = new LinkedHashMap<>();
    private final Map<String, List<Overload>> overloads = new LinkedHashMap<>();

    /** One signature of a function with its body. */
    record Overload(String id, List<CelType> parameters, Body body) {

        boolean accepts(Object[] arguments) {
            if (arguments.length != parameters.size()) {
                return false;
            }
            for (int i = 0; i < arguments.length; i++) {
                if (!isOfType(arguments[i], parameters.get(i))) {
                    return false;
                }
            }
            return true;
        }

        /** Whether arguments fit. Element types do not matter: as in upstream, any list matches any list type. */
        private static boolean isOfType(Object value, CelType type) {
            return switch (type.kind()) {
                case INT -> value instanceof Long;
                case UINT -> value instanceof UnsignedLong;
                case DOUBLE -> value instanceof Double;
                case STRING -> value instanceof String;
                case BOOL -> value instanceof Boolean;
                case BYTES -> value instanceof CelByteString;
                case DURATION -> value instanceof Duration;
                case TIMESTAMP -> value instanceof Instant;
                case LIST -> value instanceof List<?>;
                case MAP -> value instanceof Map<?, ?>;
                case OPAQUE -> isOpaque(value, type.name());
                default -> true;
            };
        }

        private static boolean isOpaque(Object value, String name) {
            if (value instanceof Optional<?>) {
                return name.equals("optional_type");
            }
            return value instanceof Quantity
                    ? name.equals(QuantityType.TYPE.name())
                    : value instanceof OpaqueValue opaque
                            && opaque.type().name().equals(name);
        }
    }

    /** Declares an overload that is implemented elsewhere. */
    final void declareGlobal(String name, String id, CelType result, List<CelType> parameters) {
        declare(name, CelOverloadDecl.newGlobalOverload(id, result, parameters));
    }

    final void global(String name, String id, CelType result, List<CelType> parameters, Body body) {
        declareGlobal(name, id, result, parameters);
        implement(name, new Overload(id, parameters, body));
    }

    @SuppressWarnings("unchecked")
    final <A> void global(String name, String id, CelType result, CelType parameter, Unary<A> body) {
        global(name, id, result, List.of(parameter), args -> body.apply((A) args[0]));
    }

    final void member(String name, String id, CelType result, List<CelType> parameters, Body body) {
        declare(name, CelOverloadDecl.newMemberOverload(id, result, parameters));
        implement(name, new Overload(id, parameters, body));
    }

    @SuppressWarnings("unchecked")
    final <A> void member(String name, String id, CelType result, CelType target, Unary<A> body) {
        member(name, id, result, List.of(target), args -> body.apply((A) args[0]));
    }

    @SuppressWarnings("unchecked")
    final <A, B> void member(
            String name, String id, CelType result, CelType target, CelType argument, Binary<A, B> body) {
        member(name, id, result, List.of(target, argument), args -> body.apply((A) args[0], (B) args[1]));
    }

    /** Implements an overload that is declared elsewhere. */
    final void implement(String name, Overload overload) {
        overloads.computeIfAbsent(name, ignored -> new ArrayList<>()).add(overload);
    }

    private void declare(String name, CelOverloadDecl overload) {
        declarations.computeIfAbsent(name, ignored -> new ArrayList<>()).add(overload);
    }

    static List<CelType> types(CelType... types) {
        return Arrays.asList(types);
    }

    final List<CelFunctionDecl> declarations() {
        return declarations.entrySet().stream()
                .map(entry -> CelFunctionDecl.newFunctionDeclaration(entry.getKey(), entry.getValue()))
                .toList();
    }

    final Map<String, List<Overload>> overloads() {
        return overloads;
    }
}
