package dev.fakegpu.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.catalog.GpuModel;
import java.util.List;

/** From a FakeGpu's spec and a node's name to what is on that node. */
public final class InventoryPlanner {

    private final Catalog catalog;

    public InventoryPlanner(Catalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Why the spec cannot be published; empty if it can. Repeats what the CRD's schema says, for specs that never met an API
     * server, and adds what a schema cannot say.
     *
     * @param fakeGpuName {@code metadata.name}
     */
    public List<SpecProblem> check(FakeGpuSpec spec, String fakeGpuName) {
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
        List<SpecProblem> problems = check(spec, fakeGpuName);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.get(0).sentence());
        }
        if (spec.custom() != null) {
            return CustomInventory.of(spec.custom());
        }
        GpuModel model = catalog.find(String.valueOf(spec.model())).orElseThrow();
        return ModelInventory.of(
                model, Offer.of(model, spec.partitionsOrDefault()), spec.gpusPerNode(), fakeGpuName, nodeName);
    }
}
