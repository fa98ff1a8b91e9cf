package dev.fakegpu.engine.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.fakegpu.dra.Device;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a device that an expression can read. The expression is evaluated only once for devices with equal parts. A lookup by a
 * literal name reads that one value. Every other use, such as iteration over domains, reads all attributes or capacities.
 */
final class References {

    /**
     * The part of the device that a path has reached so far: the device itself, a field such as {@code attributes}, or a domain in a field.
     */
    private record Place(String field, @Nullable String domain) {}

    /** A lookup of one attribute or capacity. */
    private record Name(String domain, String id, String qualified) {}

    private static final Place DEVICE = new Place("", null);

    private final Set<Name> attributes = new LinkedHashSet<>();
    private final Set<Name> capacities = new LinkedHashSet<>();
    private final Set<ComparedValue> compared = new LinkedHashSet<>();
    private final Set<String> requiredDrivers = new LinkedHashSet<>();
    private boolean allAttributes;
    private boolean allCapacity;
    private boolean driver;
    private boolean sharing;

    private References() {}

    static References of(CelAbstractSyntaxTree ast) {
        var references = new References();
        Map<String, Place> scope = Map.of(DeviceVariable.NAME, DEVICE);
        references.require(ast.getExpr(), scope);
        references.visit(ast.getExpr(), scope);
        return references;
    }

    /** The texts that must all be the driver's name for the expression to be true. */
    Set<String> requiredDrivers() {
        return Set.copyOf(requiredDrivers);
    }

    /**
     * The comparisons with literals: all of texts by {@code ==}, and those of quantities and versions that must be true for the expression
     * to be true.
     */
    List<ComparedValue> compared() {
        return List.copyOf(compared);
    }

    /** Devices with equal keys have the same result. */
    Key keyOf(String driverName, Device device) {
        @Nullable Object[] seen = new @Nullable Object[4 + 2 * (attributes.size() + capacities.size())];
        // A name without a domain belongs to the driver's, so an expression that reads all names also reads the driver.
        seen[0] = driver || allAttributes || allCapacity ? driverName : null;
        seen[1] = sharing && device.allowMultipleAllocations();
        seen[2] = allAttributes ? device.attributes() : null;
        seen[3] = allCapacity ? device.capacity() : null;
        int next = 4;
        next = collect(attributes, device.attributes(), driverName, seen, next);
        collect(capacities, device.capacity(), driverName, seen, next);
        return new Key(seen);
    }

    private static int collect(
            Set<Name> names, Map<String, ?> values, String driver, @Nullable Object[] seen, int start) {
        int next = start;
        for (Name name : names) {
            seen[next++] = values.get(name.qualified());
            seen[next++] = name.domain().equals(driver) ? values.get(name.id()) : null;
        }
        return next;
    }

    /** The parts of one device that the expression reads. */
    static final class Key {
        private final @Nullable Object[] seen;
        private final int hash;

        private Key(@Nullable Object[] seen) {
            this.seen = seen;
            this.hash = Arrays.hashCode(seen);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key that && hash == that.hash && Arrays.equals(seen, that.seen);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private void visit(CelExpr expr, Map<String, Place> scope) {
        Place place = place(expr, scope);
        if (place != null) {
            seeAll(place);
            return;
        }
        if (isLookup(expr, scope)) {
            return;
        }
        switch (expr.getKind()) {
            case SELECT -> visit(expr.select().operand(), scope);
            case CALL -> visitCall(expr.call(), scope);
            case LIST -> expr.list().elements().forEach(element -> visit(element, scope));
            case MAP ->
                expr.map().entries().forEach(entry -> {
                    visit(entry.key(), scope);
                    visit(entry.value(), scope);
                });
            case COMPREHENSION -> visitComprehension(expr.comprehension(), scope);
            default -> {
                // Literals and other variables do not read the device.
            }
        }
    }

    /**
     * Adds what must be true for the expression to be true: comparisons that are joined by {@code &&}. One below {@code !} or in an
     * alternative may be false.
     */
    private void require(CelExpr expr, Map<String, Place> scope) {
        if (expr.getKind() == CelExpr.ExprKind.Kind.COMPREHENSION) {
            CelExpr.CelComprehension fold = expr.comprehension();
            if (isBinding(fold)) {
                require(fold.result(), inside(fold, scope));
            }
            return;
        }
        if (expr.getKind() != CelExpr.ExprKind.Kind.CALL) {
            return;
        }
        if (expr.call().function().equals("_&&_")) {
            expr.call().args().forEach(argument -> require(argument, scope));
            return;
        }
        comparisons(expr.call(), scope).forEach(value -> {
            compared.add(value);
            if (value instanceof ComparedText text && text.isDriver()) {
                requiredDrivers.add(text.text());
            }
        });
    }

    private void visitCall(CelExpr.CelCall call, Map<String, Place> scope) {
        comparisons(call, scope).filter(ComparedText.class::isInstance).forEach(compared::add);
        if (call.function().equals("@in")
                && isLookup(call.args().get(1), call.args().get(0), scope)) {
            return;
        }
        call.target().ifPresent(target -> visit(target, scope));
        call.args().forEach(argument -> visit(argument, scope));
    }

    private static Stream<ComparedValue> comparisons(CelExpr.CelCall call, Map<String, Place> scope) {
        return ComparedLiteral.of(call).stream().flatMap(literal -> comparison(literal, scope).stream());
    }

    private static Optional<ComparedValue> comparison(ComparedLiteral literal, Map<String, Place> scope) {
        Step step = Step.of(literal.value());
        String key = step == null || step.presenceTest() ? null : step.key();
        Place from = step == null || key == null ? null : place(step.operand(), scope);
        if (key == null || from == null) {
            return Optional.empty();
        }
        if (from.equals(DEVICE) && key.equals(DeviceVariable.DRIVER)) {
            return literal.with("", "").filter(ComparedText.class::isInstance);
        }
        boolean isAttribute = from.field().equals(DeviceVariable.ATTRIBUTES);
        return from.domain() == null
                ? Optional.empty()
                : literal.with(from.domain(), key)
                        .filter(comparison -> comparison instanceof ComparedQuantity != isAttribute);
    }

    private void visitComprehension(CelExpr.CelComprehension fold, Map<String, Place> scope) {
        visit(fold.iterRange(), scope);
        Map<String, Place> inner = inside(fold, scope);
        if (!inner.containsKey(fold.accuVar())) {
            visit(fold.accuInit(), scope);
            visit(fold.loopCondition(), inner);
            visit(fold.loopStep(), inner);
        }
        visit(fold.result(), inner);
    }

    /** Whether it is a {@code cel.bind}. */
    private static boolean isBinding(CelExpr.CelComprehension fold) {
        return fold.iterVar().startsWith("#");
    }

    /** The places that the variables name inside, including the one that is bound. */
    private static Map<String, Place> inside(CelExpr.CelComprehension fold, Map<String, Place> scope) {
        var inner = new HashMap<>(scope);
        inner.remove(fold.iterVar());
        inner.remove(fold.iterVar2());
        inner.remove(fold.accuVar());
        Place bound = isBinding(fold) ? place(fold.accuInit(), scope) : null;
        if (bound != null) {
            inner.put(fold.accuVar(), bound);
        }
        return inner;
    }

    private void seeAll(Place place) {
        allAttributes |= !place.field().equals(DeviceVariable.CAPACITY);
        allCapacity |= !place.field().equals(DeviceVariable.ATTRIBUTES);
        if (place.equals(DEVICE)) {
            driver = true;
            sharing = true;
        }
    }

    /** The part of the device that a path has reached; null if it has already reached a value or does not begin at the device. */
    private static @Nullable Place place(CelExpr expr, Map<String, Place> scope) {
        if (expr.getKind() == CelExpr.ExprKind.Kind.IDENT) {
            String name = expr.ident().name();
            return scope.get(name.startsWith(".") ? name.substring(1) : name);
        }
        Step step = Step.of(expr);
        Place from = step == null || step.presenceTest() ? null : place(step.operand(), scope);
        String key = step == null ? null : step.key();
        if (from == null || key == null || from.domain() != null) {
            return null;
        }
        if (from.field().isEmpty()) {
            boolean hasDomains = key.equals(DeviceVariable.ATTRIBUTES) || key.equals(DeviceVariable.CAPACITY);
            return hasDomains ? new Place(key, null) : null;
        }
        return new Place(from.field(), key);
    }

    private boolean isLookup(CelExpr expr, Map<String, Place> scope) {
        Step step = Step.of(expr);
        if (step == null || step.key() == null) {
            return false;
        }
        return isLookup(step.operand(), step.key(), scope);
    }

    private boolean isLookup(CelExpr container, CelExpr key, Map<String, Place> scope) {
        String name = text(key);
        return name != null && isLookup(container, name, scope);
    }

    private boolean isLookup(CelExpr container, String key, Map<String, Place> scope) {
        Place from = place(container, scope);
        if (from == null) {
            return false;
        }
        if (from.domain() != null) {
            names(from.field()).add(new Name(from.domain(), key, from.domain() + "/" + key));
            return true;
        }
        if (from.equals(DEVICE)) {
            driver |= key.equals(DeviceVariable.DRIVER);
            sharing |= key.equals(DeviceVariable.ALLOW_MULTIPLE_ALLOCATIONS);
            return !key.equals(DeviceVariable.ATTRIBUTES) && !key.equals(DeviceVariable.CAPACITY);
        }
        return false;
    }

    private Set<Name> names(String field) {
        return field.equals(DeviceVariable.ATTRIBUTES) ? attributes : capacities;
    }

    static @Nullable String text(CelExpr expr) {
        boolean isText = expr.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && expr.constant().getKind() == dev.cel.common.ast.CelConstant.Kind.STRING_VALUE;
        return isText ? expr.constant().stringValue() : null;
    }

    /** {@code operand.key} or {@code operand["key"]}, optional or not; the key is null if it is not a string literal. */
    private record Step(CelExpr operand, @Nullable String key, boolean presenceTest) {

        private static final Set<String> INDEXING = Set.of("_[_]", "_?._", "_[?_]");

        static @Nullable Step of(CelExpr expr) {
            if (expr.getKind() == CelExpr.ExprKind.Kind.SELECT) {
                CelExpr.CelSelect select = expr.select();
                return new Step(select.operand(), select.field(), select.testOnly());
            }
            if (expr.getKind() != CelExpr.ExprKind.Kind.CALL
                    || !INDEXING.contains(expr.call().function())) {
                return null;
            }
            List<CelExpr> args = expr.call().args();
            return new Step(args.get(0), text(args.get(1)), false);
        }
    }
}
