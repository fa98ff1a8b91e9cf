package dev.fakegpu.engine.cel;

import com.google.common.collect.ImmutableSet;
import dev.cel.checker.CelChecker;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelVarDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelStandardMacro;
import dev.fakegpu.engine.cel.eval.Planner;
import dev.fakegpu.engine.cel.eval.Program;
import dev.fakegpu.engine.cel.library.Functions;
import dev.fakegpu.engine.cel.library.StandardOverloads;
import dev.fakegpu.engine.cel.value.Cidr;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.IpAddress;
import dev.fakegpu.engine.cel.value.Steps;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Kubernetes' environment for device expressions. The parser and the type checker are cel-java's. Evaluation is implemented here, because
 * cel-java does not count costs. Upstream: {@code apiserver/pkg/cel/environment/base.go} and {@code
 * dynamic-resource-allocation/cel/compile.go}.
 */
final class Environment {

    /** {@code CELSelectorExpressionMaxLength} of {@code resource.k8s.io/v1}. */
    private static final int MAX_EXPRESSION_LENGTH = 10 * 1024;

    private static final CelOptions OPTIONS = CelOptions.current()
            .maxExpressionCodePointSize(MAX_EXPRESSION_LENGTH)
            .enableHeterogeneousNumericComparisons(true)
            .enableTimestampEpoch(true)
            .enableOptionalSyntax(true)
            .build();

    /** The only function that was added after Kubernetes 1.34: with lists, in 1.36. */
    private static final String OF_LISTS = "includes";

    private final CelParser parser = CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(CelExtensions.bindings(), CelExtensions.comprehensions())
            .addMacros(Macros.ALL)
            .build();
    private final Functions functions = new Functions();
    private final StructType device;
    private final List<CelFunctionDecl> declarations;

    /**
     * Creates an environment.
     *
     * @param features what expressions can use
     */
    Environment(SelectorFeatures features) {
        device = DeviceVariable.type(features);
        declarations = Stream.concat(CelExtensions.optional().functions().stream(), functions.declarations())
                .filter(declaration ->
                        features.areListsAllowed() || !declaration.name().equals(OF_LISTS))
                .toList();
    }

    /** @throws Failure if the expression does not compile; the message is for its author */
    Expression compile(String text) {
        Steps.begin(); // literals are converted while compiling
        CelAbstractSyntaxTree ast = check(text);
        Literals.check(ast);
        Program program = Planner.plan(functions, ast, DeviceVariable.NAME);
        return new Expression(program, References.of(ast), ast.getResultType());
    }

    private CelAbstractSyntaxTree check(String text) {
        try {
            CelAbstractSyntaxTree parsed = parser.parse(text).getAst();
            return checker(CalledFunctions.of(parsed)).check(parsed).getAst();
        } catch (CelValidationException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    /** Declares only the functions that the expression calls, because a checker examines all its declarations for every expression. */
    private CelChecker checker(CalledFunctions called) {
        return CelCompilerFactory.standardCelCheckerBuilder()
                .setOptions(OPTIONS)
                .setStandardEnvironmentEnabled(false)
                .setStandardDeclarations(StandardOverloads.others(called::include))
                .setTypeProvider(new DeviceTypes(device))
                .addVarDeclarations(CelVarDecl.newVarDeclaration(DeviceVariable.NAME, device))
                .addVarDeclarations(CelExtensions.optional().variables())
                .addFunctionDeclarations(declarations.stream()
                        .filter(declaration -> called.include(declaration.name()))
                        .toList())
                .build();
    }

    /** The types that are not built into the checker. */
    private static final class DeviceTypes implements CelTypeProvider {
        private final ImmutableSet<CelType> types;

        DeviceTypes(StructType device) {
            types = ImmutableSet.of(device, SimpleType.DURATION, SimpleType.TIMESTAMP, IpAddress.TYPE, Cidr.TYPE);
        }

        @Override
        public ImmutableSet<CelType> types() {
            return types;
        }

        @Override
        public Optional<CelType> findType(String name) {
            return types.stream().filter(type -> type.name().equals(name)).findFirst();
        }
    }
}
