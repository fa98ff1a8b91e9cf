package dev.fakegpu.engine.cel;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import java.util.Optional;

/** A capacity that an expression compares with a quantity. */
public record ComparedQuantity(String domain, String name, Bound bound, Quantity amount) implements ComparedValue {

    /** How the value must relate to the literal. */
    public enum Bound {
        AT_LEAST("at least "),
        MORE_THAN("more than "),
        AT_MOST("at most "),
        LESS_THAN("less than "),
        EXACTLY("");

        private final String words;

        Bound(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        /** @param difference the result of comparing the value with the literal */
        boolean allows(int difference) {
            return switch (this) {
                case AT_LEAST -> difference >= 0;
                case MORE_THAN -> difference > 0;
                case AT_MOST -> difference <= 0;
                case LESS_THAN -> difference < 0;
                case EXACTLY -> difference == 0;
            };
        }

        /** Whether a larger amount could match where this one does not. */
        public boolean isLower() {
            return this == AT_LEAST || this == MORE_THAN;
        }

        /** Whether a smaller amount could match where this one does not. */
        public boolean isUpper() {
            return this == AT_MOST || this == LESS_THAN;
        }
    }

    /** The device's capacity; empty if it lacks the capacity. */
    public Optional<Quantity> in(String driver, Device device) {
        return find(driver, device.capacity()).map(DeviceCapacity::value);
    }

    @Override
    public boolean holds(String driver, Device device) {
        return in(driver, device).filter(this::isMetBy).isPresent();
    }

    public boolean isMetBy(Quantity value) {
        return bound.allows(value.compareTo(amount));
    }

    /** The text, such as {@code at least 80Gi memory}. */
    public String wish() {
        return bound.words + amount + " " + name;
    }
}
