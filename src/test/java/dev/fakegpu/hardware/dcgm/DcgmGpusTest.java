package dev.fakegpu.hardware.dcgm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Entity;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Errors;
import dev.fakegpu.hardware.dcgm.DcgmGpu.MigInstance;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Mode;
import dev.fakegpu.hardware.dcgm.DcgmGpus.Naming;
import dev.fakegpu.hardware.dcgm.DcgmGpus.PublishedSlice;
import dev.fakegpu.hardware.inventory.NvmlGpu;
import dev.fakegpu.hardware.inventory.Specs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DcgmGpusTest {

    private static final PoolId POOL = new PoolId("gpu.nvidia.com", "node-1/a100");
    private static final Holder HOLDER = new Holder("team-a", "claim-x", "trainer", "main", true);

    private final List<Device> devices = new ArrayList<>(List.of(
            device("gpu-0", "gpu", Map.of("memory", Quantity.ofMebibytes(40960)), slices(0, 8)),
            device("gpu-0-mig-2g10gb-14-2", "mig", Map.of("memory", Quantity.ofMebibytes(9856)), slices(2, 2)),
            device("gpu-0-mig-1g5gb-19-6", "mig", Map.of("memory", Quantity.ofMebibytes(4864)), slices(6, 1)),
            device("vgpu-gpu-0-10c-1", "vgpu", Map.of(), Map.of("framebuffer", Quantity.ofMebibytes(10240)))));

    private final Map<DeviceId, List<Holder>> holders = new HashMap<>();
    private NvmlGpu memory = NvmlGpu.UNKNOWN;

    @Test
    void idleGpuIsOneEntity() {
        DcgmGpu gpu = gpu(Naming.NAMED);

        assertThat(gpu.mode()).isEqualTo(Mode.IDLE);
        assertThat(gpu.entities()).containsExactly(new Entity("gpu-0", 40960, null, "", false, null));
        assertThat(gpu.identity())
                .isEqualTo(new DcgmGpu.Identity(
                        POOL, 0, "GPU-1", "00005774:0A:00.0", "NVIDIA A100", "node-1", "550.163.1"));
        assertThat(gpu.errors()).isEqualTo(new Errors(0, false));
    }

    @Test
    void instancesInUseTakeThePlaceOfTheGpu() {
        hold("gpu-0-mig-2g10gb-14-2");
        hold("gpu-0-mig-1g5gb-19-6");

        DcgmGpu gpu = gpu(Naming.NAMED);

        assertThat(gpu.mode()).isEqualTo(Mode.MIG);
        assertThat(gpu.entities())
                .containsExactly(
                        new Entity("gpu-0-mig-2g10gb-14-2", 9856, new MigInstance("profile", 4), "", true, HOLDER),
                        new Entity("gpu-0-mig-1g5gb-19-6", 4864, new MigInstance("profile", 13), "", true, HOLDER));
    }

    /** Static MIG devices always exist, so dcgm-exporter has samples of all of them. */
    @Test
    void staticMigDevicesTakeThePlaceOfTheGpu() {
        devices.clear();
        Specs.plan(Specs.spec("{model: A100-SXM4-40GB, count: 1, partitions: {mig: {static: [{devices: {"
                        + "1g.5gb: 1, 2g.10gb: 1}}]}}}"))
                .devices()
                .forEach(devices::add);
        hold("gpu-0-mig-2g10gb-14-4");

        DcgmGpu gpu = gpu(Naming.NAMED);

        assertThat(gpu.mode()).isEqualTo(Mode.MIG);
        assertThat(gpu.memoryMiB()).isEqualTo(4864 + 9856);
        assertThat(gpu.entities())
                .containsExactly(
                        new Entity("gpu-0-mig-1g5gb-19-6", 4864, new MigInstance("1g.5gb", 13), "", false, null),
                        new Entity("gpu-0-mig-2g10gb-14-4", 9856, new MigInstance("2g.10gb", 5), "", true, HOLDER));
    }

    @Test
    void vgpuIsIdentifiedByItsNumber() {
        hold("vgpu-gpu-0-10c-1");

        DcgmGpu gpu = gpu(Naming.ANONYMOUS);

        assertThat(gpu.mode()).isEqualTo(Mode.VGPU);
        assertThat(gpu.entities()).containsExactly(new Entity("vgpu-gpu-0-10c-1", 10240, null, "10c-1", true, null));
    }

    @Test
    void devicesThatExcludeEachOtherAreAConflict() {
        hold("gpu-0");
        hold("vgpu-gpu-0-10c-1");

        assertThat(DcgmGpus.countByMode(List.of(gpu(Naming.NAMED)))).isEqualTo(Map.of(Mode.CONFLICT, 1));
    }

    @Test
    void sharedGpuIsListedForEachClaim() {
        devices.replaceAll(device -> device.name().equals("gpu-0") ? device.sharedBy(device.capacity()) : device);
        hold("gpu-0");
        hold("gpu-0");

        assertThat(gpu(Naming.NAMED).mode()).isEqualTo(Mode.SHARED);
        assertThat(gpu(Naming.NAMED).entities()).hasSize(2);
        assertThat(gpu(Naming.ANONYMOUS).entities()).as("equal series").hasSize(1);
    }

    @Test
    void sharedInstanceIsListedForEachClaim() {
        String instance = "gpu-0-mig-1g5gb-19-6";
        devices.replaceAll(device -> device.name().equals(instance) ? device.sharedBy(device.capacity()) : device);
        hold(instance);
        hold(instance);

        assertThat(gpu(Naming.NAMED).mode()).isEqualTo(Mode.MIG);
        assertThat(gpu(Naming.NAMED).entities())
                .extracting(Entity::device, Entity::memoryMiB)
                .containsExactly(tuple(instance, 4864L), tuple(instance, 4864L));
        assertThat(gpu(Naming.ANONYMOUS).entities()).as("equal series").hasSize(1);
    }

    @Test
    void taintsAreErrors() {
        taint(new DeviceTaint("gpu.nvidia.com/xid", "48", "NoSchedule"));
        assertThat(gpu(Naming.NAMED).errors()).isEqualTo(new Errors(48, false));

        taint(new DeviceTaint("gpu.nvidia.com/gpu-lost", "", "NoSchedule"));
        assertThat(gpu(Naming.NAMED).errors()).isEqualTo(new Errors(48, true));
    }

    @Test
    void deviceIsBusyWhileAPodRuns() {
        holders.put(POOL.device("gpu-0"), List.of(new Holder("team-a", "claim-x", "trainer", "main", false)));

        assertThat(gpu(Naming.NAMED).mode()).isEqualTo(Mode.WHOLE);
        assertThat(gpu(Naming.NAMED).entities())
                .singleElement()
                .satisfies(gpu -> assertThat(gpu.busy()).isFalse());
    }

    /** On some models, this is less than the memory of the PCI device. */
    @Test
    void memoryIsThatOfTheWholeGpu() {
        devices.add(device("gpu-vfio-0", "vfio", Map.of("addressableMemory", Quantity.ofMebibytes(41000)), Map.of()));

        assertThat(gpu(Naming.NAMED).memoryMiB()).isEqualTo(40960);

        devices.remove(0);
        assertThat(gpu(Naming.NAMED).memoryMiB()).isEqualTo(41000);
    }

    @Test
    void memoryIsWhatNvmlReportsIfTheModelPublishesLess() {
        memory = new NvmlGpu(40960, 41000, null, null);

        assertThat(gpu(Naming.NAMED).memoryMiB()).isEqualTo(41000);
        assertThat(gpu(Naming.NAMED).entities()).extracting(Entity::memoryMiB).containsExactly(41000L);

        hold("gpu-0-mig-1g5gb-19-6");
        assertThat(gpu(Naming.NAMED).entities()).extracting(Entity::memoryMiB).containsExactly(4864L);
    }

    @Test
    void olderGenerationsDoNotCount() {
        PublishedSlice old = published(1, List.of(device("gpu-1", "gpu", Map.of(), Map.of())));

        assertThat(DcgmGpus.of(List.of(old, published(2, devices)), holders, Naming.NAMED))
                .singleElement()
                .extracting(gpu -> gpu.entities().get(0).device())
                .isEqualTo("gpu-0");
    }

    /** Users may give any name to custom hardware. */
    @Test
    void namesThatHaveNoNumberOfAGpuAreRead() {
        devices.clear();
        devices.add(device("gpu-99999999999", "mig", Map.of(), Map.of("memory-slice-a", Quantity.ONE)));
        hold("gpu-99999999999");

        DcgmGpu gpu = gpu(Naming.NAMED);

        assertThat(gpu.identity().index()).isZero();
        assertThat(gpu.entities()).extracting(Entity::device).containsExactly("gpu-99999999999");
    }

    private void taint(DeviceTaint taint) {
        devices.replaceAll(device -> {
            var taints = new ArrayList<>(device.taints());
            taints.add(taint);
            return device.withTaints(taints);
        });
    }

    private void hold(String device) {
        holders.computeIfAbsent(POOL.device(device), ignored -> new ArrayList<>())
                .add(HOLDER);
    }

    private DcgmGpu gpu(Naming naming) {
        return DcgmGpus.of(List.of(published(1, devices)), holders, naming).get(0);
    }

    private PublishedSlice published(long generation, List<Device> devices) {
        var total = new LinkedHashMap<>(slices(0, 8));
        total.put("framebuffer", Quantity.ofMebibytes(40960));
        var set = new CounterSet("gpu-0-counter-set", total);
        var slice = new Slice(
                "slice-" + generation,
                POOL,
                generation,
                1,
                new NodeSelection.NodeName("node-1"),
                List.of(set),
                devices);
        return new PublishedSlice(slice, LoadSpec.DEFAULT, memory);
    }

    private static Map<String, Quantity> slices(int first, int count) {
        var slices = new LinkedHashMap<String, Quantity>();
        IntStream.range(first, first + count).forEach(i -> slices.put("memory-slice-" + i, Quantity.ONE));
        return slices;
    }

    private static Device device(
            String name, String type, Map<String, Quantity> capacity, Map<String, Quantity> consumed) {
        return new Device(
                name,
                Map.of(
                        "type",
                        AttributeValue.of(type),
                        "profile",
                        AttributeValue.of("profile"),
                        "uuid",
                        AttributeValue.of("GPU-1"),
                        "productName",
                        AttributeValue.of("NVIDIA A100"),
                        "driverVersion",
                        AttributeValue.version("550.163.1"),
                        DcgmGpus.PCI_BUS_ID,
                        AttributeValue.of("5774:0a:00.0")),
                capacity,
                List.of(new CounterConsumption("gpu-0-counter-set", consumed, List.of())),
                List.of());
    }
}
