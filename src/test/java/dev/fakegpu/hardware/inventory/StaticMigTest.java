package dev.fakegpu.hardware.inventory;

import static dev.fakegpu.hardware.inventory.Specs.device;
import static dev.fakegpu.hardware.inventory.Specs.names;
import static dev.fakegpu.hardware.inventory.Specs.quantities;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import org.junit.jupiter.api.Test;

/** Tests GPUs whose MIG devices are created before the driver starts. */
class StaticMigTest {

    private static final String STATIC_MIG = """
            {model: A100-SXM4-40GB, count: 4, partitions: {vfio: true, mig: {static: [
              {gpus: [1], devices: {1g.5gb: 7}},
              {gpus: [3], devices: {1g.5gb: 2, 2g.10gb: 1, 3g.20gb: 1}}]}},
             taints: [{devices: {gpus: [3]}, key: example.com/broken, effect: NoSchedule}]}
            """;

    /** {@code GetPerGpuAllocatableDevices} in {@code cmd/gpu-kubelet-plugin/nvlib.go} does the same without the gate DynamicMIG. */
    @Test
    void aGpuWithStaticMigDevicesHasOnlyThose() {
        Inventory node = Specs.plan(Specs.spec(STATIC_MIG));

        assertThat(names(node))
                .containsExactly(
                        "gpu-0",
                        "gpu-vfio-0",
                        "gpu-1-mig-1g5gb-19-0",
                        "gpu-1-mig-1g5gb-19-1",
                        "gpu-1-mig-1g5gb-19-2",
                        "gpu-1-mig-1g5gb-19-3",
                        "gpu-1-mig-1g5gb-19-4",
                        "gpu-1-mig-1g5gb-19-5",
                        "gpu-1-mig-1g5gb-19-6",
                        "gpu-2",
                        "gpu-vfio-2",
                        "gpu-3-mig-1g5gb-19-2",
                        "gpu-3-mig-1g5gb-19-3",
                        "gpu-3-mig-2g10gb-14-0",
                        "gpu-3-mig-3g20gb-9-4");
        assertThat(node.gpus()).isEqualTo(4);
        assertThat(node.counterSets())
                .extracting(CounterSet::name)
                .containsExactly("gpu-0-counter-set", "gpu-2-counter-set");
        assertThat(quantities(device(node, "gpu-0"))).containsOnlyKeys("memory");
    }

    /** {@code MigDeviceInfo.GetDevice} in {@code cmd/gpu-kubelet-plugin/deviceinfo.go} does the same. */
    @Test
    void aStaticMigDeviceHasAUuidAndItsMemorySlicesAndNoCounters() {
        Inventory node = Specs.plan(Specs.spec(STATIC_MIG));
        Device instance = device(node, "gpu-3-mig-2g10gb-14-0");
        Device dynamic = device(
                Specs.plan(Specs.spec("{model: A100-SXM4-40GB, count: 4, partitions: {mig: {profiles: [2g.10gb]}}}")),
                "gpu-3-mig-2g10gb-14-0");

        assertThat(instance.consumesCounters()).isEmpty();
        assertThat(instance.attributes())
                .containsAllEntriesOf(dynamic.attributes())
                .containsKey("uuid")
                .hasSize(dynamic.attributes().size() + 1);
        assertThat(instance.attributes().get("uuid").toString())
                .matches("MIG-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        assertThat(quantities(instance))
                .containsAllEntriesOf(quantities(dynamic))
                .containsEntry("memorySlice0", Quantity.ONE)
                .containsEntry("memorySlice1", Quantity.ONE)
                .hasSize(9);
        assertThat(node.devices().stream()
                        .filter(device -> device.name().contains("-mig-"))
                        .map(device -> device.attributes().get("uuid")))
                .doesNotHaveDuplicates();
    }

    @Test
    void withoutOtherPartitionsNothingHasCountersIfMigIsStatic() {
        Inventory node = Specs.plan(Specs.spec(STATIC_MIG.replace("vfio: true, ", "")));

        assertThat(node.counterSets()).isEmpty();
        assertThat(node.devices())
                .allSatisfy(device -> assertThat(device.consumesCounters()).isEmpty());
        assertThat(names(node)).contains("gpu-0", "gpu-2");
    }

    @Test
    void gpusAreSelectedWhereTheyHaveDifferentNumbersOfDevices() {
        assertThat(Specs.plan(Specs.spec(STATIC_MIG)).devices())
                .filteredOn(device -> !device.taints().isEmpty())
                .extracting(Device::name)
                .containsExactly(
                        "gpu-3-mig-1g5gb-19-2",
                        "gpu-3-mig-1g5gb-19-3",
                        "gpu-3-mig-2g10gb-14-0",
                        "gpu-3-mig-3g20gb-9-4");
    }
}
