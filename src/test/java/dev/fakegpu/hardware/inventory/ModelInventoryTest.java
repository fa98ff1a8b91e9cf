package dev.fakegpu.hardware.inventory;

import static dev.fakegpu.hardware.inventory.Specs.device;
import static dev.fakegpu.hardware.inventory.Specs.names;
import static dev.fakegpu.hardware.inventory.Specs.quantities;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelInventoryTest {

    @Test
    void devicesComeByGpuAndInNumericOrder() {
        Inventory node = Specs.plan(Specs.spec(
                "{model: A100-SXM4-40GB, count: 11, partitions: {mig: {profiles: [3g.20gb]}, vgpu: {types: [20C]}}}"));

        assertThat(node.gpus()).isEqualTo(11);
        assertThat(node.counterSets()).hasSize(11);
        assertThat(node.devices()).hasSize(55);
        assertThat(names(node).subList(10, 15))
                .containsExactly(
                        "gpu-2",
                        "gpu-2-mig-3g20gb-9-0",
                        "gpu-2-mig-3g20gb-9-4",
                        "vgpu-gpu-2-20c-0",
                        "vgpu-gpu-2-20c-1");
        assertThat(names(node).get(50)).isEqualTo("gpu-10");
    }

    @Test
    void oneCounterSetPerGpuHoldsMigAndVgpu() {
        Inventory node = Specs.plan(Specs.everything("A100-SXM4-40GB", 1));

        assertThat(node.counterSets()).singleElement().satisfies(set -> {
            assertThat(set.name()).isEqualTo("gpu-0-counter-set");
            assertThat(set.counters())
                    .containsEntry("multiprocessors", Quantity.of(98))
                    .containsEntry("copy-engines", Quantity.of(7))
                    .containsEntry("decoders", Quantity.of(5))
                    .containsEntry("encoders", Quantity.ZERO)
                    .containsEntry("jpeg-engines", Quantity.ONE)
                    .containsEntry("ofa-engines", Quantity.ONE)
                    .containsEntry("memory", Quantity.parse("40192Mi"))
                    .containsEntry("memory-slice-0", Quantity.ONE)
                    .containsEntry("memory-slice-7", Quantity.ONE)
                    .containsEntry("framebuffer", Quantity.parse("40960Mi"))
                    .hasSize(16);
        });
        assertThat(node.devices())
                .allSatisfy(device -> assertThat(device.consumesCounters())
                        .singleElement()
                        .extracting(CounterConsumption::counterSet)
                        .isEqualTo("gpu-0-counter-set"));
    }

    @Test
    void theWholeGpuTakesAllOfItsCounterSet() {
        Inventory node = Specs.plan(Specs.everything("A100-SXM4-40GB", 1));
        Device whole = device(node, "gpu-0");

        assertThat(whole.consumesCounters())
                .containsExactly(new CounterConsumption(
                        "gpu-0-counter-set", node.counterSets().get(0).counters(), List.of("gpu-full")));
        assertThat(quantities(whole))
                .isEqualTo(Map.of(
                        "memory", Quantity.parse("40192Mi"),
                        "multiprocessors", Quantity.of(98),
                        "copyEngines", Quantity.of(7),
                        "decoders", Quantity.of(5),
                        "encoders", Quantity.ZERO,
                        "jpegEngines", Quantity.ONE,
                        "ofaEngines", Quantity.ONE));
        assertThat(whole.attributes())
                .containsEntry("type", AttributeValue.of("gpu"))
                .containsEntry("productName", AttributeValue.of("NVIDIA A100-SXM4-40GB"))
                .containsEntry("brand", AttributeValue.of("Nvidia"))
                .containsEntry("architecture", AttributeValue.of("Ampere"))
                .containsEntry("cudaComputeCapability", AttributeValue.version("8.0.0"))
                .containsEntry("driverVersion", AttributeValue.version("550.163.1"))
                .containsEntry("cudaDriverVersion", AttributeValue.version("12.4.0"))
                .containsEntry("resource.kubernetes.io/numaNode", AttributeValue.of(0))
                .containsKeys("uuid", "resource.kubernetes.io/pciBusID", "resource.kubernetes.io/pcieRoot")
                .hasSize(11);
    }

    @Test
    void aMigInstanceTakesItsCapacityAndItsMemorySlices() {
        Inventory node = Specs.plan(Specs.everything("A100-SXM4-40GB", 1));
        Device instance = device(node, "gpu-0-mig-2g10gb-14-4");

        assertThat(quantities(instance))
                .containsEntry("memory", Quantity.parse("9856Mi"))
                .containsEntry("copyEngines", Quantity.of(2));
        assertThat(instance.consumesCounters())
                .containsExactly(new CounterConsumption(
                        "gpu-0-counter-set",
                        Map.of(
                                "multiprocessors", Quantity.of(28),
                                "copy-engines", Quantity.of(2),
                                "decoders", Quantity.ONE,
                                "encoders", Quantity.ZERO,
                                "jpeg-engines", Quantity.ZERO,
                                "ofa-engines", Quantity.ZERO,
                                "memory", Quantity.parse("9856Mi"),
                                "memory-slice-4", Quantity.ONE,
                                "memory-slice-5", Quantity.ONE),
                        List.of("mig")));
        assertThat(instance.attributes())
                .containsEntry("type", AttributeValue.of("mig"))
                .containsEntry("profile", AttributeValue.of("2g.10gb"))
                .containsEntry("parentUUID", uuid(node, "gpu-0"))
                .doesNotContainKey("uuid");
    }

    @Test
    void theMediaProfileIsSpelledWithoutAPlus() {
        Inventory node = Specs.plan(Specs.everything("A100-SXM4-40GB", 1));

        assertThat(device(node, "gpu-0-mig-1g5gb-me-20-6").attributes())
                .containsEntry("profile", AttributeValue.of("1g.5gb+me"));
    }

    @Test
    void aVgpuSlotTakesFramebufferOnly() {
        Inventory node = Specs.plan(Specs.everything("L40S", 2));
        Device slot = device(node, "vgpu-gpu-1-12c-3");

        assertThat(slot.consumesCounters())
                .containsExactly(new CounterConsumption(
                        "gpu-1-counter-set", Map.of("framebuffer", Quantity.parse("12Gi")), List.of("vgpu-12c")));
        assertThat(slot.attributes())
                .containsEntry("type", AttributeValue.of("vgpu"))
                .containsEntry("profile", AttributeValue.of("NVIDIA L40S-12C"))
                .containsEntry("profileSlug", AttributeValue.of("12c"))
                .containsEntry("slot", AttributeValue.of(3))
                .containsEntry("parentUUID", uuid(node, "gpu-1"));
    }

    @Test
    void mixedSizeSlotsShareAGroupAndAreFewer() {
        Inventory node =
                Specs.plan(Specs.spec("{model: L40S, partitions: {vgpu: {sizing: MixedSize, types: [4C, 16C, 48C]}}}"));

        assertThat(names(node))
                .hasSize(1 + 8 + 2 + 1)
                .contains("vgpu-gpu-0-4c-7", "vgpu-gpu-0-16c-1")
                .doesNotContain("vgpu-gpu-0-4c-8", "vgpu-gpu-0-16c-2");
        assertThat(groups(node)).containsOnly("gpu-full", "vgpu");
    }

    @Test
    void aMigBackedVgpuTakesWhatItsInstanceTakesAndFramebuffer() {
        Inventory node = Specs.plan(Specs.everythingAtAll("A100-SXM4-40GB", 1));
        Device vgpu = device(node, "vgpu-gpu-0-2-10c-p4");

        assertThat(vgpu.consumesCounters())
                .containsExactly(new CounterConsumption(
                        "gpu-0-counter-set",
                        Map.ofEntries(
                                Map.entry("multiprocessors", Quantity.of(28)),
                                Map.entry("copy-engines", Quantity.of(2)),
                                Map.entry("decoders", Quantity.ONE),
                                Map.entry("encoders", Quantity.ZERO),
                                Map.entry("jpeg-engines", Quantity.ZERO),
                                Map.entry("ofa-engines", Quantity.ZERO),
                                Map.entry("memory", Quantity.parse("9856Mi")),
                                Map.entry("memory-slice-4", Quantity.ONE),
                                Map.entry("memory-slice-5", Quantity.ONE),
                                Map.entry("framebuffer", Quantity.parse("10Gi"))),
                        List.of("vgpu-mig")));
        assertThat(vgpu.attributes())
                .containsEntry("type", AttributeValue.of("vgpu"))
                .containsEntry("profile", AttributeValue.of("GRID A100X-2-10C"))
                .containsEntry("profileSlug", AttributeValue.of("2-10c"))
                .containsEntry("migProfile", AttributeValue.of("2g.10gb"))
                .containsEntry("placementStart", AttributeValue.of(4))
                .containsEntry("placementSize", AttributeValue.of(2))
                .containsEntry("gpuProfileId", AttributeValue.of(14))
                .containsEntry("computeProfileId", AttributeValue.of(1))
                .containsEntry("parentUUID", uuid(node, "gpu-0"))
                .doesNotContainKeys("slot", "typeID");
    }

    @Test
    void typeIdsArePublishedWhereTheyAreKnown() {
        Inventory node = Specs.plan(Specs.everythingAtAll("A100-PCIE-40GB", 1));

        assertThat(device(node, "vgpu-gpu-0-20c-0").attributes()).containsEntry("typeID", AttributeValue.of(472));
        assertThat(device(node, "vgpu-gpu-0-1-5cme-p6").attributes()).containsEntry("typeID", AttributeValue.of(706));
        assertThat(device(node, "vgpu-gpu-0-4c-0").attributes()).doesNotContainKey("typeID");
    }

    @Test
    void aVfioDeviceTakesAllOfTheCounterSet() {
        Inventory node = Specs.plan(Specs.everythingAtAll("A100-SXM4-40GB", 2));
        Device vfio = device(node, "gpu-vfio-1");

        assertThat(vfio.consumesCounters())
                .containsExactly(new CounterConsumption(
                        "gpu-1-counter-set", node.counterSets().get(1).counters(), List.of("vfio")));
        assertThat(vfio.attributes())
                .containsEntry("type", AttributeValue.of("vfio"))
                .containsEntry("productName", AttributeValue.of("NVIDIA A100-SXM4-40GB"))
                .containsEntry("deviceID", AttributeValue.of("0x20b0"))
                .containsEntry("vendorID", AttributeValue.of("0x10de"))
                .containsEntry("iommuFDEnabled", AttributeValue.of(true))
                .containsKeys(
                        "uuid",
                        "resource.kubernetes.io/pciBusID",
                        "resource.kubernetes.io/pcieRoot",
                        "resource.kubernetes.io/numaNode")
                .hasSize(9);
        assertThat(quantities(vfio)).isEqualTo(Map.of("addressableMemory", Quantity.parse("40Gi")));
    }

    /** They are the same hardware, so they need a counter set even if there is no other reason for one. */
    @Test
    void wholeGpuAndVfioDeviceExcludeOneAnother() {
        Inventory node = Specs.plan(Specs.spec("{model: L40S, partitions: {vfio: true}}"));

        assertThat(names(node)).containsExactly("gpu-0", "gpu-vfio-0");
        assertThat(groups(node)).containsExactly("gpu-full", "vfio");
        assertThat(node.devices())
                .allSatisfy(device -> assertThat(device.consumesCounters())
                        .singleElement()
                        .extracting(CounterConsumption::counters)
                        .isEqualTo(node.counterSets().get(0).counters()));
    }

    @Test
    void namedGroupsReplaceThoseOfTheirSchemeOnlyWhenPublished() {
        var spec = Specs.spec("{model: A100-SXM4-40GB, compatibility: Custom, allocator: KubeScheduler,"
                + " compatibilityGroups: {names: {mig: [migs, any], vgpu: [any], migBackedVgpu: [backed]}},"
                + " partitions: {mig: {profiles: [7g.40gb]}, vgpu: {types: [20C, 40C]}, migBackedVgpu: {types: [7-40C]},"
                + " vfio: true}}");
        Inventory hardware = Specs.plan(spec);

        assertThat(groups(hardware))
                .containsExactly("gpu-full", "mig", "vgpu-20c", "vgpu-20c", "vgpu-40c", "vgpu-mig", "vfio");
        assertThat(hardware.published(spec).devices())
                .extracting(device -> device.consumesCounters().get(0).compatibilityGroups())
                .containsExactly(
                        List.of(),
                        List.of("migs", "any"),
                        List.of("any"),
                        List.of("any"),
                        List.of("any"),
                        List.of("backed"),
                        List.of());
    }

    /** In this case NVIDIA's driver ignores MIG profiles. */
    @ParameterizedTest
    @ValueSource(strings = {"{}", "{vfio: true}", "{vgpu: {types: [All]}}", "{migBackedVgpu: {types: [All]}}"})
    void withoutMigDevicesAGpuHasOnlyTheMemoryThatNvmlReports(String partitions) {
        Inventory node =
                Specs.plan(Specs.spec("{model: H100-80GB-HBM3, count: 1, partitions: %s}".formatted(partitions)));

        assertThat(quantities(device(node, "gpu-0"))).isEqualTo(Map.of("memory", Quantity.parse("81559Mi")));
    }

    /** A custom model may have profiles that are fractions of the memory of the board. */
    @Test
    void aGpuWithMigDevicesHasNoMoreMemoryThanNvmlReports() {
        Inventory node = Specs.plan(Specs.spec("{model: B200, count: 1, partitions: {mig: {profiles: [1g.23gb]}},"
                + " modelOverrides: {mig: {profiles: [{name: 7g.180gb, capacity: {memoryMiB: 184320}}]}}}"));

        assertThat(quantities(device(node, "gpu-0"))).containsEntry("memory", Quantity.parse("183359Mi"));
        assertThat(node.counterSets().get(0).counters()).containsEntry("memory", Quantity.parse("184320Mi"));
    }

    /**
     * As in {@code Attributes} and {@code CommonAttributesMig} of NVIDIA's driver, VFIO devices do not have it, and it is missing if NVML
     * does not report it.
     */
    @Test
    void theAddressingModeIsAnAttributeOfGpusAndMigDevices() {
        Inventory h100 = Specs.plan(Specs.everything("H100-80GB-HBM3", 1));

        assertThat(h100.devices()).allSatisfy(device -> {
            boolean nvml = device.name().matches("gpu-0|gpu-0-mig-.*");
            assertThat(device.attributes().get("addressingMode")).isEqualTo(nvml ? AttributeValue.of("HMM") : null);
        });
        assertThat(Specs.plan(Specs.everything("A30", 1)).devices())
                .allSatisfy(device -> assertThat(device.attributes()).doesNotContainKey("addressingMode"));
        assertThat(Specs.plan(Specs.spec("{model: GB200, count: 1, modelOverrides: {software: {addressingMode: ATS}}}"))
                        .devices()
                        .get(0)
                        .attributes())
                .containsEntry("addressingMode", AttributeValue.of("ATS"));
    }

    /** NVIDIA's driver does the same in its default mode. */
    @Test
    void withoutPartitionsNoModelHasCounters() {
        assertThat(Specs.gpuModels()).allSatisfy(model -> {
            Inventory node = Specs.plan(Specs.spec("{model: %s, count: 2}".formatted(model)));

            assertThat(node.counterSets()).isEmpty();
            assertThat(node.devices())
                    .hasSize(2)
                    .allSatisfy(gpu -> assertThat(gpu.consumesCounters()).isEmpty());
        });
    }

    @Test
    void aGpuWithNothingToShareHasNoCounterSet() {
        Inventory node = Specs.plan(Specs.spec("{model: L40S, count: 2}"));

        assertThat(node.counterSets()).isEmpty();
        assertThat(names(node)).containsExactly("gpu-0", "gpu-1");
        assertThat(node.devices()).allSatisfy(gpu -> {
            assertThat(gpu.consumesCounters()).isEmpty();
            assertThat(quantities(gpu)).isEqualTo(Map.of("memory", Quantity.parse("46068Mi")));
        });
    }

    @Test
    void namesMatchThePatternsOfNvidiasDriver() {
        Specs.gpuModels()
                .flatMap(model -> names(Specs.plan(Specs.everythingAtAll(model, 3))).stream())
                .forEach(name -> assertThat(name)
                        .matches("gpu-\\d+|gpu-(\\d+)-mig-(.+)-(\\d+)-(\\d+)|gpu-vfio-\\d+|vgpu-gpu-\\d+-\\d+c-\\d+"
                                + "|vgpu-gpu-\\d+-\\d-\\d+c(me)?-p\\d")
                        .matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"));
    }

    @Test
    void theCompanionsDevicesArePublishedWithItsTaint() {
        var spec = Specs.everything("A100-SXM4-40GB", 1);
        Inventory hardware = Specs.plan(spec);

        assertThat(hardware.devices())
                .allSatisfy(device -> assertThat(device.taints()).isEmpty());
        assertThat(hardware.published(spec).devices())
                .allSatisfy(device -> assertThat(device.taints())
                        .containsExactly(new DeviceTaint("fakegpu.dev/allocator", "companion", "NoSchedule")));
    }

    @Test
    void kubeSchedulersDevicesArePublishedAsTheyAre() {
        var spec = Specs.spec("{model: L40S, allocator: KubeScheduler, partitions: {vgpu: {types: [All]}}}");
        Inventory hardware = Specs.plan(spec);

        assertThat(hardware.published(spec)).isEqualTo(hardware);
    }

    @Test
    void groupsAreWithheldOnlyWhenPublished() {
        var spec = Specs.spec(
                "{model: L40S, compatibility: None, allocator: KubeScheduler, partitions: {vgpu: {types: [All]}}}");
        Inventory hardware = Specs.plan(spec);

        assertThat(groups(hardware)).contains("gpu-full", "vgpu-4c", "vgpu-48c");
        assertThat(groups(hardware.published(spec))).isEmpty();
        assertThat(hardware.published(spec).counterSets()).isEqualTo(hardware.counterSets());
    }

    private static List<String> groups(Inventory inventory) {
        return inventory.devices().stream()
                .flatMap(device -> device.consumesCounters().stream())
                .flatMap(consumption -> consumption.compatibilityGroups().stream())
                .toList();
    }

    private static AttributeValue uuid(Inventory inventory, String device) {
        return Objects.requireNonNull(device(inventory, device).attributes().get("uuid"));
    }
}
