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
        Problems problems = problems(spec, fakeGpuName);
        if (problems.count() == 0) {
            Inventory hardware = hardware(spec, fakeGpuName, "");
            new DecorationCheck(spec, fakeGpuName, problems).check(hardware);
            InventoryCheck.check(new Decorations(spec, null).applyTo(hardware), spec, problems);
        }
        return problems.found();
    }

    /** What can be told from the spec alone. */
    private Problems problems(FakeGpuSpec spec, String fakeGpuName) {
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
        new DecorationCheck(spec, fakeGpuName, problems).check();
        return problems;
    }

    /**
     * The devices of a node: always with their compatibility groups and without the allocator's taint.
     * {@link Inventory#published} makes of it what is published.
     *
     * @param nodeName empty for network-attached devices, which are on no node
     * @throws IllegalArgumentException with the first problem's sentence, if {@link #check} finds one in the spec alone
     */
    public Inventory plan(FakeGpuSpec spec, String fakeGpuName, String nodeName) {
        List<SpecProblem> problems = problems(spec, fakeGpuName).found();
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.get(0).sentence());
        }
        return new Decorations(spec, nodeName).applyTo(hardware(spec, fakeGpuName, nodeName));
    }

    private Inventory hardware(FakeGpuSpec spec, String fakeGpuName, String nodeName) {
        if (spec.custom() != null) {
            return CustomInventory.of(spec.custom());
        }
        GpuModel model = catalog.find(String.valueOf(spec.model())).orElseThrow();
        return ModelInventory.of(
                model,
                Offer.of(model, spec.partitionsOrDefault()),
                spec.gpusPerNode(),
                spec.topologyOrDefault(),
                fakeGpuName,
                nodeName);
    }
}
