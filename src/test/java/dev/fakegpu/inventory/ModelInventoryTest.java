package dev.fakegpu.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.catalog.GpuModel;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
                        "memory", Quantity.parse("40Gi"),
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
                .containsEntry("uuid", uuid(node, "gpu-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"A100-SXM4-40GB", "H100-80GB-HBM3", "L40S"})
    void asManySlotsAsTheFramebufferHolds(String model) {
        Inventory node = Specs.plan(Specs.everything(model, 1));
        GpuModel data = Catalog.builtIn().find(model).orElseThrow();
        Quantity framebuffer = node.counterSets().get(0).counters().get("framebuffer");

        Objects.requireNonNull(data.vgpu()).types().forEach(type -> {
            List<Device> slots = node.devices().stream()
                    .filter(device -> device.name().startsWith("vgpu-gpu-0-" + type.slug() + "-"))
                    .toList();
            Quantity one = Quantity.ofMebibytes(type.framebufferMiB());
            assertThat(slots).hasSize(type.maxInstances().equalSize());
            assertThat(one.times(slots.size())).isLessThanOrEqualTo(framebuffer);
            assertThat(one.times(slots.size() + 1)).isGreaterThan(framebuffer);
        });
    }

    @Test
    void aGpuWithNothingToShareHasNoCounterSet() {
        Inventory node = Specs.plan(Specs.spec("{model: L40S, count: 2}"));

        assertThat(node.counterSets()).isEmpty();
        assertThat(names(node)).containsExactly("gpu-0", "gpu-1");
        assertThat(node.devices()).allSatisfy(gpu -> {
            assertThat(gpu.consumesCounters()).isEmpty();
            assertThat(quantities(gpu)).isEqualTo(Map.of("memory", Quantity.parse("48Gi")));
        });
    }

    @Test
    void namesMatchThePatternsOfNvidiasDriver() {
        Stream.of("A100-SXM4-40GB", "H100-80GB-HBM3", "L40S")
                .flatMap(model -> names(Specs.plan(Specs.everything(model, 3))).stream())
                .forEach(name -> assertThat(name)
                        .matches("gpu-\\d+|gpu-(\\d+)-mig-(.+)-(\\d+)-(\\d+)|vgpu-gpu-\\d+-\\d+c-\\d+")
                        .matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"));
    }

    @Test
    void gpusKeepTheirIdentityAndShareItWithNobody() {
        var spec = Specs.spec("{model: L40S, count: 64}");
        List<Device> node1 = Specs.PLANNER.plan(spec, "one", "node-1").devices();
        List<Device> node2 = Specs.PLANNER.plan(spec, "one", "node-2").devices();
        List<Device> other = Specs.PLANNER.plan(spec, "two", "node-1").devices();

        assertThat(Specs.PLANNER.plan(spec, "one", "node-1").devices()).isEqualTo(node1);
        assertThat(Stream.of(node1, node2, other)
                        .flatMap(List::stream)
                        .map(gpu -> gpu.attributes().get("uuid")))
                .doesNotHaveDuplicates()
                .allSatisfy(
                        uuid -> assertThat(uuid.toString()).matches("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
        assertThat(Stream.of(node1, other).flatMap(List::stream).map(ModelInventoryTest::busId))
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(id).matches("[0-9a-f]{4}:[0-9a-f]{2}:00\\.0"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void theFirstHalfOfTheGpusIsOnNumaNodeZero(int count) {
        List<Device> gpus = Specs.plan(Specs.spec("{model: L40S, count: %d}".formatted(count)))
                .devices();

        assertThat(gpus.stream().map(gpu -> gpu.attributes().get("resource.kubernetes.io/numaNode")))
                .startsWith(AttributeValue.of(0))
                .endsWith(AttributeValue.of(count == 1 ? 0 : 1))
                .filteredOn(AttributeValue.of(1)::equals)
                .hasSize(count / 2);
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
    void groupsAreWithheldFromThePublicOnly() {
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

    private static String busId(Device gpu) {
        return String.valueOf(gpu.attributes().get("resource.kubernetes.io/pciBusID"));
    }

    private static AttributeValue uuid(Inventory inventory, String device) {
        return Objects.requireNonNull(device(inventory, device).attributes().get("uuid"));
    }

    private static Device device(Inventory inventory, String name) {
        return inventory.devices().stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(Inventory inventory) {
        return inventory.devices().stream().map(Device::name).toList();
    }

    private static Map<String, Quantity> quantities(Device device) {
        return device.capacity().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, capacity -> capacity.getValue().value()));
    }
}
