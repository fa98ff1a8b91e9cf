package dev.fakegpu.engine.cel.library;

import dev.cel.common.CelFunctionDecl;
import dev.fakegpu.engine.cel.value.Failure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All functions of Kubernetes' environment for stored expressions ({@code apiserver/pkg/cel/environment/base.go}). */
public final class Functions {

    /** The functions that upstream implements once for all overloads. All arguments are evaluated even if one fails. */
    private static final Set<String> SINGLE_BODIES = Set.of("sort", "@sortByAssociatedKeys");

    private final Map<String, FunctionLibrary.Body> standard = new StandardLibrary().functions();
    private final List<FunctionLibrary> libraries = List.of(
            new StandardOverloads(),
            new OptionalLibrary(),
            new ComprehensionLibrary(),
            new StringLibrary(),
            new SetLibrary(),
            new ListLibrary(),
            new ListExtensions(),
            new RegexLibrary(),
            new QuantityLibrary(),
            new SemverLibrary(),
            new IpLibrary(),
            new CidrLibrary(),
            new UrlLibrary(),
            new NamedFormatLibrary());
    private final Map<String, List<FunctionLibrary.Overload>> overloads = new HashMap<>();

    public Functions() {
        for (FunctionLibrary library : libraries) {
            library.overloads()
                    .forEach((name, added) -> overloads.merge(
                            name,
                            added,
                            (a, b) -> Stream.concat(a.stream(), b.stream()).toList()));
        }
    }

    /** The functions that are not built into the type checker. */
    public Stream<CelFunctionDecl> declarations() {
        return libraries.stream().flatMap(library -> library.declarations().stream());
    }

    /**
     * The function to which a call resolves.
     *
     * @param overloadId the overload that the checker found; empty if it found several
     * @return null if there is no such function
     */
    public @Nullable Callable find(String name, String overloadId) {
        if (name.equals("@not_strictly_false")) {
            return new NotStrictlyFalse();
        }
        FunctionLibrary.Body body = standard.get(name);
        if (body != null) {
            return new Dispatched(name, body, true);
        }
        List<FunctionLibrary.Overload> candidates = overloads.getOrDefault(name, List.of());
        for (FunctionLibrary.Overload candidate : candidates) {
            if (candidate.id().equals(overloadId)) {
                return new Dispatched(name, firstThatFits(name, List.of(candidate)), isShort(candidate));
            }
        }
        return candidates.isEmpty()
                ? null
                : new Dispatched(name, firstThatFits(name, candidates), SINGLE_BODIES.contains(name));
    }

    private static boolean isShort(FunctionLibrary.Overload overload) {
        return overload.parameters().size() <= 2;
    }

    private static FunctionLibrary.Body firstThatFits(String name, List<FunctionLibrary.Overload> overloads) {
        return args -> {
            for (FunctionLibrary.Overload overload : overloads) {
                if (overload.accepts(args)) {
                    return overload.body().apply(args);
                }
            }
            throw Failure.noSuchOverload(name);
        };
    }

    private record Dispatched(String name, FunctionLibrary.Body body, boolean evaluatesAllArguments)
            implements Callable {
        @Override
        public Object call(Object[] arguments) {
            try {
                return body.apply(arguments);
            } catch (Failure e) {
                return e;
            }
        }
    }

    /** Lets {@code all} and {@code exists} continue after elements for which the condition fails. */
    private static final class NotStrictlyFalse implements Callable {
        @Override
        public Object call(Object[] arguments) {
            return !Boolean.FALSE.equals(arguments[0]);
        }

        @Override
        public boolean isStrict() {
            return false;
        }
    }
}
