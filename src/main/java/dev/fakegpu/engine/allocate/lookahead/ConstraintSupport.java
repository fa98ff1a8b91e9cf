package dev.fakegpu.engine.allocate.lookahead;

import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A {@code matchAttribute} or {@code distinctAttribute} constraint with the eligible devices that support each value. */
public final class ConstraintSupport {

    private final BitSet variants;
    private final Map<Object, DeviceSet> devicesByValue;
    private final Supplier<@Nullable Set<?>> agreedValues;

    /**
     * Creates the support of a constraint.
     *
     * @param variants the ids of the variants to which the constraint applies
     * @param devicesByValue in a fixed order
     * @param agreedValues the values that all devices picked so far have in common; null if none is picked. Only read for
     *     {@code matchAttribute}
     */
    public ConstraintSupport(
            BitSet variants, Map<Object, DeviceSet> devicesByValue, Supplier<@Nullable Set<?>> agreedValues) {
        this.variants = variants;
        this.devicesByValue = devicesByValue;
        this.agreedValues = agreedValues;
    }

    boolean appliesTo(VariantDemand variant) {
        return variants.get(variant.id());
    }

    boolean appliesTo(DeviceDemand demand) {
        return demand.isDecided() && appliesTo(demand.variant());
    }

    Map<Object, DeviceSet> devicesByValue() {
        return devicesByValue;
    }

    DeviceSet devicesWith(Object value) {
        return Objects.requireNonNull(devicesByValue.get(value));
    }

    boolean isOpen(Object value) {
        Set<?> agreed = agreedValues.get();
        return agreed == null || agreed.contains(value);
    }
}
