package dev.fakegpu.cel;

import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.InOperator.InOverload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles device selectors and remembers them by their text. The environment takes tenths of a second to build and a compilation
 * about a millisecond, so an application has one of these. Safe for use by several threads.
 */
public final class Selectors {

    /** {@code CELSelectorExpressionMaxLength} of {@code resource.k8s.io/v1}. */
    private static final int MAX_EXPRESSION_LENGTH = 10 * 1024;

    /**
     * Upstream limits an evaluation to a cost of 1 000 000 units, of which a step of a comprehension takes at least four. Costs
     * are not counted here; this bounds what is repeated.
     */
    private static final int MAX_ITERATIONS = 250_000;

    /** Expressions are written by users, so their number has no bound of its own. */
    private static final int MAX_REMEMBERED = 1_000;

    private static final CelOptions OPTIONS = CelOptions.current()
            .maxExpressionCodePointSize(MAX_EXPRESSION_LENGTH)
            .comprehensionMaxIterations(MAX_ITERATIONS)
            .enableHeterogeneousNumericComparisons(true)
            .enableTimestampEpoch(true)
            .build();

    private final CelCompiler compiler;
    private final CelRuntime runtime;
    private final Map<String, Selector> compiled = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Selector> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    public Selectors() {
        var quantities = new QuantityLibrary();
        var versions = new SemverLibrary();
        compiler = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setTypeProvider(new DeviceTypes())
                .addVar(DeviceVariable.NAME, DeviceVariable.TYPE)
                .addLibraries(
                        CelExtensions.optional(),
                        CelExtensions.bindings(),
                        CelExtensions.strings(),
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.comprehensions(),
                        quantities,
                        versions)
                .build();
        runtime = CelRuntimeFactory.standardCelRuntimeBuilder()
                .setOptions(OPTIONS)
                .setStandardEnvironmentEnabled(false)
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .filterFunctions((function, overload) -> overload != InOverload.IN_MAP)
                        .build())
                .addFunctionBindings(
                        CelFunctionBinding.from("in_map", Object.class, Map.class, (key, map) -> map.containsKey(key)))
                .addLibraries(
                        CelExtensions.optional(),
                        CelExtensions.strings(),
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.comprehensions(),
                        quantities,
                        versions)
                .build();
    }

    /**
     * The selector for an expression. What is wrong with the expression is said when it is evaluated, because that is when
     * upstream says it.
     */
    public Selector compile(String expression) {
        synchronized (compiled) {
            return compiled.computeIfAbsent(expression, this::compileNew);
        }
    }

    private Selector compileNew(String expression) {
        try {
            CelAbstractSyntaxTree ast = compiler.compile(expression).getAst();
            if (!isBoolOrUnknown(ast.getResultType())) {
                return Selector.broken(
                        expression,
                        "must evaluate to bool or the unknown type, not "
                                + ast.getResultType().name());
            }
            return Selector.of(expression, runtime.createProgram(ast));
        } catch (CelValidationException | CelEvaluationException e) {
            return Selector.broken(expression, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isBoolOrUnknown(CelType type) {
        return type.equals(SimpleType.BOOL) || type.equals(SimpleType.DYN) || type.equals(SimpleType.ANY);
    }

    private static final class DeviceTypes implements CelTypeProvider {
        @Override
        public ImmutableSet<CelType> types() {
            return ImmutableSet.of(DeviceVariable.TYPE);
        }

        @Override
        public Optional<CelType> findType(String name) {
            return name.equals(DeviceVariable.TYPE.name()) ? Optional.of(DeviceVariable.TYPE) : Optional.empty();
        }
    }
}
