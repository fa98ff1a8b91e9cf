package dev.fakegpu.engine.allocate;

import static dev.fakegpu.engine.allocate.Hardware.CLASS;
import static dev.fakegpu.engine.allocate.Hardware.NODE;
import static dev.fakegpu.engine.allocate.Hardware.POOL;
import static dev.fakegpu.engine.allocate.Hardware.SELECTORS;
import static dev.fakegpu.engine.allocate.Hardware.allocate;
import static dev.fakegpu.engine.allocate.Hardware.claim;
import static dev.fakegpu.engine.allocate.Hardware.claimsFor;
import static dev.fakegpu.engine.allocate.Hardware.counters;
import static dev.fakegpu.engine.allocate.Hardware.device;
import static dev.fakegpu.engine.allocate.Hardware.devices;
import static dev.fakegpu.engine.allocate.Hardware.held;
import static dev.fakegpu.engine.allocate.Hardware.named;
import static dev.fakegpu.engine.allocate.Hardware.on;
import static dev.fakegpu.engine.allocate.Hardware.pool;
import static dev.fakegpu.engine.allocate.Hardware.ref;
import static dev.fakegpu.engine.allocate.Hardware.request;
import static dev.fakegpu.engine.allocate.Hardware.state;
import static dev.fakegpu.engine.allocate.Hardware.tainted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.OpaqueConfig;
import dev.fakegpu.dra.RawJson;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllocatorTest {

    private static final String ANY = "true";

    private static List<Slice> gpu(Device... devices) {
        return pool(List.of(counters("s", 100)), devices);
    }

    @Test
    void emptyListOfClaimsSucceeds() {
        assertThat(allocate(state(gpu()))).isEqualTo(new Outcome.Allocated(List.of()));
    }

    @Test
    void backtracksFromTheFirstDeviceIfTheRestDoesNotFit() {
        List<Slice> slices = gpu(
                device("mig", on("s", 10, "mig")),
                device("vgpu-0", on("s", 10, "vgpu")),
                device("vgpu-1", on("s", 10, "vgpu")));

        Outcome outcome = allocate(
                state(slices), claim("c", request("r0", named("mig", "vgpu-0"), 1), request("r1", named("vgpu-1"), 1)));

        assertThat(devices(outcome)).containsExactly("vgpu-0", "vgpu-1");
    }

    @Test
    void aDeviceRefusedForItsTaintLeavesNothingBehind() {
        List<Slice> slices =
                gpu(tainted(device("mig", on("s", 100, "mig")), "broken"), device("vgpu", on("s", 100, "vgpu")));

        assertThat(devices(allocate(state(slices), claim("c", request("r", ANY, 1)))))
                .containsExactly("vgpu");
    }

    /** No device is skipped that upstream reaches, regardless of how many devices were tried in vain before. */
    @Test
    void aSelectorThatFailsForAdminAccessIsMetAlsoAfterManyAttempts() {
        Device[] devices = IntStream.range(0, 40).mapToObj(i -> device("d" + i)).toArray(Device[]::new);
        String failsAtTheLast = "device.attributes['gpu.example.com'].name != 'd39' || device.attributes['x'].y";

        Outcome outcome = allocate(
                state(gpu(devices)),
                claim("c", withAdminAccess(request("r0", failsAtTheLast, 1)), request("r1", "false", 1)));

        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    }

    private static DeviceRequest withAdminAccess(DeviceRequest request) {
        ExactRequest exactly = request.exactly();
        return new DeviceRequest(
                request.name(),
                new ExactRequest(
                        exactly.name(),
                        exactly.deviceClassName(),
                        exactly.selectors(),
                        false,
                        ExactRequest.EXACT_COUNT,
                        exactly.count(),
                        List.of(),
                        null,
                        Map.of(),
                        true),
                List.of());
    }

    @Test
    void allocatesAllClaimsOrNone() {
        List<Slice> slices = gpu(device("a", on("s", 60)), device("b", on("s", 60)));

        assertThat(devices(allocate(state(slices), GroupsGate.ON, GroupPolicy.SNAPSHOT, claimsFor(List.of("a", "b")))))
                .containsExactly("none");
    }

    @Test
    void equalRequestsThatDoNotFitAreGivenUpWithoutTryingAllPermutations() {
        Device[] devices = IntStream.range(0, 11).mapToObj(i -> device("d" + i)).toArray(Device[]::new);
        DeviceRequest[] requests =
                IntStream.range(0, 12).mapToObj(i -> request("r" + i, ANY, 1)).toArray(DeviceRequest[]::new);

        // Trying all 12! permutations would not end.
        assertThat(devices(allocate(state(gpu(devices)), claim("c", requests)))).containsExactly("none");
    }

    @Test
    void tolerationsOfTheAllocatorCountButAreNotRecorded() {
        List<Slice> slices = gpu(tainted(device("a"), "fakegpu.dev/allocator"));
        var toleration = new DeviceToleration("fakegpu.dev/allocator", "Exists", "", "NoSchedule", null);
        var options = new AllocatorOptions(GroupsGate.ON, GroupPolicy.SNAPSHOT, List.of(toleration));
        List<Claim> claims = claimsFor(List.of("a"));

        Outcome outcome = new Allocator(AllocationContext.of(state(slices), SELECTORS, options)).allocate(NODE, claims);

        assertThat(devices(allocate(state(slices), GroupsGate.ON, GroupPolicy.SNAPSHOT, claims)))
                .containsExactly("none");
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Allocated.class,
                        allocated -> assertThat(allocated.allocations().get(0).results())
                                .containsExactly(new Allocation.Result("r", POOL.device("a"), List.of())));
    }

    @Test
    void tolerationsOfTheRequestAreRecordedUsedOrNot() {
        var toleration = new DeviceToleration("other", "Exists", "", "", 30L);
        var request = DeviceRequest.exactly("r", CLASS.name(), List.of(), 1, List.of(toleration));

        Outcome outcome = allocate(state(gpu(device("a"))), claim("c", request));

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Allocated.class,
                        allocated -> assertThat(allocated
                                        .allocations()
                                        .get(0)
                                        .results()
                                        .get(0)
                                        .tolerations())
                                .containsExactly(toleration));
    }

    @Test
    void recordedGroupsOutliveAChangeOfTheSlice() {
        List<Slice> slices = gpu(device("old", on("s", 10, "vgpu")), device("mig", on("s", 10, "mig")));
        var state = state(slices, held("old", new CompatibilityGroups(Map.of("s", List.of("mig")))));
        List<Claim> claims = claimsFor(List.of("mig"));

        assertThat(devices(allocate(state, GroupsGate.ON, GroupPolicy.SNAPSHOT, claims)))
                .containsExactly("mig");
        assertThat(devices(allocate(state, GroupsGate.ON, GroupPolicy.LIVE, claims)))
                .containsExactly("none");
    }

    @Test
    void recordedGroupsOutliveTheDevice() {
        List<Slice> slices = gpu(device("mig", on("s", 10, "mig")));
        var state = state(slices, held("gone", new CompatibilityGroups(Map.of("s", List.of("vgpu")))));
        List<Claim> claims = claimsFor(List.of("mig"));

        assertThat(devices(allocate(state, GroupsGate.ON, GroupPolicy.SNAPSHOT, claims)))
                .containsExactly("none");
        assertThat(devices(allocate(state, GroupsGate.ON, GroupPolicy.LIVE, claims)))
                .containsExactly("mig");
    }

    @Test
    void groupsOfTheSliceCountIfNoneAreRecorded() {
        List<Slice> slices = gpu(device("held", on("s", 10, "vgpu")), device("mig", on("s", 10, "mig")));

        Outcome outcome =
                allocate(state(slices, held("held")), GroupsGate.ON, GroupPolicy.SNAPSHOT, claimsFor(List.of("mig")));

        assertThat(devices(outcome)).containsExactly("none");
    }

    @Test
    void withTheGateOffRecordedGroupsBlockTheSetAlsoForDevicesWithoutGroups() {
        List<Slice> slices = pool(
                List.of(counters("s", 100), counters("t", 100)),
                device("plain", on("s", 10)),
                device("held-plain", on("s", 10)),
                device("elsewhere", on("t", 10)));
        var state =
                state(slices, held("held-plain"), held("gone", new CompatibilityGroups(Map.of("s", List.of("mig")))));

        assertThat(devices(allocate(state, GroupsGate.OFF, GroupPolicy.SNAPSHOT, claimsFor(List.of("plain")))))
                .containsExactly("none");
        assertThat(devices(allocate(state, GroupsGate.OFF, GroupPolicy.SNAPSHOT, claimsFor(List.of("elsewhere")))))
                .containsExactly("elsewhere");
        assertThat(devices(allocate(state, GroupsGate.UNAWARE, GroupPolicy.SNAPSHOT, claimsFor(List.of("plain")))))
                .containsExactly("plain");
    }

    @Test
    void anOverdrawnCounterBlocksAllConsumersOfThePool() {
        List<Slice> slices = pool(
                List.of(counters("s", 100), counters("t", 100)),
                device("too-much", on("t", 200)),
                device("consumer", on("s", 1)),
                device("free-rider"));
        var state = state(slices, held("too-much"));

        assertThat(devices(allocate(state, claim("c", request("r", ANY, 1))))).containsExactly("free-rider");
    }

    @Test
    void aSelectorFailsOnlyIfItsDeviceIsReached() {
        List<Slice> slices = gpu(device("a"), device("b"));
        String failsOnB = "device.attributes['gpu.example.com'].name == 'a' || device.attributes['x'].y";

        Outcome reachesA = allocate(state(slices), claim("c", request("r", failsOnB, 1)));
        Outcome reachesB = allocate(state(slices, held("a")), claim("c", request("r", failsOnB, 1)));
        Outcome bIsHeld = allocate(state(slices, held("a"), held("b")), claim("c", request("r", failsOnB, 1)));

        assertThat(devices(reachesA)).containsExactly("a");
        assertThat(bIsHeld).isEqualTo(new Outcome.None());
        assertThat(reachesB).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.scope()).isEqualTo(Outcome.Scope.FATAL);
            assertThat(failed.message())
                    .startsWith(
                            "claim default/c: selector #0 on device gpu.example.com/pool/b: CEL runtime error in selector ")
                    .contains(failsOnB);
        });
    }

    @Test
    void aNegativeCountIsAnErrorWhereUpstreamPanics() {
        assertThat(allocate(state(gpu()), claim("c", request("r", ANY, -1)))).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void configurationOfAClassComesOnceAndFirst() {
        var classConfig = new OpaqueConfig(List.of(), "gpu.example.com", RawJson.of("of the class"));
        var withConfig = new DeviceClass("configured", List.of(), List.of(classConfig));
        var claim = new Claim(
                ref("c"),
                List.of(
                        DeviceRequest.exactly("r0", "configured", List.of(), 1, List.of()),
                        request("r1", ANY, 1),
                        DeviceRequest.exactly("r2", "configured", List.of(), 1, List.of())),
                List.of(),
                List.of(
                        new OpaqueConfig(List.of("r1"), "gpu.example.com", RawJson.of("of r1")),
                        new OpaqueConfig(List.of("r0", "r1", "r2"), "gpu.example.com", RawJson.of("of all")),
                        new OpaqueConfig(List.of("no-such-request"), "gpu.example.com", RawJson.of("of nobody"))));
        var state = new ClusterState(
                gpu(device("a"), device("b"), device("c")), Map.of("gpu", CLASS, "configured", withConfig), List.of());

        assertThat(allocate(state, claim))
                .isInstanceOfSatisfying(
                        Outcome.Allocated.class,
                        allocated -> assertThat(allocated.allocations().get(0).configs())
                                .containsExactly(
                                        new Allocation.Config(
                                                Allocation.Source.FromClass,
                                                classConfig.forRequests(List.of("r0", "r2"))),
                                        new Allocation.Config(
                                                Allocation.Source.FromClaim,
                                                new OpaqueConfig(
                                                        List.of("r1"), "gpu.example.com", RawJson.of("of r1"))),
                                        new Allocation.Config(
                                                Allocation.Source.FromClaim,
                                                new OpaqueConfig(List.of(), "gpu.example.com", RawJson.of("of all")))));
    }

    @Test
    void nodeSelectorsOfDevicesAreMerged() {
        var zone = new NodeSelector.Requirement("zone", "In", List.of("a", "b"));
        var sameZone = new NodeSelector.Requirement("zone", "In", List.of("b", "a"));
        var rack = new NodeSelector.Requirement("rack", "Exists", List.of());
        List<Slice> slices = List.of(
                networkSlice("n0", matching(zone)),
                networkSlice("n1", matching(sameZone, rack)),
                networkSlice("n2", new NodeSelection.AllNodes()));
        var node = new NodeInfo("node-1", Map.of("zone", "a", "rack", "7"));
        var allocator = new Allocator(
                AllocationContext.of(state(slices), SELECTORS, Hardware.options(GroupsGate.ON, GroupPolicy.SNAPSHOT)));

        Outcome outcome = allocator.allocate(node, List.of(claim("c", request("r", ANY, 3)), claim("d")));

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Allocated.class, allocated -> {
            assertThat(allocated.allocations().get(0).nodeSelector())
                    .isEqualTo(new NodeSelector(List.of(new NodeSelector.Term(List.of(zone, rack), List.of()))));
            assertThat(allocated.allocations().get(1).nodeSelector()).isNull();
        });
        assertThat(allocator.allocate(NODE, List.of(claim("c", request("r", ANY, 3)))))
                .isEqualTo(new Outcome.None());
    }

    private static NodeSelection matching(NodeSelector.Requirement... requirements) {
        return new NodeSelection.Matching(
                new NodeSelector(List.of(new NodeSelector.Term(List.of(requirements), List.of()))));
    }

    private static Slice networkSlice(String name, NodeSelection nodes) {
        return new Slice(name, POOL, 1, 3, nodes, List.of(), List.of(device("device-of-" + name)));
    }
}
