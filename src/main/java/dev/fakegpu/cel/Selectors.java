package dev.fakegpu.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Compiles device expressions and remembers them by their text, so an application has one of these. Safe for use by several
 * threads.
 */
public final class Selectors {

    private static final Set<CelType> SCALARS = Set.of(
            SimpleType.BOOL, SimpleType.INT, SimpleType.STRING, SimpleType.ANY, SimpleType.DYN, SemverLibrary.TYPE);

    private final Map<String, Selector> selectors = new Recent<>();
    private final Map<String, DerivedAttribute> derivedAttributes = new Recent<>();

    /** Built when the first expression is compiled. */
    private static final class Shared {
        static final Environment ENVIRONMENT = new Environment();
    }

    /**
     * The selector for an expression. What is wrong with the expression is said when it is evaluated, because that is when
     * upstream says it.
     */
    public Selector compile(String expression) {
        synchronized (selectors) {
            return selectors.computeIfAbsent(expression, this::compileSelector);
        }
    }

    /** The same for the expression of a derived attribute (KEP-6080). */
    public DerivedAttribute compileDerivedAttribute(String expression) {
        synchronized (derivedAttributes) {
            return derivedAttributes.computeIfAbsent(expression, this::compileAttribute);
        }
    }

    private Selector compileSelector(String text) {
        try {
            Expression expression = Shared.ENVIRONMENT.compile(text);
            CelType type = expression.type();
            return type.equals(SimpleType.BOOL) || type.equals(SimpleType.DYN)
                    ? Selector.of(text, expression)
                    : Selector.broken(text, "must evaluate to bool or the unknown type, not " + type.name());
        } catch (Failure e) {
            return Selector.broken(text, String.valueOf(e.getMessage()));
        }
    }

    private DerivedAttribute compileAttribute(String text) {
        try {
            Expression expression = Shared.ENVIRONMENT.compile(text);
            return isAttributeType(expression.type())
                    ? DerivedAttribute.of(text, expression)
                    : DerivedAttribute.broken(
                            text,
                            "must evaluate to a primitive scalar (string, integer, boolean, semver) or a list of these"
                                    + " scalars, not " + expression.type().name());
        } catch (Failure e) {
            return DerivedAttribute.broken(text, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isAttributeType(CelType type) {
        return SCALARS.contains(type) || (type instanceof ListType list && SCALARS.contains(list.elemType()));
    }

    /** The expressions that were used last. Users write them, so their number has no bound of its own. */
    private static final class Recent<E> extends LinkedHashMap<String, E> {
        private static final long serialVersionUID = 1L;
        private static final int MAX_REMEMBERED = 1_000;

        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, E> eldest) {
            return size() > MAX_REMEMBERED;
        }
    }
}
