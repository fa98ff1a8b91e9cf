package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.EqualPartsModel;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.Model;
import dev.fakegpu.hardware.catalog.TemplateModel;
import dev.fakegpu.hardware.inventory.field.NodeSelectorReader;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import dev.fakegpu.hardware.inventory.field.Syntax;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Computes the hardware of a node from a FakeGpu's spec and the node's name. Specs are checked first. */
public final class InventoryPlanner {

    private static final int REMEMBERED = 1000;

    private final Supplier<Catalog> catalog;

    /** A cache by the FakeGpu's name, because every preparation of a claim needs the same few specs. */
    private final Map<String, Checked> checked = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Checked> eldest) {
            return size() > REMEMBERED;
        }
    });

    /** The problems of a spec, and the catalog for which they were found. */
    private record Checked(FakeGpuSpec spec, Catalog models, List<SpecProblem> problems) {

        boolean isOf(FakeGpuSpec otherSpec, Catalog otherModels) {
            return models.equals(otherModels) && spec.equals(otherSpec);
        }
    }

    public InventoryPlanner(Catalog catalog) {
        this(() -> catalog);
    }

    /** @param catalog called for every spec, because models can be added and changed */
    public InventoryPlanner(Supplier<Catalog> catalog) {
        this.catalog = catalog;
    }

    /**
     * The reasons why the spec cannot be published; empty if it can. Repeats the checks of the CRD's schema, for specs that no API server
     * has validated, and adds checks that a schema cannot express.
     *
     * @param fakeGpuName {@code metadata.name}
     */
    public List<SpecProblem> check(FakeGpuSpec spec, String fakeGpuName) {
        Catalog models = catalog.get();
        Checked known = checked.get(fakeGpuName);
        if (known == null || !known.isOf(spec, models)) {
            known = new Checked(spec, models, check(spec, fakeGpuName, models));
            checked.put(fakeGpuName, known);
        }
        return known.problems();
    }

    private static List<SpecProblem> check(FakeGpuSpec spec, String fakeGpuName, Catalog models) {
        Problems problems = problems(spec, fakeGpuName, models);
        if (problems.count() == 0) {
            InventoryPlan plan = InventoryPlan.of(spec, fakeGpuName, models);
            Inventory hardware = plan.hardware("");
            new DeviceSettingsCheck(spec, fakeGpuName, plan.areGpusNumbered(), problems).check(hardware);
            InventoryCheck.check(
                    new DeviceSettings(TimedFaults.allStruck(spec), null).applyTo(hardware), spec, problems);
        }
        return problems.found();
    }

    /** What NVML knows about a whole GPU. Only an accepted spec has a known model. */
    public NvmlGpu nvmlGpu(FakeGpuSpec spec, String fakeGpuName) {
        return check(spec, fakeGpuName).isEmpty() ? plan(spec, fakeGpuName).nvmlGpu() : NvmlGpu.UNKNOWN;
    }

    /** Whether the spec's devices have NVIDIA's attribute {@code type}, as for most models. */
    public boolean hasTypes(FakeGpuSpec spec) {
        return model(spec, GpuModel.class);
    }

    /** Whether the spec's model is one of dra-example-driver's. */
    public boolean hasEqualParts(FakeGpuSpec spec) {
        return model(spec, EqualPartsModel.class);
    }

    /** Whether the catalog has the spec's model. Also true if the spec names none. */
    public boolean isModelKnown(FakeGpuSpec spec) {
        return spec.model() == null || catalog.get().find(spec.model()).isPresent();
    }

    /** Whether the spec's model is hardware that NVML does not know, such as a network card. */
    public boolean isOfOtherHardware(FakeGpuSpec spec) {
        return model(spec, TemplateModel.class);
    }

    private boolean model(FakeGpuSpec spec, Class<? extends Model> type) {
        return spec.model() != null
                && catalog.get().find(spec.model()).filter(type::isInstance).isPresent();
    }

    /**
     * The hardware of one node. For several nodes, use {@link #plan(FakeGpuSpec, String)}, which checks the spec only once.
     *
     * @param nodeName as in {@link InventoryPlan#on}
     * @throws IllegalArgumentException as for {@link #plan(FakeGpuSpec, String)}
     */
    public Inventory plan(FakeGpuSpec spec, String fakeGpuName, String nodeName) {
        return plan(spec, fakeGpuName).on(nodeName);
    }

    /**
     * The plan of a spec for any node, with the current catalog.
     *
     * @throws IllegalArgumentException with the message of the first problem that {@link #check} finds in the spec alone
     */
    public InventoryPlan plan(FakeGpuSpec spec, String fakeGpuName) {
        Catalog models = catalog.get();
        if (!isAccepted(spec, fakeGpuName, models)) {
            List<SpecProblem> problems = problems(spec, fakeGpuName, models).found();
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(problems.get(0).sentence());
            }
        }
        return InventoryPlan.of(spec, fakeGpuName, models);
    }

    private boolean isAccepted(FakeGpuSpec spec, String fakeGpuName, Catalog models) {
        Checked known = checked.get(fakeGpuName);
        return known != null && known.problems().isEmpty() && known.isOf(spec, models);
    }

    /**
     * The faults that can affect a call for a claim, in the order of the spec.
     *
     * @param nodeName as for {@link #plan}
     * @param devices the names of this FakeGpu's devices on the node that are allocated to the claim
     */
    public List<FaultSpec> faults(
            FakeGpuSpec spec,
            String fakeGpuName,
            String nodeName,
            FaultSpec.Operation operation,
            Map<String, String> claimLabels,
            Set<String> devices) {
        var candidates = spec.faults().stream()
                .filter(fault -> !TimedFaults.isTimed(fault)
                        && fault.operation() == operation
                        && isFor(fault.claims(), claimLabels))
                .toList();
        if (candidates.isEmpty()) {
            return candidates;
        }
        Inventory inventory = plan(spec, fakeGpuName, nodeName);
        var settings = new DeviceSettings(spec, nodeName);
        return candidates.stream()
                .filter(fault -> fault.devices() == null
                        || settings.selectsAny(fault.selected(), inventory, device -> devices.contains(device.name())))
                .toList();
    }

    /**
     * The spec with the effects of the faults that have taken effect at the given time; see {@link TimedFaults}.
     *
     * @param applied when the current version of each fault was applied, by name
     * @param prepared the FakeGpu's devices that are prepared
     */
    public TimedFaults.Result withTimedFaults(
            FakeGpuSpec spec,
            String fakeGpuName,
            Instant now,
            Map<String, Instant> applied,
            List<TimedFaults.PreparedOn> prepared) {
        Map<String, Inventory> byNode = new HashMap<>();
        Function<String, Inventory> plan = node -> plan(spec, fakeGpuName, node);
        return TimedFaults.at(
                now,
                spec,
                applied,
                prepared,
                (fault, device) -> isFor(fault.claims(), device.claimLabels())
                        && (fault.devices() == null
                                || new DeviceSettings(spec, device.node())
                                        .selectsAny(
                                                fault.devices(),
                                                byNode.computeIfAbsent(device.node(), plan),
                                                known -> known.name().equals(device.device()))));
    }

    private static boolean isFor(FaultSpec.@Nullable ClaimsSelector claims, Map<String, String> labels) {
        if (claims == null) {
            return true;
        }
        var requirements = new ArrayList<>(NodeSelectorReader.read(claims.matchExpressions()));
        claims.matchLabels()
                .forEach((name, value) -> requirements.add(new NodeSelector.Requirement(name, "In", List.of(value))));
        return requirements.isEmpty()
                || new NodeSelector(List.of(new NodeSelector.Term(requirements, List.of()))).matches("", labels);
    }

    /** The problems that can be detected without computing the hardware. */
    private static Problems problems(FakeGpuSpec spec, String fakeGpuName, Catalog models) {
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
        new DeviceSettingsCheck(spec, fakeGpuName, false, problems).check();
        return problems;
    }
}
