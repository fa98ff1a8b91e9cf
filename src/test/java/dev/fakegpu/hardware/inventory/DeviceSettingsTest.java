package dev.fakegpu.hardware.inventory;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Quantity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parts of a spec that apply to devices of any hardware. */
class DeviceSettingsTest {

    private static final Quantity MEBIBYTE = Quantity.parse("1Mi");

    // --- which devices ---

    @ParameterizedTest
    @ValueSource(strings = {"A100-SXM4-40GB", "H100-80GB-HBM3", "L40S"})
    void aGpuIsSelectedWithAllItsPartitions(String model) {
        var spec = Specs.everything(model, 8);
        var json = "taints: [{devices: {gpus: [5]}, key: t, effect: NoSchedule}]";
        var tainted = Specs.plan(Specs.spec("{model: %s, count: 8, partitions: %s, %s}"
                .formatted(
                        model,
                        model.equals("L40S")
                                ? "{vgpu: {types: [All]}}"
                                : "{mig: {profiles: [All]}, vgpu: {types: [All]}}",
                        json)));

        assertThat(tainted.devices()).hasSameSizeAs(Specs.plan(spec).devices());
        Set<AttributeValue> buses = tainted.devices().stream()
                .filter(device -> !device.taints().isEmpty())
                .map(device -> device.attributes().get("resource.kubernetes.io/pciBusID"))
                .collect(toSet());
        assertThat(buses).hasSize(1);
        assertThat(tainted.devices().stream().filter(device -> device.taints().isEmpty()))
                .noneMatch(device -> buses.contains(device.attributes().get("resource.kubernetes.io/pciBusID")));
        assertThat(taints(tainted)).containsKey("gpu-5").doesNotContainKey("gpu-4");
    }

    @Test
    void listsOfASelectorHoldTogether() {
        var inventory = Specs.plan(Specs.spec("""
                {model: A100-SXM4-40GB, count: 2, partitions: {mig: {profiles: [7g.40gb]}}, taints: [
                  {devices: {gpus: [1], types: [mig]}, key: a, effect: NoSchedule},
                  {devices: {nodes: [node-1], names: [gpu-0]}, key: b, effect: None},
                  {devices: {nodes: [node-2]}, key: c, effect: NoExecute}]}
                """));

        assertThat(taints(inventory))
                .containsExactly(
                        entry("gpu-0", List.of(new DeviceTaint("b", "", "None"))),
                        entry("gpu-1-mig-7g40gb-0-0", List.of(new DeviceTaint("a", "", "NoSchedule"))));
    }

    // --- health and taints ---

    @Test
    void healthIsWhatTheVendorPublishes() {
        var inventory = Specs.plan(Specs.spec("""
                {model: L40S, count: 4, driver: gpu.nvidia.com, health: [
                  {devices: {gpus: [0]}, state: XidError, xid: 79}, {devices: {gpus: [1]}, state: XidWarning, xid: 13},
                  {devices: {gpus: [2]}, state: GpuLost}, {devices: {gpus: [3]}, state: Unmonitored}]}
                """));

        assertThat(taints(inventory))
                .containsExactly(
                        entry("gpu-0", List.of(new DeviceTaint("gpu.nvidia.com/xid", "79", "NoSchedule"))),
                        entry("gpu-1", List.of(new DeviceTaint("gpu.nvidia.com/xid", "13", "None"))),
                        entry("gpu-2", List.of(new DeviceTaint("gpu.nvidia.com/gpu-lost", "", "NoSchedule"))),
                        entry("gpu-3", List.of(new DeviceTaint("gpu.nvidia.com/unmonitored", "", "None"))));
    }

    @Test
    void aTaintsTimeIsInWholeSecondsAsTheApiStoresIt() {
        var inventory = Specs.plan(Specs.spec("""
                {model: L40S, taints: [{key: a, value: b, effect: NoExecute, timeAdded: "2026-01-31T12:00:00.7+01:00"}]}
                """));

        assertThat(inventory.devices().get(0).taints())
                .containsExactly(new DeviceTaint("a", "b", "NoExecute", Instant.parse("2026-01-31T11:00:00Z")));
    }

    // --- attributes and binding ---

    @Test
    void attributesAreAddedAndReplaced() {
        var device = Specs.plan(Specs.spec("""
                {model: L40S, attributes: {brand: {string: Mine}, rack: {int: 7}, peers: {strings: [a, b]}}}
                """)).devices().get(0);

        assertThat(device.attributes())
                .containsEntry("brand", AttributeValue.of("Mine"))
                .containsEntry("rack", AttributeValue.of(7))
                .containsEntry("peers", AttributeValue.strings(List.of("a", "b")))
                .containsKey("productName");
    }

    @Test
    void aDevicesOwnBindingComesFirst() {
        var devices = Specs.plan(Specs.spec("""
                {custom: {devices: [{name: foo, binding: {conditions: [own], failureConditions: [failed]}}, {name: bar}]},
                 binding: {bindsToNode: true}}
                """)).devices();

        assertThat(devices)
                .extracting(Device::binding)
                .containsExactly(
                        new Device.Binding(false, List.of("own"), List.of("failed")),
                        new Device.Binding(true, List.of(), List.of()));
    }

    // --- sharing ---

    @Test
    void memoryIsSharedInNvidiasSteps() {
        var gpu = shared("{mode: Memory}");

        assertThat(gpu.allowMultipleAllocations()).isTrue();
        assertThat(gpu.capacity().get("memory"))
                .isEqualTo(capacity(gpu, policy(Quantity.parse("40Gi"), MEBIBYTE, Quantity.parse("40Gi"), MEBIBYTE)));
    }

    @Test
    void unlimitedSharesTakeNothingUnlessTheyAsk() {
        var gpu = shared("{mode: Unlimited}");

        assertThat(gpu.capacity().get("memory"))
                .isEqualTo(capacity(gpu, policy(Quantity.of(0), Quantity.of(0), Quantity.parse("40Gi"), MEBIBYTE)));
    }

    @Test
    void sharesAreACapacityOfTheirOwn() {
        assertThat(shared("{mode: Shares, shares: 4}").capacity())
                .containsEntry(
                        "shares",
                        new DeviceCapacity(
                                Quantity.of(4), policy(Quantity.ONE, Quantity.ONE, Quantity.of(4), Quantity.ONE)));
    }

    @Test
    void wholeGpusAndMigDevicesAreShared() {
        var inventory = Specs.plan(Specs.spec("""
                {model: A100-SXM4-40GB, sharing: {mode: Unlimited}, partitions: {
                  mig: {profiles: [All]}, vgpu: {types: [All]}, migBackedVgpu: {types: [All]}, vfio: true}}
                """));

        assertThat(inventory.devices())
                .allSatisfy(device -> assertThat(device.allowMultipleAllocations())
                        .as(device.name())
                        .isEqualTo(List.of("gpu", "mig").contains(DeviceSettings.type(device))));
    }

    @Test
    void onlyMemoryAndSharesOfNvidiasDevicesHaveAPolicy() {
        var inventory = Specs.plan(Specs.spec("""
                {model: A100-SXM4-40GB, partitions: {mig: {profiles: [1g.5gb]}}, sharing: {mode: Shares, shares: 2}}
                """));

        assertThat(inventory.devices())
                .allSatisfy(device ->
                        assertThat(withPolicy(device)).as(device.name()).containsExactlyInAnyOrder("memory", "shares"));
        assertThat(inventory.devices().get(1).capacity().get("memory"))
                .isEqualTo(new DeviceCapacity(
                        Quantity.parse("4864Mi"),
                        policy(Quantity.of(0), Quantity.of(0), Quantity.parse("4864Mi"), MEBIBYTE)));
    }

    @Test
    void configuredPoliciesAreForWholeGpus() {
        var inventory = Specs.plan(Specs.spec("""
                {model: A100-SXM4-40GB, partitions: {mig: {profiles: [1g.5gb]}}, sharing: {mode: Memory,
                  memory: {default: 10Gi, validValues: [10Gi]}, requestPolicies: {decoders: {default: "2"}}}}
                """));

        var whole = inventory.devices().get(0).capacity();
        assertThat(policyOf(whole.get("memory")).validValues()).containsExactly(Quantity.parse("10Gi"));
        assertThat(policyOf(whole.get("decoders")).defaultValue()).isEqualTo(Quantity.of(2));
        assertThat(withPolicy(inventory.devices().get(1))).containsExactly("memory");
        assertThat(policyOf(inventory.devices().get(1).capacity().get("memory")).validValues())
                .isEmpty();
    }

    @Test
    void equalPartsAreSharedInTheStepsOfDraExampleDriver() {
        var inventory = Specs.plan(
                Specs.spec("{model: LATEST-GPU-MODEL, partitions: {equalParts: 4}, sharing: {mode: Memory}}"));

        var gibibyte = Quantity.parse("1Gi");
        assertThat(inventory.devices())
                .filteredOn(device -> device.name().contains("partition"))
                .hasSize(4)
                .allSatisfy(part -> assertThat(part.capacity())
                        .isEqualTo(Map.of(
                                "memory",
                                        new DeviceCapacity(
                                                Quantity.parse("20Gi"),
                                                policy(
                                                        Quantity.parse("20Gi"),
                                                        gibibyte,
                                                        Quantity.parse("20Gi"),
                                                        gibibyte)),
                                "compute",
                                        new DeviceCapacity(
                                                Quantity.of(25),
                                                policy(
                                                        Quantity.of(25),
                                                        Quantity.ONE,
                                                        Quantity.of(25),
                                                        Quantity.ONE)))));
        assertThat(policyOf(inventory.devices().get(4).capacity().get("compute"))
                        .defaultValue())
                .isEqualTo(Quantity.of(100));
    }

    /** A third of 80Gi is not a multiple of 1Gi. */
    @Test
    void theLargestAmountOfAPartIsOnAStep() {
        var part = Specs.plan(
                        Specs.spec("{model: LATEST-GPU-MODEL, partitions: {equalParts: 3}, sharing: {mode: Memory}}"))
                .devices()
                .get(0);

        var most = Quantity.parse("26Gi");
        assertThat(policyOf(part.capacity().get("memory")))
                .isEqualTo(policy(most, Quantity.parse("1Gi"), most, Quantity.parse("1Gi")));
    }

    @Test
    void equalPartsWithoutTheWholeGpuAreShared() {
        var inventory = Specs.plan(Specs.spec("""
                {model: LATEST-GPU-MODEL, partitions: {equalParts: 2, whole: false}, sharing: {mode: Unlimited,
                  requestPolicies: {compute: {default: "10", validValues: ["10", "50"]}}}}
                """));

        assertThat(inventory.devices()).hasSize(2).allSatisfy(part -> {
            assertThat(policyOf(part.capacity().get("compute")).validValues())
                    .containsExactly(Quantity.of(10), Quantity.of(50));
            assertThat(policyOf(part.capacity().get("memory")).defaultValue()).isEqualTo(Quantity.of(0));
        });
    }

    // --- topology ---

    @Test
    void gpusAreDealtOutToNumaNodesAndRoots() {
        assertThat(places("topology: {numaNodes: 2, gpusPerPcieRoot: 2}"))
                .containsExactly("0/00", "0/00", "0/08", "0/08", "1/10", "1/10", "1/18", "1/18");
    }

    @Test
    void withoutATopologyEachGpuHasItsRootAndHalfOfThemANumaNode() {
        assertThat(places("deviceClasses: Managed"))
                .containsExactly("0/00", "0/04", "0/08", "0/0c", "1/10", "1/14", "1/18", "1/1c");
    }

    /** The NUMA node and the bus of the root of each GPU. */
    private static List<String> places(String field) {
        return Specs.plan(Specs.spec("{model: L40S, count: 8, %s}".formatted(field))).devices().stream()
                .map(Device::attributes)
                .map(attributes -> attributes.get("resource.kubernetes.io/numaNode") + "/"
                        + attributes
                                .get("resource.kubernetes.io/pcieRoot")
                                .toString()
                                .replaceFirst(".*:", ""))
                .toList();
    }

    private static Device shared(String sharing) {
        return Specs.plan(Specs.spec("{model: A100-SXM4-40GB, sharing: %s}".formatted(sharing)))
                .devices()
                .get(0);
    }

    private static List<String> withPolicy(Device device) {
        return device.capacity().entrySet().stream()
                .filter(capacity -> capacity.getValue().requestPolicy() != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static DeviceCapacity.RequestPolicy policyOf(DeviceCapacity capacity) {
        return Objects.requireNonNull(capacity.requestPolicy());
    }

    private static DeviceCapacity capacity(Device device, DeviceCapacity.RequestPolicy policy) {
        return new DeviceCapacity(device.capacity().get("memory").value(), policy);
    }

    private static DeviceCapacity.RequestPolicy policy(Quantity byDefault, Quantity min, Quantity max, Quantity step) {
        return new DeviceCapacity.RequestPolicy(byDefault, List.of(), new DeviceCapacity.Range(min, max, step));
    }

    private static Map<String, List<DeviceTaint>> taints(Inventory inventory) {
        var taints = new TreeMap<String, List<DeviceTaint>>();
        inventory.devices().stream()
                .filter(device -> !device.taints().isEmpty())
                .forEach(device -> taints.put(device.name(), device.taints()));
        return taints;
    }
}
