package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.NodeProfile;
import dev.fakegpu.hardware.catalog.Telemetry;
import dev.fakegpu.hardware.catalog.Telemetry.Nvlink;
import dev.fakegpu.hardware.dcgm.DcgmField.Reading;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Errors;
import dev.fakegpu.hardware.dcgm.LoadCurve.Load;
import dev.fakegpu.hardware.inventory.DevicePlace;
import dev.fakegpu.hardware.inventory.NvmlGpu;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The readings of NVML about a device in the container of a running pod that holds it, as far as they are constant. The values are those of
 * the metrics; without {@code spec.load}, however, the device is idle, because nothing computes on it. Values that follow a curve over time
 * are omitted. NVML has no utilization for a GPU with MIG devices. The temperature, power and clocks of a partition's GPU depend on the
 * users of its other partitions, so they are omitted, too.
 */
public final class NvmlReadings {

    /** Whether it is a GPU at all; left out if it may be one. */
    private static final String IS_GPU = "isGpu";

    private final Map<String, String> readings = new LinkedHashMap<>();
    private final Device device;
    private final NvmlGpu gpu;
    private final String type;

    private NvmlReadings(Device device, NvmlGpu gpu) {
        this.device = device;
        this.gpu = gpu;
        this.type = GpuReader.type(device);
    }

    /**
     * Names and values, without those that are not known.
     *
     * @param sets the counter sets of the device's pool
     * @param load null if the FakeGpu has none
     * @param gpu what NVML knows about a whole GPU of the FakeGpu
     */
    public static Map<String, String> of(Device device, List<CounterSet> sets, @Nullable LoadSpec load, NvmlGpu gpu) {
        if (gpu.equals(NvmlGpu.NONE)) {
            return Map.of(IS_GPU, "false");
        }
        var all = new NvmlReadings(device, gpu);
        all.addMemory();
        String address = GpuReader.text(device, DcgmGpus.PCI_BUS_ID);
        if (!address.isEmpty()) {
            all.put("busId", GpuReader.nvmlAddress(address));
            all.addMigDevice(sets);
            all.addLoad(load);
            all.addModel();
        }
        return all.readings;
    }

    private void put(String name, Object value) {
        readings.put(name, value.toString());
    }

    private void putKnown(String name, @Nullable Object value) {
        if (value != null) {
            put(name, value);
        }
    }

    private long memory() {
        long own = GpuReader.ownMemory(device);
        return type.equals("gpu") ? gpu.reported(own) : own;
    }

    private void addMemory() {
        if (memory() > 0) {
            put("memoryTotalMiB", memory());
        }
    }

    private void addMigDevice(List<CounterSet> sets) {
        if (!type.equals("mig")) {
            return;
        }
        Map<String, CounterSet> byName =
                sets.stream().collect(Collectors.toMap(CounterSet::name, Function.identity(), (one, other) -> one));
        put("gpuInstanceId", GpuReader.instanceId(device, byName));
        putKnown("gpuInstancePlacement", GpuReader.placement(device));
        gpu.migProfiles().stream()
                .filter(profile -> profile.name().equals(GpuReader.text(device, "profile")))
                .findFirst()
                .ifPresent(profile -> put("gpuInstanceProfileId", profile.giProfileId()));
    }

    private void addLoad(@Nullable LoadSpec load) {
        if (load != null && load.mode() == LoadSpec.Mode.Curve) {
            return;
        }
        Load busy = load == null ? Load.IDLE : LoadCurve.at(Instant.EPOCH, load, true);
        var range = OperatingRange.of(gpu.telemetry());
        var reading = new Reading(range, new Errors(0, false), memory(), busy, busy.utilization());
        fields(type, memory() > 0).forEach((name, field) -> put(name, Math.round(field.value(reading))));
        Telemetry telemetry = gpu.telemetry();
        if (telemetry != null && type.equals("gpu")) {
            var clocks = telemetry.clocksMHz();
            put("videoClockMHz", OperatingRange.between(clocks.idleVideo(), clocks.maxVideo(), busy.utilization()));
            if (telemetry.temperatureC().idleMemory() == null) {
                readings.remove("temperatureMemory");
            }
        }
    }

    /** The values that all GPUs of the model and their MIG devices have in common; a vGPU does not know them. */
    private void addModel() {
        GpuModel model = gpu.model();
        if (model == null || !(type.equals("gpu") || type.equals("mig"))) {
            return;
        }
        put("pciDeviceId", model.identity().pciDeviceId());
        addMachine();
        Telemetry telemetry = gpu.telemetry();
        if (telemetry != null) {
            addLimits(telemetry);
            addBoard(telemetry);
        }
        for (MigProfile profile : gpu.migProfiles()) {
            var capacity = profile.capacity();
            put(
                    "migProfile." + profile.name(),
                    Stream.of(
                                    profile.giProfileId(),
                                    profile.maxInstances(),
                                    capacity.memoryMiB(),
                                    capacity.multiprocessors(),
                                    capacity.copyEngines(),
                                    capacity.decoders(),
                                    capacity.encoders(),
                                    capacity.jpegEngines(),
                                    capacity.ofaEngines())
                            .map(String::valueOf)
                            .collect(Collectors.joining(",")));
        }
    }

    private void addMachine() {
        NodeProfile machine = gpu.machine();
        if (machine == null) {
            return;
        }
        putKnown("sameRoot", machine.sameRoot());
        Integer numaNode = DevicePlace.of(device).numaNode();
        if (numaNode != null && numaNode < machine.cpus().size()) {
            put("cpuAffinity", machine.cpus().get(numaNode));
        }
    }

    private void addLimits(Telemetry telemetry) {
        var clocks = telemetry.clocksMHz();
        put("powerLimitW", telemetry.powerW().limit());
        put("powerMinLimitW", telemetry.powerW().min());
        put("maxSmClockMHz", clocks.max());
        put("maxMemoryClockMHz", clocks.memory());
        put("maxVideoClockMHz", clocks.maxVideo());
        put(
                "supportedClocksMHz",
                Stream.iterate(0, index -> index < clocks.supported(), index -> index + 1)
                        .map(clocks::supported)
                        .map(String::valueOf)
                        .collect(Collectors.joining(",")));
        var celsius = telemetry.temperatureC();
        put("temperatureMaxOperating", celsius.maxOperating());
        put("temperatureSlowdown", celsius.slowdown());
        put("temperatureShutdown", celsius.shutdown());
        putKnown("temperatureMaxMemory", celsius.maxMemory());
    }

    private void addBoard(Telemetry telemetry) {
        put("pcieGeneration", telemetry.pcie().generation());
        put("pcieWidth", telemetry.pcie().width());
        addReservedMemory(telemetry.memoryMiB().reserved());
        put("bar1TotalMiB", telemetry.memoryMiB().bar1());
        putKnown("rowRemapBanks", telemetry.rowRemapBanks());
        Nvlink nvlink = telemetry.nvlink();
        if (nvlink != null) {
            put("nvlinks", nvlink.links());
            put("nvlinkMBps", nvlink.speedMBps());
            put("nvlinkC2c", nvlink.c2c());
        }
        var board = telemetry.board();
        if (board != null) {
            put("pciSubsystemId", board.subsystemId());
            put("vbiosVersion", board.vbiosVersion());
            put("boardPartNumber", board.boardPartNumber());
            put("gpuPartNumber", board.gpuPartNumber());
            put("inforomImage", board.inforomImage());
            put("inforomOem", board.inforomOem());
            put("inforomEcc", board.inforomEcc());
        }
    }

    /** The memory that the driver reserves on a whole GPU is not free. The metrics have no field for it. */
    private void addReservedMemory(int reserved) {
        if (type.equals("gpu")) {
            put("memoryReservedMiB", reserved);
            readings.computeIfPresent(
                    "memoryFreeMiB", (name, free) -> Long.toString(Math.max(0, Long.parseLong(free) - reserved)));
        }
    }

    private static Map<String, DcgmField> fields(String type, boolean hasMemory) {
        var fields = new LinkedHashMap<String, DcgmField>();
        if (hasMemory) {
            fields.put("memoryUsedMiB", DcgmField.DCGM_FI_DEV_FB_USED);
            fields.put("memoryFreeMiB", DcgmField.DCGM_FI_DEV_FB_FREE);
        }
        if (!type.equals("mig")) {
            fields.put("utilizationGpu", DcgmField.DCGM_FI_DEV_GPU_UTIL);
            fields.put("utilizationMemory", DcgmField.DCGM_FI_DEV_MEM_COPY_UTIL);
        }
        if (type.equals("gpu")) {
            fields.put("temperatureGpu", DcgmField.DCGM_FI_DEV_GPU_TEMP);
            fields.put("temperatureMemory", DcgmField.DCGM_FI_DEV_MEMORY_TEMP);
            fields.put("powerDrawW", DcgmField.DCGM_FI_DEV_POWER_USAGE);
            fields.put("smClockMHz", DcgmField.DCGM_FI_DEV_SM_CLOCK);
            fields.put("memoryClockMHz", DcgmField.DCGM_FI_DEV_MEM_CLOCK);
        }
        return fields;
    }
}
