package dev.fakegpu.cli.input;

import dev.fakegpu.api.Labels;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.slices.SliceRenderer;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** ConfigMaps that add models to the catalog, as the operator reads them. */
public final class CatalogFiles {

    private static final String ENABLED = "true";

    /** Kept, because reading it takes long. */
    private static final Catalog BUILT_IN = Catalog.builtIn();

    private CatalogFiles() {}

    /** Whether the manifest is a ConfigMap with the label of the catalog. */
    public static boolean isOne(Manifest manifest) {
        return manifest.kind().equals("ConfigMap")
                && manifest.json()
                        .path("metadata")
                        .path("labels")
                        .path(Labels.CATALOG)
                        .asText()
                        .equals(ENABLED);
    }

    /**
     * A renderer that knows the built-in models and those added by the manifests.
     *
     * @throws InvalidInputException with a message for each model that the operator would not add
     */
    public static SliceRenderer renderer(List<Manifest> manifests) {
        List<Catalog.Addition> additions = manifests.stream()
                .filter(CatalogFiles::isOne)
                .sorted(Comparator.comparing(Manifest::name))
                .flatMap(CatalogFiles::additions)
                .toList();
        Catalog catalog = BUILT_IN.with(additions);
        if (!catalog.rejected().isEmpty()) {
            throw new InvalidInputException(catalog.rejected().stream()
                    .map(rejected -> rejected.source() + ": no model is added to the catalog: " + rejected.problem())
                    .toList());
        }
        return new SliceRenderer(new InventoryPlanner(catalog));
    }

    private static Stream<Catalog.Addition> additions(Manifest manifest) {
        var files = new TreeMap<String, String>();
        manifest.json()
                .path("data")
                .properties()
                .forEach(entry -> files.put(entry.getKey(), entry.getValue().asText()));
        return files.entrySet().stream()
                .map(file -> new Catalog.Addition(manifest.title() + ", key " + file.getKey(), file.getValue()));
    }
}
