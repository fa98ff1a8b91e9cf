package dev.fakegpu.inventory;

import dev.fakegpu.dra.Quantity;
import org.jspecify.annotations.Nullable;

/** Reads quantities of custom hardware: the client splits amount and suffix without looking at them. */
final class CustomQuantity {
    private CustomQuantity() {}

    /**
     * The exact number.
     *
     * @throws IllegalArgumentException if it is missing or no quantity
     */
    static Quantity of(io.fabric8.kubernetes.api.model.@Nullable Quantity written) {
        return Quantity.parse(text(written));
    }

    /** As the user wrote it; empty if it is missing. */
    static String text(io.fabric8.kubernetes.api.model.@Nullable Quantity written) {
        if (written == null || written.getAmount() == null) {
            return "";
        }
        return written.getFormat() == null ? written.getAmount() : written.getAmount() + written.getFormat();
    }
}
