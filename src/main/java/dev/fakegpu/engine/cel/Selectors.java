package dev.fakegpu.engine.cel;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Compiles device expressions and caches them by their text. Thread-safe. */
public final class Selectors {

    private static final Selectors SHARED = new Selectors();

    private final Map<String, Selector> selectors = new Recent<>();
    private final Map<String, DerivedAttribute> derivedAttributes = new Recent<>();

    /** The environment is created when the first expression is compiled. */
    private static final class Compiler {
        static final Environment ENVIRONMENT = new Environment(SelectorFeatures.ALL);
        static final Map<SelectorFeatures, Environment> OTHERS = new ConcurrentHashMap<>();
    }

    /** The cache of this process. It can be shared because the compiled expression depends only on the text. */
    public static Selectors shared() {
        return SHARED;
    }

    /** The selector for an expression. If the expression does not compile, evaluating the selector returns the error, as upstream does. */
    public Selector compile(String expression) {
        synchronized (selectors) {
            return selectors.computeIfAbsent(
                    expression,
                    text -> new Selector(DeviceFunction.compile(text, Compiler.ENVIRONMENT, Selector.KIND)));
        }
    }

    /** Compiles an expression as an API server without some features does. The result is not cached. */
    public Selector compile(String expression, SelectorFeatures features) {
        if (features.equals(SelectorFeatures.ALL)) {
            return compile(expression);
        }
        return new Selector(
                DeviceFunction.compile(expression, environment(features), Selector.kind(features.attributes())));
    }

    /** Compiles the expression of a derived attribute in the same way (KEP-6080). */
    public DerivedAttribute compileDerivedAttribute(String expression) {
        synchronized (derivedAttributes) {
            return derivedAttributes.computeIfAbsent(
                    expression,
                    text -> new DerivedAttribute(
                            DeviceFunction.compile(text, Compiler.ENVIRONMENT, DerivedAttribute.KIND)));
        }
    }

    /** Compiles it as an API server without some features does. The result is not cached. */
    public DerivedAttribute compileDerivedAttribute(String expression, SelectorFeatures features) {
        if (features.equals(SelectorFeatures.ALL)) {
            return compileDerivedAttribute(expression);
        }
        return new DerivedAttribute(DeviceFunction.compile(
                expression, environment(features), DerivedAttribute.kind(features.areListsAllowed())));
    }

    private static Environment environment(SelectorFeatures features) {
        return Compiler.OTHERS.computeIfAbsent(features, Environment::new);
    }

    /** The most recently used expressions. The cache is bounded because users write expressions, and the longest take megabytes. */
    private static final class Recent<E> extends LinkedHashMap<String, E> {
        private static final long serialVersionUID = 1L;
        private static final int MAX_REMEMBERED = 1_000;
        private static final int MAX_CHARACTERS = 1_000_000;

        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, E> eldest) {
            int characters = keySet().stream().mapToInt(String::length).sum();
            Iterator<String> oldest = keySet().iterator();
            while (size() > 1 && (size() > MAX_REMEMBERED || characters > MAX_CHARACTERS)) {
                characters -= oldest.next().length();
                oldest.remove();
            }
            return false;
        }
    }
}
