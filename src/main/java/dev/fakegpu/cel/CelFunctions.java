package dev.fakegpu.cel;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A library of CEL functions under construction: each overload is declared to the checker and bound in the runtime in one place.
 * Overload ids are those of {@code k8s.io/apiserver/pkg/cel/library}.
 */
abstract class CelFunctions implements CelCompilerLibrary, CelRuntimeLibrary {

    private final Map<String, List<CelOverloadDecl>> declarations = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    final <A> void global(
            String name, String id, CelType result, CelType argType, Class<A> arg, CelFunctionOverload.Unary<A> body) {
        declare(name, CelOverloadDecl.newGlobalOverload(id, result, argType));
        bindings.add(CelFunctionBinding.from(id, arg, body));
    }

    final <A, B> void global(
            String name,
            String id,
            CelType result,
            List<CelType> argTypes,
            Class<A> first,
            Class<B> second,
            CelFunctionOverload.Binary<A, B> body) {
        declare(name, CelOverloadDecl.newGlobalOverload(id, result, argTypes));
        bindings.add(CelFunctionBinding.from(id, first, second, body));
    }

    final <T> void member(
            String name, String id, CelType result, CelType type, Class<T> target, CelFunctionOverload.Unary<T> body) {
        declare(name, CelOverloadDecl.newMemberOverload(id, result, type));
        bindings.add(CelFunctionBinding.from(id, target, body));
    }

    final <T, A> void member(
            String name,
            String id,
            CelType result,
            List<CelType> types,
            Class<T> target,
            Class<A> arg,
            CelFunctionOverload.Binary<T, A> body) {
        declare(name, CelOverloadDecl.newMemberOverload(id, result, types));
        bindings.add(CelFunctionBinding.from(id, target, arg, body));
    }

    private void declare(String name, CelOverloadDecl overload) {
        declarations.computeIfAbsent(name, ignored -> new ArrayList<>()).add(overload);
    }

    static List<CelType> types(CelType... types) {
        return Arrays.asList(types);
    }

    @Override
    public void setParserOptions(CelParserBuilder parser) {}

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        declarations.forEach((name, overloads) ->
                checker.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(name, overloads)));
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder runtime) {
        runtime.addFunctionBindings(bindings);
    }
}
