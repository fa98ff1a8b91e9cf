package dev.fakegpu.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.catalog.EqualPartsModel;
import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.catalog.InvalidModelException;
import dev.fakegpu.catalog.Model;
import dev.fakegpu.dra.NodeSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
        return new Plan(spec, fakeGpuName, catalog.get()).check();
    }

    /** Whether the devices have NVIDIA's attribute {@code type}, as those of most models do. */
    public boolean hasTypes(FakeGpuSpec spec) {
        return spec.model() != null
                && catalog.get()
                        .find(spec.model())
                        .filter(EqualPartsModel.class::isInstance)
                        .isEmpty();
    }

    /**
     * The devices of a node: always with their compatibility groups and without the allocator's taint.
     * {@link Inventory#published} makes of it what is published.
     *
     * @param nodeName empty for network-attached devices, which are on no node
     * @throws IllegalArgumentException with the first problem's sentence, if {@link #check} finds one in the spec alone
     */
    public Inventory plan(FakeGpuSpec spec, String fakeGpuName, String nodeName) {
        return new Plan(spec, fakeGpuName, catalog.get()).on(nodeName);
    }

    /**
     * The faults that a call for a claim can meet, in the order of the spec.
     *
     * @param nodeName as for {@link #plan}, which it throws like
     * @param devices names of the claim's devices that are this FakeGpu's, on this node
     */
    public List<FaultSpec> faults(
            FakeGpuSpec spec,
            String fakeGpuName,
            String nodeName,
            FaultSpec.Operation operation,
            Map<String, String> claimLabels,
            Set<String> devices) {
        var candidates = spec.faults().stream()
                .filter(fault -> fault.operation() == operation && isFor(fault.claims(), claimLabels))
                .toList();
        if (candidates.isEmpty()) {
            return candidates;
        }
        Inventory inventory = plan(spec, fakeGpuName, nodeName);
        var decorations = new Decorations(spec, nodeName);
        return candidates.stream()
                .filter(fault -> fault.devices() == null
                        || decorations.selectsAny(
                                fault.selected(), inventory, device -> devices.contains(device.name())))
                .toList();
    }

    private static boolean isFor(FaultSpec.@Nullable ClaimsSelector claims, Map<String, String> labels) {
        if (claims == null) {
            return true;
        }
        var requirements = new ArrayList<>(NodeReach.read(claims.matchExpressions()));
        claims.matchLabels()
                .forEach((name, value) -> requirements.add(new NodeSelector.Requirement(name, "In", List.of(value))));
        return requirements.isEmpty()
                || new NodeSelector(List.of(new NodeSelector.Term(requirements, List.of()))).matches("", labels);
    }

    /** One spec with the models as they are now. */
    private record Plan(FakeGpuSpec spec, String fakeGpuName, Catalog models) {

        List<SpecProblem> check() {
            Problems problems = problems();
            if (problems.count() == 0) {
                Inventory hardware = hardware("");
                new DecorationCheck(spec, fakeGpuName, problems).check(hardware);
                InventoryCheck.check(new Decorations(spec, null).applyTo(hardware), spec, problems);
            }
            return problems.found();
        }

        Inventory on(String nodeName) {
            List<SpecProblem> problems = problems().found();
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(problems.get(0).sentence());
            }
            return new Decorations(spec, nodeName).applyTo(hardware(nodeName));
        }

        /** What can be told from the spec alone. */
        private Problems problems() {
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
                new ModelCheck(models, problems).check(spec);
            }
            new DecorationCheck(spec, fakeGpuName, problems).check();
            return problems;
        }

        private Inventory hardware(String nodeName) {
            if (spec.custom() != null) {
                return CustomInventory.of(spec.custom());
            }
            PartitionsSpec partitions = spec.partitionsOrDefault();
            Model model = model();
            if (model instanceof EqualPartsModel equalParts) {
                return EqualPartsInventory.of(
                        equalParts, partitions, spec.gpusPerNode(), spec.topologyOrDefault(), fakeGpuName, nodeName);
            }
            GpuModel gpu = (GpuModel) model;
            return ModelInventory.of(
                    gpu,
                    Offer.of(gpu, partitions),
                    spec.gpusPerNode(),
                    spec.topologyOrDefault(),
                    fakeGpuName,
                    nodeName);
        }

        private Model model() {
            Model model = models.find(String.valueOf(spec.model())).orElseThrow();
            try {
                return spec.modelOverrides() == null ? model : Catalog.override(model, spec.modelOverrides());
            } catch (InvalidModelException e) {
                throw new IllegalStateException("was checked before: " + e.getMessage(), e);
            }
        }
    }
}
