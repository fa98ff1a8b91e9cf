package dev.fakegpu.cluster.holdings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.Specs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One counter set with 40 units. */
class HoldingsTest {

    private static final PoolId POOL = new PoolId("gpu.example.com", "node-1");
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static final Device WHOLE = device("gpu-0", 40);
    private static final Device PART_0 = device("part-0", 10);
    private static final Device PART_1 = device("part-1", 10);
    private static final Device BIG = device("big-0", 40);

    private static Device device(String name, long units, String... groups) {
        var entry = new CounterConsumption("gpu-0", Map.of("units", Quantity.of(units)), List.of(groups));
        return new Device(name, Map.of(), Map.of(), List.of(entry), List.of());
    }

    private static List<Slice> pool(Device... devices) {
        var node = new NodeSelection.NodeName("node-1");
        var set = new CounterSet("gpu-0", Map.of("units", Quantity.of(40)));
        return List.of(
                new Slice("0", POOL, 1, 2, node, List.of(set), List.of()),
                new Slice("1", POOL, 1, 2, node, List.of(), List.of(devices)));
    }

    private static HeldClaim claim(String name, String... devices) {
        return recorded(name, null, devices);
    }

    private static HeldClaim recorded(String name, @Nullable CompatibilityGroups groups, String... devices) {
        var ref = new ClaimRef("team", name, name);
        return new HeldClaim(
                ref,
                NOW,
                Arrays.stream(devices)
                        .map(device -> new AllocatedDevice(POOL.device(device), ref, groups))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                List.of());
    }

    private static Gpu only(List<Slice> slices, HeldClaim... claims) {
        List<Gpu> gpus = Holdings.of(slices, List.of(claims));
        assertThat(gpus).hasSize(1);
        return gpus.get(0);
    }

    private static Gpu.KindRoom kind(Gpu gpu, String name) {
        return gpu.kinds().stream()
                .filter(kind -> kind.kind().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFreeGpuIsIdle() {
        Gpu gpu = only(pool(WHOLE, PART_0, PART_1));

        assertThat(gpu.mode()).isEqualTo(Gpu.IDLE);
        assertThat(kind(gpu, "part-*").room().atLeast()).isEqualTo(2);
    }

    /** They have no counters that would show that they are on one GPU. */
    @Test
    void staticMigDevicesOfAGpuAreOnePieceOfHardware() {
        Device[] devices = Specs.plan(Specs.spec(
                        "{model: A100-SXM4-40GB, count: 2, partitions: {mig: {static: [{devices: {1g.5gb: 7}}]}}}"))
                .devices()
                .toArray(new Device[0]);

        List<Gpu> gpus =
                Holdings.of(pool(devices), List.of(claim("a", "gpu-0-mig-1g5gb-19-0", "gpu-0-mig-1g5gb-19-3")));

        assertThat(gpus).extracting(Gpu::name).containsExactly("gpu-0", "gpu-1");
        assertThat(gpus).extracting(Gpu::mode).containsExactly(Gpu.PARTITIONED, Gpu.IDLE);
        assertThat(kind(gpus.get(0), "gpu-0-mig-1g5gb-19-*").room().atLeast()).isEqualTo(5);
        assertThat(gpus.get(0).holdings()).hasSize(2);
    }

    @Test
    void withoutGroupsCountersDistinguishWholeGpusFromParts() {
        assertThat(only(pool(WHOLE, PART_0, PART_1), claim("a", "gpu-0")).mode())
                .isEqualTo(Gpu.WHOLE);
        assertThat(only(pool(WHOLE, PART_0, PART_1), claim("a", "part-0")).mode())
                .isEqualTo(Gpu.PARTITIONED);
    }

    /** This happens when the partitions of a model are removed while one of them is in use. */
    @Test
    void theLastPartIsNotTheWholeGpu() {
        var slices = pool(device("gpu-0", 40, "whole"), device("mig-1", 10, "mig"));

        assertThat(only(slices, claim("a", "mig-1")).mode()).isEqualTo("mig");
        assertThat(only(slices, claim("a", "gpu-0")).mode()).isEqualTo(Gpu.WHOLE);
    }

    @Test
    void aDeviceThatFillsAModeOfSeveralIsNotTheWhole() {
        Device full = device("mig-7", 40, "mig");
        Gpu gpu = only(pool(device("gpu-0", 40, "whole"), full, device("mig-1", 10, "mig")), claim("a", "mig-7"));

        assertThat(gpu.mode()).isEqualTo("mig");
    }

    @Test
    void excludedDevicesHaveAReason() {
        Gpu gpu = only(
                pool(
                        device("gpu-0", 40, "whole"),
                        device("mig-0", 30, "mig"),
                        device("mig-big", 20, "mig"),
                        device("vgpu-0", 5, "vgpu")),
                claim("a", "mig-0"));

        assertThat(kind(gpu, "gpu-0").obstacle()).isEqualTo("both");
        assertThat(kind(gpu, "mig-0").obstacle()).isEqualTo("held");
        assertThat(kind(gpu, "mig-big").obstacle()).isEqualTo("units");
        assertThat(kind(gpu, "vgpu-0").obstacle()).isEqualTo("groups");
        assertThat(gpu.left().get(0).left()).isEqualTo(Quantity.of(10));
    }

    @Test
    void taintedDevicesHaveNoRoom() {
        Device tainted = PART_0.withTaints(List.of(new DeviceTaint("gpu-lost", "", "NoExecute")));

        assertThat(kind(only(pool(WHOLE, tainted)), "part-0").obstacle()).isEqualTo("unhealthy");

        Device drained = PART_0.withTaints(List.of(new DeviceTaint("drained", "", "NoSchedule")));
        assertThat(kind(only(pool(WHOLE, drained)), "part-0").obstacle()).isEqualTo("tainted");
    }

    /** Its pods keep running, so users might not notice the problem with their devices. */
    @Test
    void aHolderOfUnhealthyHardwareHasANote() {
        Device lost = PART_0.withTaints(List.of(new DeviceTaint("vendor.com/gpu-lost", "", "NoSchedule")));
        Gpu gpu = only(pool(WHOLE, lost), claim("a", "part-0"));

        assertThat(gpu.unhealthy()).containsExactly("gpu-lost");
        assertThat(gpu.holdings().get(0).notes()).startsWith("unhealthy (gpu-lost)");
    }

    /** Otherwise a lost GPU would seem to be available. */
    @Test
    void idleGpusThatAreTaintedAreCountedApart() {
        DeviceTaint taint = new DeviceTaint("gpu-lost", "", "NoExecute");
        List<Gpu> gpus = List.of(
                only(pool(WHOLE, PART_0)),
                only(pool(WHOLE, PART_0.withTaints(List.of(taint)))),
                only(pool(WHOLE.withTaints(List.of(taint)), PART_0.withTaints(List.of(taint)))));

        assertThat(new HoldingsText(gpus, NOW).byGpu(HoldingsText.Detail.SHORT))
                .filteredOn(line -> line.contains("idle"))
                .map(line -> line.substring(line.indexOf("idle")).strip().replaceAll(" +", " "))
                .containsExactly("idle -", "idle - partly unhealthy (gpu-lost)", "idle - unhealthy (gpu-lost)");
    }

    @Test
    void recordedGroupsCountMoreThanPublishedOnes() {
        var before = new CompatibilityGroups(Map.of("gpu-0", List.of("old")));
        Gpu gpu = only(pool(device("mig-0", 10, "mig"), device("mig-1", 10, "mig")), recorded("a", before, "mig-0"));

        assertThat(gpu.mode()).isEqualTo("old");
        assertThat(kind(gpu, "mig-*").obstacle()).isEqualTo("groups");
    }

    @Test
    void devicesWithoutACommonGroupAreAConflict() {
        Gpu gpu = only(
                pool(device("mig-0", 10, "mig"), device("vgpu-0", 10, "vgpu")),
                claim("a", "mig-0"),
                claim("b", "vgpu-0"));

        assertThat(gpu.mode()).isEqualTo(Gpu.CONFLICT);
    }

    @Test
    void aDeviceThatTwoClaimsHoldIsNoted() {
        Gpu gpu = only(pool(WHOLE, BIG), claim("a", "gpu-0"), claim("b", "gpu-0"));

        assertThat(gpu.holdings())
                .extracting(holding -> holding.claim().ref().name())
                .containsExactly("a", "b");
        assertThat(gpu.holdings().get(0).notes()).containsExactly("held twice");
        assertThat(gpu.left().get(0).left()).as("counted once").isEqualTo(Quantity.ZERO);
    }

    @Test
    void devicesThatAreNotPublishedAreNamed() {
        List<Gpu> gpus = Holdings.of(pool(WHOLE), List.of(claim("a", "gone")));

        assertThat(gpus).extracting(Gpu::mode).containsExactlyInAnyOrder(Gpu.IDLE, Gpu.NOT_PUBLISHED);
    }

    @Test
    void olderGenerationsDoNotCount() {
        var node = new NodeSelection.NodeName("node-1");
        var newer = new Slice(
                "2", POOL, 2, 1, node, List.of(), List.of(device("new", 0).withConsumesCounters(List.of())));
        var slices = new ArrayList<>(pool(WHOLE));
        slices.add(newer);

        assertThat(Holdings.of(slices, List.of())).extracting(Gpu::name).containsExactly("new");
    }

    @Test
    void aNamespaceShowsOnlyItsOwnClaims() {
        List<Gpu> gpus = Holdings.of(pool(WHOLE, PART_0, PART_1), List.of(claim("a", "part-0")));

        assertThat(Holdings.heldIn("team", gpus)).hasSize(1);
        assertThat(Holdings.heldIn("other", gpus)).isEmpty();
    }

    /** Both are called units. */
    @Test
    void theRestOfASharedPartIsDistinguishedFromTheCounters() {
        Device shared = PART_0.sharedBy(Map.of("units", DeviceCapacity.of(Quantity.of(10))));
        var ref = new ClaimRef("team", "a", "a");
        var share = new AllocatedDevice.Share("s1", Map.of("units", Quantity.of(4)));
        var held = new AllocatedDevice(POOL.device("part-0"), ref, null, share);
        Gpu gpu = only(
                pool(WHOLE, shared, PART_1),
                new HeldClaim(ref, NOW, List.of(held), List.of(), List.of(), List.of(), Map.of(), List.of()));

        assertThat(new HoldingsText(List.of(gpu), NOW).byGpu(HoldingsText.Detail.SHORT))
                .contains("    left: units 30 of 40", "    left of part-0: units 6 of 10");
    }

    @Test
    void agesAreInTheLargestUnit() {
        Gpu gpu = only(pool(WHOLE, PART_0), claim("a", "gpu-0"));

        assertThat(new HoldingsText(List.of(gpu), NOW.plusSeconds(600))
                        .byClaim()
                        .get(1))
                .isEqualTo("team/a  -     10m  node-1  gpu-0");
    }
}
