package dev.fakegpu.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.catalog.EqualPartsModel;
import dev.fakegpu.dra.NodeSelector;
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

/** From a FakeGpu's spec and a node's name to what is on that node. */
public final class InventoryPlanner {

    private static final int REMEMBERED = 1000;

    private final Supplier<Catalog> catalog;

    /** By the FakeGpu's name. Every preparation of a claim asks about the same specs again. */
    private final Map<String, Checked> checked = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Checked> eldest) {
            return size() > REMEMBERED;
        }
    });

    /** What was found in a spec, with the models that there were. */
    private record Checked(FakeGpuSpec spec, Catalog models, List<SpecProblem> problems) {

        boolean isOf(FakeGpuSpec otherSpec, Catalog otherModels) {
            return models.equals(otherModels) && spec.equals(otherSpec);
        }
    }

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
            Inventory hardware = InventoryPlan.of(spec, fakeGpuName, models).hardware("");
            new DecorationCheck(spec, fakeGpuName, problems).check(hardware);
            InventoryCheck.check(new Decorations(TimedFaults.allStruck(spec), null).applyTo(hardware), spec, problems);
        }
        return problems.found();
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
     * The devices of one node. For several nodes of a spec, {@link #plan(FakeGpuSpec, String)} checks it once only.
     *
     * @param nodeName as in {@link InventoryPlan#on}
     * @throws IllegalArgumentException as {@link #plan(FakeGpuSpec, String)}
     */
    public Inventory plan(FakeGpuSpec spec, String fakeGpuName, String nodeName) {
        return plan(spec, fakeGpuName).on(nodeName);
    }

    /**
     * What a spec means now, for any node.
     *
     * @throws IllegalArgumentException with the first problem's sentence, if {@link #check} finds one in the spec alone
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
                .filter(fault -> !TimedFaults.isTimed(fault)
                        && fault.operation() == operation
                        && isFor(fault.claims(), claimLabels))
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

    /**
     * The spec as faults have changed it at a moment; see {@link TimedFaults}.
     *
     * @param applied since when each fault is in the spec as it is, by name
     * @param prepared the FakeGpu's devices that are prepared
     */
    public TimedFaults.Result struck(
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
                                || new Decorations(spec, device.node())
                                        .selectsAny(
                                                fault.devices(),
                                                byNode.computeIfAbsent(device.node(), plan),
                                                known -> known.name().equals(device.device()))));
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

    /** What can be told from the spec alone. */
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
        new DecorationCheck(spec, fakeGpuName, problems).check();
        return problems;
    }
}
