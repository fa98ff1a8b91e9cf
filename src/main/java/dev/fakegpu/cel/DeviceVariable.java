package dev.fakegpu.cel;

import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device as expressions see it: {@code device.driver}, {@code device.attributes[domain].id},
 * {@code device.capacity[domain].id} and {@code device.allowMultipleAllocations}. A field is built when it is first asked for.
 * Upstream: {@code dynamic-resource-allocation/cel/compile.go}.
 */
final class DeviceVariable extends AbstractMap<String, Object> {

    static final String NAME = "device";
    static final String DRIVER = "driver";
    static final String ATTRIBUTES = "attributes";
    static final String CAPACITY = "capacity";
    static final String ALLOW_MULTIPLE_ALLOCATIONS = "allowMultipleAllocations";

    private static final Map<String, CelType> FIELDS = Map.of(
            DRIVER,
            SimpleType.STRING,
            ATTRIBUTES,
            domains(SimpleType.DYN),
            CAPACITY,
            domains(QuantityLibrary.TYPE),
            ALLOW_MULTIPLE_ALLOCATIONS,
            SimpleType.BOOL);

    /** Declared field by field, so that a misspelt field is a compile error. */
    static final StructType TYPE = StructType.create(
            "kubernetes.DRADevice",
            ImmutableSet.copyOf(FIELDS.keySet()),
            field -> Optional.ofNullable(FIELDS.get(field)));

    private final String driver;
    private final Device device;
    private @Nullable Domains attributes;
    private @Nullable Domains capacity;

    /** @param device one whose attributes are all {@linkplain AttributeValues#problemOf valid} */
    DeviceVariable(String driver, Device device) {
        this.driver = driver;
        this.device = device;
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
        Domains built = attributes;
        if (built == null) {
            built = new Domains(driver);
            for (Map.Entry<String, AttributeValue> attribute :
                    device.attributes().entrySet()) {
                built.add(attribute.getKey(), AttributeValues.inExpressions(attribute.getValue()));
            }
            attributes = built;
        }
        return built;
    }

    private Domains capacity() {
        Domains built = capacity;
        if (built == null) {
            built = new Domains(driver);
            for (var entry : device.capacity().entrySet()) {
                built.add(entry.getKey(), entry.getValue().value());
            }
            capacity = built;
        }
        return built;
    }

    /**
     * Qualified names by domain; an unqualified one belongs to the driver's. A look-up of an unknown domain finds an empty map,
     * while {@code in} and iteration know only the domains that are there.
     */
    static final class Domains extends AbstractMap<String, Map<String, Object>> {
        private final String driver;
        private final Map<String, Map<String, Object>> byDomain = new HashMap<>();

        private Domains(String driver) {
            this.driver = driver;
        }

        private void add(String qualifiedName, Object value) {
            int slash = qualifiedName.indexOf('/');
            String domain = slash < 0 ? driver : qualifiedName.substring(0, slash);
            byDomain.computeIfAbsent(domain, ignored -> new HashMap<>()).put(qualifiedName.substring(slash + 1), value);
        }

        @Override
        public Map<String, Object> get(@Nullable Object domain) {
            Map<String, Object> values = byDomain.get(domain);
            return values == null ? Map.of() : values;
        }

        @Override
        public boolean containsKey(@Nullable Object domain) {
            return byDomain.containsKey(domain);
        }

        @Override
        public Set<Entry<String, Map<String, Object>>> entrySet() {
            return byDomain.entrySet();
        }
    }
}
