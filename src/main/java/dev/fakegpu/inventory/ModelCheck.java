package dev.fakegpu.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.catalog.MigProfile;
import dev.fakegpu.catalog.VgpuType;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Checks a spec that takes its hardware from the catalogue. */
final class ModelCheck {

    private static final String MIG_PROFILES = "spec.partitions.mig.profiles";
    private static final String VGPU_TYPES = "spec.partitions.vgpu.types";

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
        String name = String.valueOf(spec.model());
        catalog.find(name)
                .ifPresentOrElse(
                        model -> checkPartitions(model, spec.partitionsOrDefault()), () -> reportUnknownModel(name));
    }

    private void reportUnknownModel(String name) {
        problems.add(
                "spec.model",
                name,
                "is not in the catalogue" + NearMiss.hint(name, catalog.names()),
                String.join(", ", catalog.names()));
    }

    private void checkPartitions(GpuModel model, PartitionsSpec partitions) {
        if (!partitions.offersWhole() && partitions.mig() == null && partitions.vgpu() == null) {
            problems.add("spec.partitions.whole", false, "leaves nothing to offer", "true, or mig or vgpu beside it");
        }
        if (partitions.mig() != null) {
            checkMig(model, partitions.mig());
        }
        if (partitions.vgpu() != null) {
            checkVgpu(model, partitions.vgpu());
        }
    }

    private void checkMig(GpuModel model, PartitionsSpec.Mig mig) {
        if (model.mig() == null) {
            reportNotOffered("spec.partitions.mig", model, "MIG", other -> other.mig() != null);
        } else {
            List<String> names =
                    model.mig().profiles().stream().map(MigProfile::name).toList();
            checkNames(MIG_PROFILES, mig.profiles(), names, "is no MIG profile of " + model.name());
        }
    }

    private void checkVgpu(GpuModel model, PartitionsSpec.Vgpu vgpu) {
        if (model.vgpu() == null) {
            reportNotOffered("spec.partitions.vgpu", model, "vGPU types", other -> other.vgpu() != null);
        } else {
            List<String> names =
                    model.vgpu().types().stream().map(VgpuType::name).toList();
            checkNames(VGPU_TYPES, vgpu.types(), names, "is no vGPU type of " + model.name());
        }
    }

    private void reportNotOffered(String field, GpuModel model, String what, Predicate<GpuModel> offers) {
        Collection<String> others = catalog.names().stream()
                .filter(name -> catalog.find(name).filter(offers).isPresent())
                .toList();
        problems.add(field, model.name(), "is a model without " + what, "models " + String.join(", ", others));
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
                problems.add(element, name, unknown + NearMiss.hint(name, known), allowed);
            }
            problems.ifSeen(seen, element, name, "each once");
        }
    }
}
