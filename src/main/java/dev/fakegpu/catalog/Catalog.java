package dev.fakegpu.catalog;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The GPU models that there are, by name. */
public final class Catalog {

    /** Listed by hand: a jar has no directories to read. */
    private static final List<String> BUILT_IN = List.of("a100-sxm4-40gb.yaml", "h100-80gb-hbm3.yaml", "l40s.yaml");

    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final SortedMap<String, GpuModel> models;

    private Catalog(SortedMap<String, GpuModel> models) {
        this.models = Collections.unmodifiableSortedMap(models);
    }

    /** The models that come with the operator. */
    public static Catalog builtIn() {
        return of(BUILT_IN.stream().map(Catalog::readBuiltIn).toList());
    }

    /**
     * Any models.
     *
     * @throws IllegalArgumentException if two have the same name
     */
    public static Catalog of(Collection<GpuModel> models) {
        var byName = new TreeMap<String, GpuModel>();
        for (GpuModel model : models) {
            Invalid.when(byName.put(model.name(), model) != null, "model %s occurs twice", model.name());
        }
        return new Catalog(byName);
    }

    /**
     * Reads one model.
     *
     * @throws IOException if it is no YAML of that shape, or its numbers contradict one another
     */
    static GpuModel read(InputStream yaml) throws IOException {
        return YAML.readValue(yaml, GpuModel.class);
    }

    public Optional<GpuModel> find(String name) {
        return Optional.ofNullable(models.get(name));
    }

    public SortedSet<String> names() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(models.keySet()));
    }

    private static GpuModel readBuiltIn(String file) {
        try (InputStream yaml = Catalog.class.getResourceAsStream("/catalog/" + file)) {
            if (yaml == null) {
                throw new IllegalStateException("catalog/" + file + " is not on the class path");
            }
            return read(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException("catalog/" + file + ": " + e.getMessage(), e);
        }
    }
}
