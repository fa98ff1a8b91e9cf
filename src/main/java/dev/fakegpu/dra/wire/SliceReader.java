package dev.fakegpu.dra.wire;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceFields;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads ResourceSlices, including those that the API would reject, as the table of {@link SliceFields} describes them. */
public final class SliceReader {

    private static final ObjectMapper JSON = new ObjectMapper();

    private SliceReader() {}

    /** @throws IllegalArgumentException if a quantity is malformed, or an element of a list is null */
    public static Slice read(ResourceSlice slice) {
        return slice instanceof CompactSlice compact ? compact.slice() : parse(slice);
    }

    /** The pool of a slice that the API server has accepted. */
    public static PoolId pool(ResourceSlice slice) {
        return new PoolId(slice.getSpec().getDriver(), slice.getSpec().getPool().getName());
    }

    private static Slice parse(ResourceSlice slice) {
        ResourceSliceSpec spec = Objects.requireNonNullElseGet(slice.getSpec(), ResourceSliceSpec::new);
        return SliceFields.SPEC
                .read(JSON.valueToTree(spec))
                .named(
                        slice.getMetadata() == null
                                ? ""
                                : text(slice.getMetadata().getName()));
    }

    /**
     * Reads a slice without the client's model, which takes ten times as long. Empty if the slice is unusual, for example if a field has
     * another type: only the client's model can report that.
     *
     * @param object a ResourceSlice
     */
    static Optional<Slice> readUsual(JsonNode object) {
        if (!object.at("/spec/pool").isObject() || !object.at("/metadata/name").isTextual()) {
            return Optional.empty();
        }
        try {
            return Optional.of(SliceFields.SPEC
                    .read(object.get("spec"))
                    .named(object.get("metadata").get("name").textValue()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static DeviceTaint taint(io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint taint) {
        return SliceFields.TAINT.read(JSON.valueToTree(taint));
    }

    /** The quantity; zero if it is missing, as in Go. */
    public static Quantity quantity(io.fabric8.kubernetes.api.model.@Nullable Quantity quantity) {
        if (quantity == null) {
            return Quantity.ZERO;
        }
        return Quantity.parse(quantity.getAmount() + requireNonNullElse(quantity.getFormat(), ""));
    }

    /** The string; empty if it is missing, as in Go. */
    static String text(@Nullable String value) {
        return requireNonNullElse(value, "");
    }

    static <A> List<A> copy(@Nullable List<A> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    static <A, B> List<B> mapAll(@Nullable List<A> list, Function<A, B> function) {
        return list == null ? List.of() : list.stream().map(function).toList();
    }

    static <A, B> Map<String, B> mapValues(@Nullable Map<String, A> map, Function<A, B> function) {
        var result = new LinkedHashMap<String, B>();
        if (map != null) {
            map.forEach((key, value) -> result.put(key, function.apply(value)));
        }
        return result;
    }
}
