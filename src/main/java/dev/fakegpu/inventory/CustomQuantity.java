package dev.fakegpu.inventory;

import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Checks and reads quantities as a FakeGpu has them: the client splits amount and suffix without looking at them. */
final class CustomQuantity {

    /** The API server stores anything above as this, and the slice would never be what was wanted. */
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final String ALLOWED = "a quantity from 0 to " + Long.MAX_VALUE + ", for example 16, 500m or 40Gi";

    private CustomQuantity() {}

    static void check(String field, io.fabric8.kubernetes.api.model.@Nullable Quantity written, Problems problems) {
        String text = text(written);
        Quantity quantity;
        try {
            quantity = of(written);
        } catch (IllegalArgumentException e) {
            problems.add(field, text, text.isEmpty() ? "is missing" : "is no quantity", ALLOWED);
            return;
        }
        if (quantity.signum() < 0) {
            problems.add(field, text, "is negative", ALLOWED);
        } else if (quantity.value().compareTo(MAX) > 0) {
            problems.add(field, text, "is too large", ALLOWED);
        }
    }

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
