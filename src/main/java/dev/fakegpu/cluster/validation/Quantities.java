package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/** Reads quantities of fields. */
final class Quantities {

    private Quantities() {}

    /** Empty if it is missing or cannot be read, which is reported elsewhere. */
    static Optional<Quantity> of(JsonNode value) {
        if (!value.isValueNode() || value.isNull()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Quantity.parse(value.asText()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The value as a whole number, rounded away from 0 ({@code Quantity.Value}). */
    static BigDecimal whole(Quantity quantity) {
        return quantity.value().setScale(0, RoundingMode.UP);
    }
}
