package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.BindingSpec;
import dev.fakegpu.api.CompatibilityGroupsSpec;
import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FakeGpuSpec.Compatibility;
import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.api.TopologySpec;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.EqualPartsModel;
import dev.fakegpu.hardware.catalog.FabricTable;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.InvalidModelException;
import dev.fakegpu.hardware.catalog.MigBackedVgpuType;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.Model;
import dev.fakegpu.hardware.catalog.TemplateModel;
import dev.fakegpu.hardware.catalog.VgpuType;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.util.Suggestion;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks a spec whose hardware is from the catalog. */
final class ModelCheck {

    private static final String OVERRIDES = "spec.modelOverrides";
    private static final String PARTITIONS = "spec.partitions.";
    private static final String GROUP_NAMES = "spec.compatibilityGroups.names";

    private final Catalog catalog;
    private final Problems problems;

    ModelCheck(Catalog catalog, Problems problems) {
        this.catalog = catalog;
        this.problems = problems;
    }

    void check(FakeGpuSpec spec) {
        if (spec.gpusPerNode() < 1 || spec.gpusPerNode() > FakeGpuSpec.MAX_COUNT) {
            problems.add("spec.count", spec.gpusPerNode(), "is out of range", "1 to " + FakeGpuSpec.MAX_COUNT);
        }
        checkGroupNames(spec);
        String name = String.valueOf(spec.model());
        var model = catalog.find(name);
        if (model.isEmpty()) {
            reportUnknownModel(name);
        } else {
            overridden(model.get(), spec).ifPresent(known -> {
                if (!new ProfileCheck(problems).accepts(known, spec)) {
                    return;
                }
                checkPartitions(known, spec);
                checkFabric(known, spec);
            });
        }
    }

    private void reportUnknownModel(String name) {
        var rejected = catalog.rejected().stream()
                .filter(candidate -> candidate.model().equals(name))
                .findFirst();
        problems.add(
                "spec.model",
                name,
                rejected.map(file -> "cannot be used: " + file.source() + ": " + file.problem())
                        .orElseGet(() -> "is not in the catalog" + Suggestion.hint(name, catalog.namesAndAliases())),
                rejected.isPresent() ? "" : String.join(", ", catalog.names()));
    }

    private Optional<Model> overridden(Model model, FakeGpuSpec spec) {
        if (spec.modelOverrides() == null) {
            return Optional.of(model);
        }
        try {
            return Optional.of(Catalog.override(model, spec.modelOverrides()));
        } catch (InvalidModelException e) {
            e.problems()
                    .forEach(found -> problems.add(
                            found.field().isEmpty() ? OVERRIDES : OVERRIDES + "." + found.field(),
                            found.value(),
                            found.problem(),
                            found.allowed()));
            return Optional.empty();
        }
    }

    private void checkPartitions(Model model, FakeGpuSpec spec) {
        PartitionsSpec partitions = spec.partitionsOrDefault();
        boolean anything = partitions.offersWhole()
                || partitions.mig() != null
                || partitions.vgpu() != null
                || partitions.migBackedVgpu() != null
                || partitions.offersVfio()
                || partitions.equalParts() != null;
        if (!anything) {
            problems.add(
                    PARTITIONS + "whole",
                    false,
                    "leaves nothing to offer",
                    "true, or mig, vgpu, migBackedVgpu, vfio or equalParts beside it");
        }
        if (model instanceof TemplateModel template) {
            checkTemplate(template, spec);
        } else if (model instanceof GpuModel gpu) {
            checkNvidia(gpu, partitions);
            new StaticMigCheck(gpu, spec.gpusPerNode(), problems).check(partitions);
        } else {
            checkEqualParts(model, partitions);
        }
    }

    private void checkTemplate(TemplateModel model, FakeGpuSpec spec) {
        if (spec.partitions() != null) {
            problems.add("spec.partitions", model.name(), "is a model whose devices are fixed", "no partitions");
        }
        if (spec.sharing() != null) {
            problems.add("spec.sharing", model.name(), "is a model that says which devices are shared", "no sharing");
        }
        if (!canBeWrittenOut(spec)) {
            return;
        }
        checkOnlyInSpec(model);
        var found = new Problems();
        CustomCheck.check(null, model.template().hardware(), TemplateInventory.values(model, spec, "", "", 0), found);
        found.found().forEach(problem -> reportTemplate(model, problem.field(), problem.problem(), problem.allowed()));
        if (found.count() == 0) {
            checkUnits(model, spec);
        }
    }

    /** Rejects settings of devices that apply only in the spec of a FakeGpu, not in a model. */
    private void checkOnlyInSpec(TemplateModel model) {
        List<CustomSpec.Device> devices = model.template().hardware().devices();
        for (int i = 0; i < devices.size(); i++) {
            String field = "spec.custom.devices[" + i + "].";
            if (devices.get(i).networkData() != null) {
                reportTemplate(model, field + "networkData", "is not read in a model", "networkData in spec.custom");
            }
            BindingSpec binding = devices.get(i).binding();
            if (binding != null && binding.simulate() != null) {
                reportTemplate(model, field + "binding.simulate", "is not read in a model", "spec.binding.simulate");
            }
        }
    }

    /** Whether the units can be expanded. A spec with values that the schema rejects can get here; they are reported elsewhere. */
    private static boolean canBeWrittenOut(FakeGpuSpec spec) {
        TopologySpec topology = spec.topologyOrDefault();
        return spec.gpusPerNode() >= 1
                && spec.gpusPerNode() <= FakeGpuSpec.MAX_COUNT
                && topology.numaNodesOrDefault() >= 1
                && topology.gpusPerPcieRootOrDefault() >= 1;
    }

    /** Checks that all units can be expanded, and that their names are unique. */
    private void checkUnits(TemplateModel model, FakeGpuSpec spec) {
        try {
            Inventory units = TemplateInventory.of(model, spec, "", "");
            checkUnique(model, "counter sets", units.counterSets().stream().map(CounterSet::name));
            checkUnique(model, "devices", units.devices().stream().map(Device::name));
        } catch (RepeatedHardware.NoNumberException e) {
            reportTemplate(model, e.field(), e.problem(), RepeatedHardware.NoNumberException.ALLOWED);
        }
    }

    private void checkUnique(TemplateModel model, String things, Stream<String> names) {
        Set<String> seen = new HashSet<>();
        names.filter(name -> !seen.add(name))
                .findFirst()
                .ifPresent(name -> reportTemplate(
                        model, "spec.custom", "has two %s %s".formatted(things, name), "names with {unit}"));
    }

    /** @param field the path as if the devices were in {@code spec.custom} */
    private void reportTemplate(TemplateModel model, String field, String problem, String allowed) {
        String ofModel = field.replaceFirst("^spec.custom", "template.hardware");
        problems.add("spec.model", model.name(), "cannot be used: " + ofModel + ": " + problem, allowed);
    }

    private void checkNvidia(GpuModel model, PartitionsSpec partitions) {
        if (partitions.mig() != null) {
            checkMig(model, partitions.mig());
        }
        if (partitions.vgpu() != null) {
            checkNames(
                    new Choice<>("vgpu", "types", "vGPU type", ResolvedPartitions::vgpuTypes, VgpuType::name),
                    model,
                    partitions.vgpu().types());
        }
        if (partitions.migBackedVgpu() != null) {
            checkNames(
                    new Choice<>(
                            "migBackedVgpu",
                            "types",
                            "MIG-backed vGPU type",
                            ResolvedPartitions::migBackedTypes,
                            MigBackedVgpuType::name),
                    model,
                    partitions.migBackedVgpu().types());
        }
        if (partitions.equalParts() != null) {
            reportForeign("equalParts", model, "is a model without equal parts", EqualPartsModel.class);
        }
    }

    private void checkMig(GpuModel model, PartitionsSpec.Mig mig) {
        boolean isStatic = !mig.staticMig().isEmpty();
        if (isStatic && !mig.profiles().isEmpty()) {
            problems.add(
                    PARTITIONS + "mig.static",
                    "",
                    "cannot be set together with profiles",
                    "exactly one of profiles and static");
        }
        if (!isStatic && mig.profiles().isEmpty() && model.mig() != null) {
            problems.add(
                    PARTITIONS + "mig",
                    "",
                    "has neither profiles nor static MIG devices",
                    "exactly one of profiles and static");
        } else if (!isStatic || model.mig() == null) {
            checkNames(
                    new Choice<>("mig", "profiles", "MIG profile", ResolvedPartitions::migProfiles, MigProfile::name),
                    model,
                    mig.profiles());
        }
    }

    private void checkEqualParts(Model model, PartitionsSpec partitions) {
        String only = "is a model that has equal parts only";
        if (partitions.mig() != null) {
            reportForeign("mig", model, only, GpuModel.class);
        }
        if (partitions.vgpu() != null) {
            reportForeign("vgpu", model, only, GpuModel.class);
        }
        if (partitions.migBackedVgpu() != null) {
            reportForeign("migBackedVgpu", model, only, GpuModel.class);
        }
        if (partitions.offersVfio()) {
            reportForeign("vfio", model, only, GpuModel.class);
        }
        Integer parts = partitions.equalParts();
        if (parts != null && (parts < 1 || parts > PartitionsSpec.MAX_EQUAL_PARTS)) {
            problems.add(PARTITIONS + "equalParts", parts, "is out of range", "1 to " + PartitionsSpec.MAX_EQUAL_PARTS);
        }
        if (parts == null && !partitions.offersWhole()) {
            problems.add(PARTITIONS + "whole", false, "leaves nothing to offer", "true, or equalParts beside it");
        }
    }

    private void checkFabric(Model model, FakeGpuSpec spec) {
        if (!spec.topologyOrDefault().hasFabricPartitions()) {
            return;
        }
        FabricTable fabric = model instanceof GpuModel gpu ? gpu.fabric() : null;
        if (fabric == null) {
            problems.add(
                    "spec.topology.fabricPartitions",
                    model.name(),
                    "has no fabric",
                    "models " + names(other -> other instanceof GpuModel gpu && gpu.fabric() != null)
                            + ", or modelOverrides.fabric");
        } else if (fabric.moduleIds().size() != spec.gpusPerNode()) {
            problems.add(
                    "spec.count",
                    spec.gpusPerNode(),
                    "differs from the number of GPUs of the fabric",
                    fabric.moduleIds().size() + ", or topology.fabricPartitions: false");
        }
    }

    private String names(Predicate<Model> condition) {
        return catalog.models().stream().filter(condition).map(Model::name).collect(Collectors.joining(", "));
    }

    private void reportForeign(String field, Model model, String problem, Class<? extends Model> offering) {
        problems.add(PARTITIONS + field, model.name(), problem, "models " + names(offering::isInstance));
    }

    /** A list of names in {@code spec.partitions}: its path, and the objects that the names refer to. */
    private record Choice<T>(
            String partition, String list, String what, Function<GpuModel, List<T>> offered, Function<T, String> name) {

        List<String> names(GpuModel model) {
            return offered.apply(model).stream().map(name).toList();
        }
    }

    private <T> void checkNames(Choice<T> choice, GpuModel model, List<String> written) {
        List<String> known = choice.names(model);
        String field = PARTITIONS + choice.partition;
        if (known.isEmpty()) {
            problems.add(
                    field,
                    model.name(),
                    "is a model without " + choice.what + "s",
                    "models "
                            + names(other -> other instanceof GpuModel gpu
                                    && !choice.names(gpu).isEmpty()));
            return;
        }
        checkNames(field + "." + choice.list, written, known, "is not a " + choice.what + " of " + model.name());
    }

    private void checkNames(String field, List<String> written, List<String> known, String unknown) {
        String allowed = String.join(", ", known) + ", or only " + PartitionsSpec.ALL;
        if (written.isEmpty()) {
            problems.add(field, "", "is empty", allowed);
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < written.size(); i++) {
            String name = written.get(i);
            String element = field + "[" + i + "]";
            if (name.equals(PartitionsSpec.ALL) && written.size() > 1) {
                problems.add(element, name, "stands beside others", allowed);
            } else if (!name.equals(PartitionsSpec.ALL) && !known.contains(name)) {
                problems.add(element, name, unknown + Suggestion.hint(name, known), allowed);
            }
            problems.ifSeen(seen, element, name, "each once");
        }
    }

    private void checkGroupNames(FakeGpuSpec spec) {
        boolean custom = spec.compatibility() == Compatibility.Custom;
        CompatibilityGroupsSpec.@Nullable Names names = spec.compatibilityGroups() == null
                ? null
                : spec.compatibilityGroups().names();
        if (custom != (names != null)) {
            problems.add(
                    "spec.compatibility",
                    spec.compatibility(),
                    custom ? "needs the names of the groups" : "has its own groups beside " + GROUP_NAMES,
                    "Custom together with " + GROUP_NAMES);
        }
        if (names != null) {
            checkGroups("whole", names.whole());
            checkGroups("mig", names.mig());
            checkGroups("vgpu", names.vgpu());
            checkGroups("migBackedVgpu", names.migBackedVgpu());
            checkGroups("vfio", names.vfio());
        }
    }

    private void checkGroups(String scheme, List<String> groups) {
        CustomCheck.checkGroups(problems, GROUP_NAMES + "." + scheme, groups);
    }
}
