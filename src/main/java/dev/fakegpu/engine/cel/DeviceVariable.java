package dev.fakegpu.engine.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.engine.cel.value.MissingName;
import dev.fakegpu.engine.cel.value.NamedValues;
import dev.fakegpu.engine.cel.value.QuantityType;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The CEL variable {@code device}: {@code device.driver}, {@code device.attributes[domain].id},
 * {@code device.capacity[domain].id} and {@code device.allowMultipleAllocations}. Values are converted when they are read.
 * Upstream: {@code dynamic-resource-allocation/cel/compile.go}.
 */
final class DeviceVariable extends AbstractMap<String, Object> {

    static final String NAME = "device";
    static final String DRIVER = "driver";
    static final String ATTRIBUTES = "attributes";
    static final String CAPACITY = "capacity";
    static final String ALLOW_MULTIPLE_ALLOCATIONS = "allowMultipleAllocations";

    private final String driver;
    private final Device device;
    private @Nullable Domains attributes;
    private @Nullable Domains capacity;

    /** @param device a device whose attributes are all {@linkplain AttributeValues#problemOf valid} */
    DeviceVariable(String driver, Device device) {
        this.driver = driver;
        this.device = device;
    }

    /**
     * The type is declared field by field, so that a misspelled field is a compile error.
     *
     * @param features what expressions can use
     */
    static StructType type(SelectorFeatures features) {
        var known = ImmutableMap.<String, CelType>builder()
                .put(DRIVER, SimpleType.STRING)
                .put(ATTRIBUTES, domains(features.attributes().type()))
                .put(CAPACITY, domains(QuantityType.TYPE));
        if (features.hasMultipleAllocations()) {
            known.put(ALLOW_MULTIPLE_ALLOCATIONS, SimpleType.BOOL);
        }
        ImmutableMap<String, CelType> fields = known.buildOrThrow();
        return StructType.create(
                "kubernetes.DRADevice", fields.keySet(), field -> Optional.ofNullable(fields.get(field)));
    }

    private static CelType domains(CelType value) {
        return MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, value));
    }

    @Override
    public @Nullable Object get(@Nullable Object field) {
        if (ATTRIBUTES.equals(field)) {
            return attributes();
        }
        if (CAPACITY.equals(field)) {
            return capacity();
        }
        if (DRIVER.equals(field)) {
            return driver;
        }
        return ALLOW_MULTIPLE_ALLOCATIONS.equals(field) ? (Object) device.allowMultipleAllocations() : null;
    }

    @Override
    public boolean containsKey(@Nullable Object field) {
        return get(field) != null;
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        return Map.<String, Object>of(
                        DRIVER, driver,
                        ATTRIBUTES, attributes(),
                        CAPACITY, capacity(),
                        ALLOW_MULTIPLE_ALLOCATIONS, device.allowMultipleAllocations())
                .entrySet();
    }

    private Domains attributes() {
        Domains known = attributes;
        if (known == null) {
            known = new Domains(ATTRIBUTES, driver, device.attributes());
            attributes = known;
        }
        return known;
    }

    private Domains capacity() {
        Domains known = capacity;
        if (known == null) {
            known = new Domains(CAPACITY, driver, device.capacity());
            capacity = known;
        }
        return known;
    }

    private static Object inExpressions(Object value) {
        return value instanceof AttributeValue attribute
                ? AttributeValues.inExpressions(attribute)
                : ((DeviceCapacity) value).value();
    }

    /**
     * The names and values by domain; a name without a domain belongs to the driver's. Looking up an unknown domain returns an empty map,
     * but {@code in} and iteration include only existing domains. Names are grouped by domain on the first iteration.
     */
    static final class Domains extends AbstractMap<String, Map<String, Object>> {
        private final String field;
        private final String driver;
        private final Map<String, ?> values;
        private @Nullable Map<String, Map<String, Object>> byDomain;

        private Domains(String field, String driver, Map<String, ?> values) {
            this.field = field;
            this.driver = driver;
            this.values = values;
        }

        @Override
        public @Nullable Map<String, Object> get(@Nullable Object domain) {
            return domain instanceof String name ? new Domain(name) : null;
        }

        @Override
        public boolean containsKey(@Nullable Object domain) {
            return byDomain().containsKey(domain);
        }

        @Override
        public Set<Entry<String, Map<String, Object>>> entrySet() {
            return byDomain().entrySet();
        }

        private Map<String, Map<String, Object>> byDomain() {
            Map<String, Map<String, Object>> known = byDomain;
            if (known == null) {
                known = new HashMap<>();
                for (Map.Entry<String, ?> entry : values.entrySet()) {
                    String name = entry.getKey();
                    int slash = name.indexOf('/');
                    known.computeIfAbsent(slash < 0 ? driver : name.substring(0, slash), ignored -> new HashMap<>())
                            .put(name.substring(slash + 1), inExpressions(entry.getValue()));
                }
                byDomain = known;
            }
            return known;
        }

        /** The values of one domain by id, read from the device. */
        private final class Domain extends AbstractMap<String, Object> implements NamedValues {
            private final String name;

            Domain(String name) {
                this.name = name;
            }

            @Override
            public @Nullable Object get(@Nullable Object id) {
                if (!(id instanceof String text)) {
                    return null;
                }
                Object value = name.equals(driver) && text.indexOf('/') < 0 ? values.get(text) : null;
                if (value == null) {
                    value = values.get(name + "/" + text);
                }
                return value == null ? null : inExpressions(value);
            }

            @Override
            public MissingName missing(Object id) {
                return new MissingName(field, name, String.valueOf(id));
            }

            @Override
            public boolean containsKey(@Nullable Object id) {
                return get(id) != null;
            }

            @Override
            public Set<Entry<String, Object>> entrySet() {
                return byDomain().getOrDefault(name, Map.of()).entrySet();
            }
        }
    }
}
