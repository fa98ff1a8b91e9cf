package dev.fakegpu.hardware.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** The known models of GPUs and other hardware, by name and alias. */
public final class Catalog {

    /** A fixed list, since a directory in a jar cannot be listed portably. */
    private static final List<String> BUILT_IN = List.of(
            "a10.yaml",
            "a100-pcie-40gb.yaml",
            "a100-pcie-80gb.yaml",
            "a100-sxm4-40gb.yaml",
            "a100-sxm4-80gb.yaml",
            "a10g.yaml",
            "a30.yaml",
            "b200.yaml",
            "bluefield-3.yaml",
            "connectx-7-sriov.yaml",
            "connectx-7.yaml",
            "gaudi3.yaml",
            "gb200.yaml",
            "gb300.yaml",
            "grace.yaml",
            "h100-80gb-hbm3.yaml",
            "h200.yaml",
            "l4.yaml",
            "l40s.yaml",
            "latest-cpu-model.yaml",
            "latest-gpu-model.yaml",
            "latest-net-model.yaml",
            "mi300x-auto-partition.yaml",
            "mi300x-cpx-nps1.yaml",
            "mi300x-cpx-nps4.yaml",
            "mi300x-dpx-nps1.yaml",
            "mi300x.yaml",
            "numa-memory.yaml",
            "rtx-6000-ada-generation.yaml",
            "t4.yaml",
            "tpu-v6e.yaml",
            "v100-sxm2-16gb.yaml",
            "xeon-8480c-individual.yaml",
            "xeon-8480c.yaml",
            "xeon-8570.yaml");

    private final ModelIndex models;
    private final List<Rejected> rejected;

    private Catalog(ModelIndex models, List<Rejected> rejected) {
        this.models = models;
        this.rejected = List.copyOf(rejected);
    }

    /** The models that come with the operator. */
    public static Catalog builtIn() {
        return BuiltIn.CATALOG;
    }

    /** Reads the built-in models on first use and only once, since each simulated cluster asks for them. */
    private static final class BuiltIn {

        private static final Catalog CATALOG =
                of(BUILT_IN.stream().map(Catalog::readBuiltIn).toList());
    }

    /**
     * Creates a catalog of the given models.
     *
     * @throws IllegalArgumentException if two models have the same name
     */
    public static Catalog of(Collection<? extends Model> models) {
        var index = new ModelIndex();
        for (Model model : models) {
            index.add(model).ifPresent(problem -> {
                throw new IllegalArgumentException(problem);
            });
        }
        return new Catalog(index, List.of());
    }

    /**
     * A file that adds a model.
     *
     * @param source where the file is, for messages
     */
    public record Addition(String source, String yaml) {}

    /**
     * A file that could not be added.
     *
     * @param model the name of its model; empty if the file has none
     * @param problem why it could not be added
     */
    public record Rejected(String source, String model, String problem) {}

    /**
     * A file that was read.
     *
     * @param name the name of its model; empty if the file has none
     * @param model null if it cannot be added
     * @param problem why it cannot be added; null if it can
     */
    public record ReadFile(
            Addition file,
            String name,
            @Nullable Model model,
            @Nullable String problem) {

        public static ReadFile of(Addition file) {
            String name = "";
            try {
                JsonNode tree = ModelFormat.tree(file.yaml);
                name = tree.path("name").asText();
                return new ReadFile(file, name, ModelFormat.read(tree), null);
            } catch (InvalidModelException e) {
                return new ReadFile(file, name, null, String.valueOf(e.getMessage()));
            }
        }
    }

    /**
     * This catalog plus the models of the valid files; {@link #rejected} returns the other files. Of two models with the same name, only
     * the first is added. Two models with the same alias are both added, and the alias refers to the first. Names take precedence over
     * aliases.
     */
    public Catalog with(List<Addition> additions) {
        return withFiles(additions.stream().map(ReadFile::of).toList());
    }

    /** Does the same as {@link #with} for files that were read before. */
    public Catalog withFiles(List<ReadFile> files) {
        var index = new ModelIndex(models);
        var refused = new ArrayList<Rejected>();
        for (ReadFile read : files) {
            Model model = read.model;
            String problem = read.problem;
            if (model != null) {
                problem = index.add(model).orElse(null);
            }
            if (problem != null) {
                refused.add(new Rejected(read.file.source, read.name, problem));
            }
        }
        return new Catalog(index, refused);
    }

    /** Reads one model from a file. */
    static Model read(String yaml) throws InvalidModelException {
        return ModelFormat.read(ModelFormat.tree(yaml));
    }

    /** The model with a partial catalog entry merged over it; see {@link ModelOverlay}. */
    public static Model override(Model model, ObjectNode overrides) throws InvalidModelException {
        return ModelFormat.override(model, overrides);
    }

    /** The model with this name or alias. Dashes may replace spaces, and spaces dashes. */
    public Optional<Model> find(String nameOrAlias) {
        return models.find(nameOrAlias);
    }

    public SortedSet<String> names() {
        return models.names();
    }

    /** All names that {@link #find} knows, with dashes for spaces. The names of models come before aliases. */
    public Set<String> namesAndAliases() {
        return models.namesAndAliases();
    }

    public Collection<Model> models() {
        return models.models();
    }

    /** The files that could not be added. */
    public List<Rejected> rejected() {
        return rejected;
    }

    private static Model readBuiltIn(String file) {
        try (InputStream yaml = Catalog.class.getResourceAsStream("/catalog/" + file)) {
            if (yaml == null) {
                throw new IllegalStateException("catalog/" + file + " is not on the class path");
            }
            return read(new String(yaml.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InvalidModelException e) {
            throw new IllegalStateException("catalog/" + file + ": " + e.getMessage(), e);
        }
    }
}
