package dev.fakegpu.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.catalog.EqualPartsModel;
import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.catalog.InvalidModelException;
import dev.fakegpu.catalog.Model;
import java.util.List;
import java.util.function.Supplier;

/** From a FakeGpu's spec and a node's name to what is on that node. */
public final class InventoryPlanner {

    private final Supplier<Catalog> catalog;

    public InventoryPlanner(Catalog catalog) {
        this(() -> catalog);
    }

    /** @param catalog asked anew for every spec, because models may be added and changed */
    public InventoryPlanner(Supplier<Catalog> catalog) {
        this.catalog = catalog;
    }

    /**
     * Why the spec cannot be published; empty if it can. Repeats what the CRD's schema says, for specs that never met an API
     * server, and adds what a schema cannot say.
     *
     * @param fakeGpuName {@code metadata.name}
     */
    public List<SpecProblem> check(FakeGpuSpec spec, String fakeGpuName) {
        return check(spec, fakeGpuName, catalog.get());
    }

    private static List<SpecProblem> check(FakeGpuSpec spec, String fakeGpuName, Catalog catalog) {
        var problems = new Problems();
        problems.unlessMatches(Syntax.FAKEGPU_NAME, "metadata.name", fakeGpuName);
        problems.unlessMatches(Syntax.DRIVER, "spec.driver", spec.driver());
        if ((spec.model() == null) == (spec.custom() == null)) {
            problems.add(
                    "spec",
                    spec.model() == null ? "" : spec.model(),
                    spec.model() == null ? "has no hardware" : "is a model beside custom hardware",
                    "exactly one of model and custom");
        } else if (spec.custom() != null) {
            CustomCheck.check(spec, spec.custom(), problems);
        } else {
            new ModelCheck(catalog, problems).check(spec);
        }
        return problems.found();
    }

    /**
     * The hardware of a node: always with its compatibility groups and without taints. {@link Inventory#published} makes of it
     * what is published.
     *
     * @throws IllegalArgumentException with the first problem's sentence, if {@link #check} has one
     */
    public Inventory plan(FakeGpuSpec spec, String fakeGpuName, String nodeName) {
        var models = catalog.get();
        List<SpecProblem> problems = check(spec, fakeGpuName, models);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.get(0).sentence());
        }
        if (spec.custom() != null) {
            return CustomInventory.of(spec.custom());
        }
        return planModel(model(spec, models), spec, fakeGpuName, nodeName);
    }

    private static Inventory planModel(Model model, FakeGpuSpec spec, String fakeGpuName, String nodeName) {
        PartitionsSpec partitions = spec.partitionsOrDefault();
        if (model instanceof EqualPartsModel equalParts) {
            return EqualPartsInventory.of(equalParts, partitions, spec.gpusPerNode(), fakeGpuName, nodeName);
        }
        GpuModel gpu = (GpuModel) model;
        return ModelInventory.of(gpu, Offer.of(gpu, partitions), spec.gpusPerNode(), fakeGpuName, nodeName);
    }

    private static Model model(FakeGpuSpec spec, Catalog models) {
        Model model = models.find(String.valueOf(spec.model())).orElseThrow();
        try {
            return spec.modelOverrides() == null ? model : Catalog.override(model, spec.modelOverrides());
        } catch (InvalidModelException e) {
            throw new IllegalStateException("was checked before: " + e.getMessage(), e);
        }
    }
}
