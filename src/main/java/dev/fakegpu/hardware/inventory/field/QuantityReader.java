package dev.fakegpu.hardware.inventory.field;

import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Validates and parses quantities of a FakeGpu. The client only splits the amount from the suffix, without validation. */
public final class QuantityReader {

    /** The API server caps larger values with binary suffixes at this number, so the stored slice would never equal the desired one. */
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final String ALLOWED = "a quantity from 0 to " + Long.MAX_VALUE + ", for example 16, 500m or 40Gi";

    private QuantityReader() {}

    public static void check(
            String field, io.fabric8.kubernetes.api.model.@Nullable Quantity written, Problems problems) {
        String text = text(written);
        Quantity quantity;
        try {
            quantity = of(written);
        } catch (IllegalArgumentException e) {
            problems.add(field, text, text.isEmpty() ? "is missing" : "is not a quantity", ALLOWED);
            return;
        }
        if (quantity.signum() < 0) {
            problems.add(field, text, "is negative", ALLOWED);
        } else if (quantity.value().compareTo(MAX) > 0) {
            problems.add(field, text, "is too large", ALLOWED);
        }
    }

    /**
     * The exact value.
     *
     * @throws IllegalArgumentException if the value is missing or not a quantity
     */
    public static Quantity of(io.fabric8.kubernetes.api.model.@Nullable Quantity written) {
        return Quantity.parse(text(written));
    }

    /** The text that the user wrote; empty if it is missing. */
    public static String text(io.fabric8.kubernetes.api.model.@Nullable Quantity written) {
        if (written == null || written.getAmount() == null) {
            return "";
        }
        return written.getFormat() == null ? written.getAmount() : written.getAmount() + written.getFormat();
    }
}
