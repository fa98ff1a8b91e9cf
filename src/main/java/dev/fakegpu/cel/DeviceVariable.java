package dev.fakegpu.cel;

import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A device as expressions see it: {@code device.driver}, {@code device.attributes[domain].id}, {@code device.capacity[domain].id}. */
record DeviceVariable(Map<String, Object> activation) {

    static final String NAME = "device";

    private static final Map<String, CelType> FIELDS = Map.of(
            "driver", SimpleType.STRING,
            "attributes", domains(SimpleType.DYN),
            "capacity", domains(QuantityLibrary.TYPE));

    /** Declared field by field, so that a misspelt field is a compile error. */
    static final StructType TYPE = StructType.create(
            "kubernetes.DRADevice",
            ImmutableSet.copyOf(FIELDS.keySet()),
            field -> Optional.ofNullable(FIELDS.get(field)));

    private static CelType domains(CelType value) {
        return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, value));
    }

    /** @throws IllegalArgumentException if an attribute is no valid version */
    static DeviceVariable of(String driver, Device device) {
        var attributes = new Domains(driver);
        device.attributes().forEach((name, value) -> attributes.put(name, celValue(name, value)));
        var capacity = new Domains(driver);
        device.capacity().forEach((name, value) -> capacity.put(name, value.value()));
        return new DeviceVariable(
                Map.of(NAME, Map.of("driver", driver, "attributes", attributes.asMap(), "capacity", capacity.asMap())));
    }

    private static Object celValue(String name, AttributeValue value) {
        if (value instanceof AttributeValue.StringValue text) {
            return text.value();
        }
        if (value instanceof AttributeValue.IntValue number) {
            return number.value();
        }
        if (value instanceof AttributeValue.BoolValue bool) {
            return bool.value();
        }
        try {
            return SemanticVersion.parse(((AttributeValue.VersionValue) value).value());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("attribute " + name + ": " + e.getMessage(), e);
        }
    }

    /** Collects qualified names by domain; an unqualified one belongs to the driver's. */
    private static final class Domains {
        private final String driver;
        private final Map<String, Map<String, Object>> byDomain = new HashMap<>();

        Domains(String driver) {
            this.driver = driver;
        }

        void put(String qualifiedName, Object value) {
            int slash = qualifiedName.indexOf('/');
            String domain = slash < 0 ? driver : qualifiedName.substring(0, slash);
            byDomain.computeIfAbsent(domain, ignored -> new HashMap<>()).put(qualifiedName.substring(slash + 1), value);
        }

        Map<String, Map<String, Object>> asMap() {
            return new MapWithDefault<>(byDomain, Map.of());
        }
    }
}
