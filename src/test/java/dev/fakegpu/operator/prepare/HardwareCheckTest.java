package dev.fakegpu.operator.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.hardware.inventory.Inventory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HardwareCheckTest {

    private static final PoolId POOL = new PoolId("gpu.example.com", "node-1/fake");
    private static final PoolId OTHER_POOL = new PoolId("gpu.example.com", "node-1/other");

    /** Two counter sets with 10 units each. */
    private static final Inventory GPUS = new Inventory(
            2,
            List.of(counters("set-0"), counters("set-1")),
            List.of(
                    device("mig-0", on("set-0", 2, "mig")),
                    device("mig-1", on("set-0", 2, "mig")),
                    device("mig-2", on("set-0", 2, "mig")),
                    device("mig-3", on("set-0", 2, "mig")),
                    device("mig-large", on("set-0", 9, "mig")),
                    device("vgpu-0", on("set-0", 2, "vgpu")),
                    device("either-0", on("set-0", 2, "mig", "vgpu")),
                    device("plain-0", on("set-0", 2)),
                    device("plain-1", on("set-0", 2)),
                    device("set-1-vgpu-0", on("set-1", 2, "vgpu")),
                    device("both-sets", on("set-0", 1, "mig"), on("set-1", 1, "vgpu")),
                    device("free"),
                    device("shared", on("set-0", 10, "whole"))
                            .sharedBy(Map.of("memory", DeviceCapacity.of(Quantity.of(40))))));

    private static final ModeledHardware HARDWARE = new ModeledHardware(Map.of(POOL, GPUS, OTHER_POOL, GPUS));

    // --- groups ---

    @Test
    void devicesOfOneGroupGoTogether() {
        // When
        var result = check(prepared("mig-0")).check(claim("new"), ids("mig-1"), Map.of());

        // Then
        assertThat(result.problem()).isEmpty();
        assertThat(result.devices())
                .containsExactly(new PreparedDevice(
                        POOL.device("mig-1"), claim("new"), new CompatibilityGroups(Map.of("set-0", List.of("mig")))));
    }

    @Test
    void devicesOfDifferentGroupsExcludeEachOther() {
        // When
        var result = check(prepared("mig-0")).check(claim("new"), ids("vgpu-0"), Map.of());

        // Then
        assertThat(result.devices()).isEmpty();
        assertThat(result.problem())
                .hasValue("vgpu-0 needs the hardware behind set-0 configured as \"vgpu\", but it is configured as"
                        + " \"mig\" for of-mig-0 (mig-0)");
    }

    @Test
    void groupsAndNoGroupsExcludeEachOtherBothWays() {
        assertThat(check(prepared("mig-0"))
                        .check(claim("new"), ids("plain-0"), Map.of())
                        .problem())
                .hasValue("plain-0 needs the hardware behind set-0 configured as no group, but it is configured as"
                        + " \"mig\" for of-mig-0 (mig-0)");
        assertThat(check(prepared("plain-0"))
                        .check(claim("new"), ids("mig-0"), Map.of())
                        .problem())
                .hasValue("mig-0 needs the hardware behind set-0 configured as \"mig\", but it is configured as"
                        + " no group for of-plain-0 (plain-0)");
    }

    @Test
    void devicesWithoutGroupsGoTogether() {
        assertThat(check(prepared("plain-0"))
                        .check(claim("new"), ids("plain-1"), Map.of())
                        .problem())
                .isEmpty();
    }

    @Test
    void deviceThatFitsOnlyOneOfTwoHoldersIsRefused() {
        // When
        var result = check(prepared("mig-0"), prepared("either-0")).check(claim("new"), ids("vgpu-0"), Map.of());

        // Then
        assertThat(result.problem())
                .hasValue("vgpu-0 needs the hardware behind set-0 configured as \"vgpu\", but it is configured as"
                        + " \"mig\" for of-mig-0 (mig-0), \"mig\" or \"vgpu\" for of-either-0 (either-0)");
    }

    @Test
    void claimsOfOtherNamespacesAreNamedInTheLogOnly() {
        // Given
        var stranger = new ClaimRef("other", "claim", "other-uid");

        // When
        var result = check(prepared("mig-0")).check(stranger, ids("vgpu-0"), Map.of());

        // Then
        assertThat(result.problemText())
                .hasValue(new ScopedText(
                        "vgpu-0 needs the hardware behind set-0 configured as \"vgpu\", but it is configured as"
                                + " \"mig\" for a claim of another namespace (uid of-mig-0-uid) (mig-0)",
                        "vgpu-0 needs the hardware behind set-0 configured as \"vgpu\", but it is configured as"
                                + " \"mig\" for default/of-mig-0 (mig-0)"));
        assertThat(check(prepared("mig-0"))
                        .check(stranger, ids("mig-0"), Map.of())
                        .problem())
                .hasValue("device mig-0 is already prepared for a claim of another namespace (uid of-mig-0-uid)");
        assertThat(new HardwareCheck(HARDWARE, published(), List.of(prepared("mig-0")), ClaimNaming.Full)
                        .check(stranger, ids("mig-0"), Map.of())
                        .problem())
                .hasValue("device mig-0 is already prepared for default/of-mig-0");
    }

    @Test
    void namesThreeHoldersAndCountsTheOthers() {
        // When
        var result = check(
                        prepared("mig-0"),
                        prepared("mig-1"),
                        prepared("mig-2"),
                        prepared("mig-3"),
                        prepared("either-0"))
                .check(claim("new"), ids("vgpu-0"), Map.of());

        // Then
        assertThat(result.problem().orElseThrow())
                .contains("(mig-0), ", "(mig-1), ")
                .endsWith("(mig-2) and 2 more")
                .doesNotContain("mig-3");
    }

    @Test
    void counterSetsAreCheckedSeparately() {
        assertThat(check(prepared("mig-0"))
                        .check(claim("new"), ids("set-1-vgpu-0"), Map.of())
                        .problem())
                .isEmpty();
    }

    @Test
    void countersOfOtherPoolsDoNotMatter() {
        // Given
        var inOtherPool = new PreparedDevice(
                OTHER_POOL.device("mig-0"), claim("other"), new CompatibilityGroups(Map.of("set-0", List.of("mig"))));

        // When
        var result = check(inOtherPool).check(claim("new"), ids("vgpu-0"), Map.of());

        // Then
        assertThat(result.problem()).isEmpty();
    }

    @Test
    void deviceOnTwoCounterSetsIsJudgedOnEach() {
        assertThat(check(prepared("mig-0"), prepared("set-1-vgpu-0"))
                        .check(claim("new"), ids("both-sets"), Map.of())
                        .problem())
                .isEmpty();
        assertThat(check(prepared("vgpu-0"))
                        .check(claim("new"), ids("both-sets"), Map.of())
                        .problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("behind set-0"));
    }

    /** The FakeGpu was edited after preparation: hardware in use keeps its configuration. */
    @Test
    void recordedGroupsCountMoreThanDeclaredOnes() {
        // Given
        var migThatWasVgpu = new PreparedDevice(
                POOL.device("mig-0"), claim("early"), new CompatibilityGroups(Map.of("set-0", List.of("vgpu"))));

        // When
        var result = check(migThatWasVgpu).check(claim("new"), ids("mig-1"), Map.of());

        // Then
        assertThat(result.problem())
                .hasValue("mig-1 needs the hardware behind set-0 configured as \"mig\", but it is configured as"
                        + " \"vgpu\" for early (mig-0)");
    }

    // --- counters ---

    @Test
    void consumptionOverTheRemainderIsRefused() {
        assertThat(check(prepared("mig-0"))
                        .check(claim("new"), ids("mig-large"), Map.of())
                        .problem())
                .hasValue("mig-large needs 9 units of set-0, of which 8 are left of 10");
    }

    @Test
    void consumptionOfTheExactRemainderIsAccepted() {
        assertThat(check(prepared("mig-0"), prepared("mig-1"), prepared("mig-2"), prepared("mig-3"))
                        .check(claim("new"), ids("either-0"), Map.of())
                        .problem())
                .isEmpty();
    }

    @Test
    void deviceThatConsumesNothingFitsBesideEverything() {
        assertThat(check(prepared("mig-large"))
                        .check(claim("new"), ids("free"), Map.of())
                        .problem())
                .isEmpty();
    }

    // --- devices ---

    @Test
    void deviceInUseIsRefused() {
        assertThat(check(prepared("mig-0"))
                        .check(claim("new"), ids("mig-0"), Map.of())
                        .problem())
                .hasValue("device mig-0 is already prepared for of-mig-0");
    }

    @Test
    void deviceThatIsNoLongerPublishedIsRefused() {
        // Given
        var published = new HashSet<>(published());
        published.remove(POOL.device("mig-0"));
        var check = new HardwareCheck(HARDWARE, published, List.of(), ClaimNaming.OwnNamespace);

        // When
        var result = check.check(claim("new"), ids("mig-0"), Map.of());

        // Then
        assertThat(result.problem()).hasValue("device mig-0 is not published in pool node-1/fake (any more)");
    }

    @Test
    void deviceThatTheHardwareDoesNotHaveIsRefused() {
        // Given
        var unknown = POOL.device("mig-9");
        var check = new HardwareCheck(HARDWARE, Set.of(unknown), List.of(), ClaimNaming.OwnNamespace);

        // When
        var result = check.check(claim("new"), List.of(unknown), Map.of());

        // Then
        assertThat(result.problem()).hasValue("device mig-9 is not published in pool node-1/fake (any more)");
    }

    @Test
    void devicesOfOneClaimAreJudgedAgainstEachOther() {
        // When
        var result = check().check(claim("new"), ids("mig-0", "vgpu-0"), Map.of());

        // Then
        assertThat(result.devices()).isEmpty();
        assertThat(result.problem())
                .hasValue("vgpu-0 needs the hardware behind set-0 configured as \"vgpu\", but it is configured as"
                        + " \"mig\" for new (mig-0)");
    }

    @Test
    void devicesOfOneClaimShareTheCounters() {
        assertThat(check().check(claim("new"), ids("mig-0", "mig-large"), Map.of())
                        .problem())
                .hasValue("mig-large needs 9 units of set-0, of which 8 are left of 10");
    }

    @Test
    void allDevicesOfAClaimArePreparedTogether() {
        assertThat(check().check(claim("new"), ids("mig-0", "mig-1", "free"), Map.of())
                        .devices())
                .extracting(device -> device.id().device())
                .containsExactly("mig-0", "mig-1", "free");
    }

    // --- shares ---

    @Test
    void sharesOfADeviceComeWithTheCountersOfTheFirst() {
        assertThat(check(shareOf(20))
                        .check(claim("new"), ids("shared"), memory(20))
                        .problem())
                .isEmpty();
        assertThat(check(shareOf(20), shareOf(10))
                        .check(claim("new"), ids("shared"), memory(10))
                        .devices())
                .extracting(PreparedDevice::consumed)
                .containsExactly(Map.of("memory", Quantity.of(10)));
    }

    @Test
    void moreSharesThanThereIsAreRefused() {
        assertThat(check(shareOf(20), shareOf(10))
                        .check(claim("new"), ids("shared"), memory(11))
                        .problem())
                .hasValue("a share of 11 memory is needed of shared, of which 10 are left of 40");
    }

    @Test
    void sharedDeviceKeepsOffItsPartitions() {
        assertThat(check(shareOf(1)).check(claim("new"), ids("mig-0"), Map.of()).problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("configured as \"whole\""));
        assertThat(check(prepared("mig-0"))
                        .check(claim("new"), ids("shared"), memory(1))
                        .problem())
                .isPresent();
    }

    private static PreparedDevice shareOf(long memory) {
        var whole = prepared("shared");
        return new PreparedDevice(
                whole.id(), claim("share-" + memory), whole.configuredFor(), Map.of("memory", Quantity.of(memory)));
    }

    private static Map<DeviceId, Map<String, Quantity>> memory(long amount) {
        return Map.of(POOL.device("shared"), Map.of("memory", Quantity.of(amount)));
    }

    // --- helpers ---

    private static HardwareCheck check(PreparedDevice... prepared) {
        return new HardwareCheck(HARDWARE, published(), List.of(prepared), ClaimNaming.OwnNamespace);
    }

    private static Set<DeviceId> published() {
        return GPUS.devices().stream().map(device -> POOL.device(device.name())).collect(Collectors.toSet());
    }

    private static PreparedDevice prepared(String device) {
        var id = POOL.device(device);
        return new PreparedDevice(
                id, claim("of-" + device), HARDWARE.device(id).orElseThrow().compatibilityGroups());
    }

    private static ClaimRef claim(String name) {
        return new ClaimRef("default", name, name + "-uid");
    }

    private static List<DeviceId> ids(String... names) {
        return Arrays.stream(names).map(POOL::device).toList();
    }

    private static CounterSet counters(String name) {
        return new CounterSet(name, Map.of("units", Quantity.of(10)));
    }

    private static CounterConsumption on(String counterSet, long units, String... groups) {
        return new CounterConsumption(counterSet, Map.of("units", Quantity.of(units)), List.of(groups));
    }

    private static Device device(String name, CounterConsumption... consumption) {
        return new Device(name, Map.of(), Map.of(), Stream.of(consumption).toList(), List.of());
    }
}
