package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.api.PartitionsSpec.StaticMig;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.MigTable;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.util.Suggestion;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks {@code spec.partitions.mig.static}. */
final class StaticMigCheck {

    private static final String PARTITIONS = "spec.partitions.";
    private static final String STATIC = PARTITIONS + "mig.static";

    private final GpuModel model;
    private final int gpus;
    private final Problems problems;

    /** @param gpus the number of GPUs on a node */
    StaticMigCheck(GpuModel model, int gpus, Problems problems) {
        this.model = model;
        this.gpus = gpus;
        this.problems = problems;
    }

    void check(PartitionsSpec partitions) {
        MigTable table = model.mig();
        if (table == null
                || partitions.mig() == null
                || partitions.mig().staticMig().isEmpty()) {
            return;
        }
        List<StaticMig> entries = partitions.mig().staticMig();
        Set<Long> named = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            checkGpus(STATIC + "[" + i + "].gpus", entries.get(i), named);
            checkDevices(STATIC + "[" + i + "].devices", entries.get(i), table);
        }
        checkOthers(partitions, named.size());
    }

    private void checkGpus(String field, StaticMig entry, Set<Long> named) {
        if (entry.gpus().isEmpty()) {
            if (!named.isEmpty()) {
                problems.add(field, "", "is missing", "GPUs that no other entry names");
            }
            ResolvedPartitions.gpus(entry, gpus).forEach(gpu -> named.add((long) gpu));
            return;
        }
        for (int i = 0; i < entry.gpus().size(); i++) {
            Long gpu = entry.gpus().get(i);
            String element = field + "[" + i + "]";
            if (gpu < 0 || gpu >= gpus) {
                problems.add(element, gpu, "is not a GPU", gpus == 1 ? "0" : "0 to " + (gpus - 1));
            } else if (!named.add(gpu)) {
                problems.add(element, gpu, "occurs twice", "each GPU in at most one entry");
            }
        }
    }

    private void checkDevices(String field, StaticMig entry, MigTable table) {
        int before = problems.count();
        if (entry.devices().isEmpty()) {
            problems.add(field, "", "is empty", "at least one of " + String.join(", ", names(table)));
        }
        sorted(entry.devices()).forEach((name, count) -> checkCount(field, name, count, table));
        if (problems.count() == before
                && MigLayout.place(table, ResolvedPartitions.profiles(table, entry))
                        .isEmpty()) {
            problems.add(
                    field,
                    text(entry.devices()),
                    "does not fit on one " + model.name(),
                    "at most " + table.computeSlices() + " compute slices and " + table.memorySlices()
                            + " memory slices in total, each profile at one of its placements, and at most one +me");
        }
    }

    private void checkCount(String field, String name, @Nullable Long count, MigTable table) {
        var profile = table.profile(name);
        if (profile.isEmpty()) {
            problems.add(
                    field,
                    name,
                    "is not a MIG profile of " + model.name() + Suggestion.hint(name, names(table)),
                    String.join(", ", names(table)));
        } else if (count == null || count < 1 || count > profile.get().maxInstances()) {
            problems.add(
                    field + "[" + name + "]",
                    count == null ? "" : count,
                    count == null ? "is missing" : "is out of range",
                    profile.get().maxInstances() == 1
                            ? "1"
                            : "1 to " + profile.get().maxInstances());
        }
    }

    /** Checks that a GPU without MIG devices is left for vGPUs and VFIO devices. Whole GPUs are the default, so they are not checked. */
    private void checkOthers(PartitionsSpec partitions, int gpusWithMig) {
        if (gpusWithMig < gpus) {
            return;
        }
        if (partitions.vgpu() != null) {
            reportNoGpu("vgpu");
        }
        if (partitions.migBackedVgpu() != null) {
            reportNoGpu("migBackedVgpu");
        }
        if (partitions.offersVfio()) {
            reportNoGpu("vfio");
        }
    }

    private void reportNoGpu(String partition) {
        problems.add(
                PARTITIONS + partition,
                "",
                "needs a GPU without static MIG devices, but all GPUs have them",
                "a GPU that no entry of " + STATIC + " covers");
    }

    private static List<String> names(MigTable table) {
        return table.profiles().stream().map(MigProfile::name).toList();
    }

    /** Sorts the devices, so that the message is the same for a file and for the stored object, whose maps the API server has sorted. */
    private static SortedMap<String, Long> sorted(Map<String, Long> devices) {
        return new TreeMap<>(devices);
    }

    private static String text(Map<String, Long> devices) {
        return sorted(devices).entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
