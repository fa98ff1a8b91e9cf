package dev.fakegpu.hardware.catalog;

import dev.fakegpu.dra.Quantity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A GPU without vendor-specific properties that can be divided into any number of equal parts, as in kubernetes-sigs/dra-example-driver
 * ({@code internal/profiles/gpu}).
 *
 * @param name the value of {@code spec.model}
 * @param aliases other names; null for none
 * @param equalParts the properties of the GPU
 */
public record EqualPartsModel(String name, @Nullable List<String> aliases, EqualParts equalParts) implements Model {

    public EqualPartsModel {
        Names.check(name, aliases);
    }

    /** The capacity of a GPU by name. The counters have the same names and values. */
    public Map<String, Quantity> capacity() {
        var quantities = new LinkedHashMap<String, Quantity>();
        equalParts.capacity.forEach((resource, quantity) -> quantities.put(resource, Quantity.parse(quantity)));
        return quantities;
    }

    /**
     * The properties of the GPU.
     *
     * @param model the attribute {@code model}
     * @param driverVersion the attribute {@code driverVersion}, a semantic version
     * @param capacity quantities, which are divided among the parts and rounded down to whole units
     */
    public record EqualParts(Provenance provenance, String model, String driverVersion, Map<String, String> capacity) {

        private static final int MAX_CAPACITIES = 16;

        public EqualParts {
            capacity = Collections.unmodifiableMap(new LinkedHashMap<>(capacity));
            Names.checkText("model", model);
            Invalid.when(
                    !driverVersion.matches(GpuModel.Software.VERSION),
                    "driver version \"%s\" is not three numbers such as 1.0.0",
                    driverVersion);
            Invalid.when(
                    capacity.isEmpty() || capacity.size() > MAX_CAPACITIES,
                    "%d capacities, 1 to %d are possible",
                    capacity.size(),
                    MAX_CAPACITIES);
            capacity.forEach(EqualParts::check);
        }

        private static void check(String resource, String quantity) {
            Invalid.when(
                    !resource.matches("[a-z]([a-z0-9]{0,31})"),
                    "capacity \"%s\" is not a name of at most 32 lower case letters and digits",
                    resource);
            try {
                Invalid.when(Quantity.parse(quantity).signum() <= 0, "capacity %s of %s", resource, quantity);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("capacity %s: %s".formatted(resource, e.getMessage()), e);
            }
        }
    }
}
