package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.cluster.fit.OtherNodes;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.kube.events.EventReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests two FakeGpus, {@code a} of kube-scheduler and {@code b} of the companion, and another driver. */
class PendingReasonsTest {

    private static final NodeInfo NODE = new NodeInfo("node", Map.of());
    private static final DeviceSource A = new DeviceSource("a", AllocatorName.KubeScheduler);
    private static final DeviceSource B = new DeviceSource("b", AllocatorName.Companion);
    private static final NameScope READER = ClaimNaming.OwnNamespace.forReaderIn("default");
    private static final ClaimRef HOLDER = new ClaimRef("default", "holder", "holder-uid");

    private final Map<Optional<DeviceSource>, List<Slice>> samples = new LinkedHashMap<>();
    private final List<AllocatedDevice> held = new ArrayList<>();
    private final List<String> fakeGpuProblems = new ArrayList<>();
    private boolean isGateKnown;

    @Test
    void theWordingIsThatOfDevicesAndNotOfOtherNodes() {
        offer(Optional.of(A), "gpu.a", "L4");
        held.add(new AllocatedDevice(id("gpu.a"), HOLDER, null, null));
        EventText text = reasons()
                .ofKubeScheduler(
                        claim(request("gpu.a", "L4")),
                        List.of(NODE),
                        READER,
                        sentence -> sentence + "; a hint",
                        (here, serves) -> new OtherNodes("", "; 1 node", "; 1 node"),
                        true)
                .orElseThrow();

        assertThat(text.full()).endsWith("; a hint; 1 node");
    }

    @Test
    void heldDevicesAreReported() {
        offer(Optional.of(A), "gpu.a", "L4");
        held.add(new AllocatedDevice(id("gpu.a"), HOLDER, null, null));
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("gpu.a", "L4")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true))
                .hasValue(new EventText(
                        EventReason.DevicesUnavailable,
                        "DevicesInUse",
                        ScopedText.of("no device for request \"gpu\": dev-0 is held by holder; release claim holder"),
                        true));
    }

    @Test
    void claimsOfOtherNamespacesAreReportedWithoutNames() {
        offer(Optional.of(A), "gpu.a", "L4");
        held.add(new AllocatedDevice(id("gpu.a"), HOLDER, null, null));
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("gpu.a", "L4")),
                                List.of(NODE),
                                ClaimNaming.OwnNamespace.forReaderIn("tenant"),
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true)
                        .map(EventText::text))
                .hasValue(
                        new ScopedText(
                                "no device for request \"gpu\": dev-0 is held by a claim of another namespace (uid holder-uid);"
                                        + " it would fit if that were released",
                                "no device for request \"gpu\": dev-0 is held by default/holder; release claim default/holder"));
    }

    @Test
    void requestsForOtherDriversGetNoExplanation() {
        offer(Optional.of(A), "gpu.a", "L4");
        offer(Optional.empty(), "nic", "fast");
        held.add(new AllocatedDevice(id("nic"), HOLDER, null, null));
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("nic", "fast")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true))
                .isEmpty();
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("unknown", "fast")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true))
                .isEmpty();
    }

    @Test
    void requestsForSeveralDriversGetAFullExplanation() {
        offer(Optional.of(A), "gpu.a", "L4");
        offer(Optional.empty(), "nic", "fast");
        held.add(new AllocatedDevice(id("nic"), HOLDER, null, null));
        var both = List.of(new Claim(
                new ClaimRef("default", "claim", "uid"),
                List.of(request("gpu.a", "L4"), DeviceRequest.exactly("nic", "nic", List.of(), 1, List.of())),
                List.of(),
                List.of()));
        assertThat(reasons()
                        .ofKubeScheduler(
                                both,
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true)
                        .orElseThrow()
                        .sentence())
                .startsWith("no device for request \"nic\": dev-0 is held by holder");
    }

    @Test
    void withoutAFittingNodeThereIsNoExplanation() {
        offer(Optional.of(A), "gpu.a", "L4");
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("gpu.a", "H100")),
                                List.of(),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true))
                .isEmpty();
    }

    /** The class may be wrong, and kube-scheduler does not report this. */
    @Test
    void aClassThatSelectsNothingIsReported() {
        offer(Optional.of(A), "gpu.a", "L4");
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("nic", "fast")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true)
                        .orElseThrow()
                        .sentence())
                .isEqualTo("never fits on node: no device is of class \"nic\" (request \"gpu\")");
    }

    @Test
    void withoutFakeGpusThereAreNoExplanations() {
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("nic", "fast")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true))
                .isEmpty();
    }

    /** The problems may be unrelated to the pod. */
    @Test
    void aLongListOfProblemsIsTruncated() {
        fakeGpuProblems.add("FakeGpu \"s09\" is refused: no such profile; " + "nor this; ".repeat(100));
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("gpu.a", "L4")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true)
                        .orElseThrow()
                        .sentence())
                .contains("; FakeGpu \"s09\" is refused: no such profile; nor this")
                .hasSizeLessThan(400);
    }

    @Test
    void aFakeGpuThatIsRefusedIsNamedWhereDevicesAreLacking() {
        fakeGpuProblems.add("FakeGpu \"s09\" is refused: no such profile");
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("gpu.a", "L4")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true)
                        .orElseThrow()
                        .sentence())
                .isEqualTo("there are no devices to allocate (request \"gpu\"); FakeGpu \"s09\" is refused: no such"
                        + " profile");
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("unknown", "L4")),
                                List.of(),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true)
                        .orElseThrow()
                        .sentence())
                .isEqualTo("no node fits the pod, and no device is published for it; FakeGpu \"s09\" is refused: no"
                        + " such profile");

        // But not if the devices are only held
        offer(Optional.of(A), "gpu.a", "L4");
        held.add(new AllocatedDevice(id("gpu.a"), HOLDER, null, null));
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("gpu.a", "L4")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true)
                        .orElseThrow()
                        .sentence())
                .contains("dev-0 is held by holder")
                .doesNotContain("s09");
    }

    @Test
    void disabledGateIsSuspectedIfDevicesAreFree() {
        offer(Optional.of(A), "gpu.a", "L4");
        samples.replaceAll((source, slices) ->
                slices.stream().flatMap(PendingReasonsTest::withGroups).toList());
        assertThat(ofKubeScheduler("gpu.a")).isEqualTo(EventReason.GroupsIgnored);
        isGateKnown = true;
        assertThat(ofKubeScheduler("gpu.a")).isEqualTo(EventReason.NotRetried);
    }

    @Test
    void retryIsExplainedIfDevicesWithoutGroupsAreFree() {
        offer(Optional.of(A), "gpu.a", "L4");
        assertThat(ofKubeScheduler("gpu.a")).isEqualTo(EventReason.NotRetried);
    }

    private EventReason ofKubeScheduler(String driver) {
        return reasons()
                .ofKubeScheduler(
                        claim(request(driver, "L4")),
                        List.of(NODE),
                        READER,
                        UnaryOperator.identity(),
                        (here, serves) -> OtherNodes.NONE,
                        true)
                .orElseThrow()
                .reason();
    }

    @Test
    void anUnknownSchedulerIsNamedToPodsThatWantDevicesOfFakeGpus() {
        offer(Optional.of(A), "gpu.a", "L4");
        offer(Optional.empty(), "nic", "fast");
        assertThat(reasons()
                        .ofUnattended(claim(request("gpu.a", "L4")), "fakegpu-schedular")
                        .orElseThrow())
                .isEqualTo(new EventText(
                        EventReason.NoScheduler,
                        ScopedText.of(
                                "no scheduler has tried to schedule the pod: its schedulerName is \"fakegpu-schedular\","
                                        + " the companion's is \"fakegpu-scheduler\", and kube-scheduler's usually"
                                        + " \"default-scheduler\"")));
        assertThat(reasons().ofUnattended(claim(request("gpu.a", "L4")), "default-scheduler"))
                .isEmpty();
        assertThat(reasons().ofUnattended(claim(request("nic", "fast")), "volcano"))
                .isEmpty();
    }

    @Test
    void devicesThatOnlyTheOtherAllocatorHasAreReported() {
        offer(Optional.of(A), "gpu.a", "L4");
        offer(Optional.of(B), "gpu.b", "L4");
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("gpu.b", "L4")),
                                List.of(),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true))
                .hasValueSatisfying(text -> {
                    assertThat(text.reason()).isEqualTo(EventReason.WrongAllocator);
                    assertThat(text.sentence()).startsWith("devices of FakeGpu \"b\" are allocated by the companion");
                });
        assertThat(reasons()
                        .ofCompanion(claim(request("gpu.a", "L4")))
                        .orElseThrow()
                        .sentence())
                .startsWith("devices of FakeGpu \"a\" are allocated by kube-scheduler");
        assertThat(reasons().ofCompanion(claim(request("gpu.b", "L4")))).isEmpty();
        assertThat(reasons().ofCompanion(claim(request("gpu.b", "H100")))).isEmpty();
    }

    @Test
    void devicesOfOtherDriversAreNotTheCompanions() {
        offer(Optional.empty(), "nic", "fast");
        offer(Optional.of(B), "gpu.b", "L4");

        assertThat(reasons()
                        .ofCompanion(claim(request("nic", "fast")))
                        .orElseThrow()
                        .sentence())
                .isEqualTo(
                        "the devices of class \"nic\" belong to no FakeGpu, and the companion does not allocate those of"
                                + " other drivers: remove schedulerName from the pod");
        assertThat(reasons().ofCompanion(claim(request("nic", "slow")))).isEmpty();
    }

    @Test
    void anAlternativeOfTheRightAllocatorIsEnough() {
        offer(Optional.of(A), "gpu.a", "L4");
        offer(Optional.of(B), "gpu.b", "L4");
        List<ExactRequest> alternatives = Stream.of("gpu.a", "gpu.b")
                .flatMap(driver -> request(driver, "L4").options())
                .toList();
        var either = new DeviceRequest("gpu", null, alternatives);
        assertThat(reasons().companionAllocates(claim(either))).isEmpty();
        assertThat(reasons().ofCompanion(claim(either))).isEmpty();
    }

    @Test
    void podsThatTolerateTheCompanionsTaintGetNoExplanation() {
        offer(Optional.of(B), "gpu.b", "L4");
        var tolerant = DeviceRequest.exactly(
                "gpu", "gpu.b", List.of(), 1, List.of(new DeviceToleration("", "Exists", "", "", null)));
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(tolerant),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true))
                .isEmpty();
    }

    @Test
    void labelIsSuggestedForAnUnusedClaimOfTheCompanion() {
        offer(Optional.of(A), "gpu.a", "L4");
        offer(Optional.of(B), "gpu.b", "L4");
        Claim ofCompanion = claim(request("gpu.b", "L4")).get(0);
        Claim ofKubeScheduler = claim(request("gpu.a", "L4")).get(0);
        assertThat(reasons().ofUnusedClaim(ofCompanion).orElseThrow().reason())
                .isEqualTo(EventReason.WaitForFirstConsumer);
        assertThat(reasons().ofLabelledClaim(ofCompanion)).isEmpty();
        assertThat(reasons().ofUnusedClaim(ofKubeScheduler)).isEmpty();
        assertThat(reasons().ofLabelledClaim(ofKubeScheduler).orElseThrow().reason())
                .isEqualTo(EventReason.WrongAllocator);
    }

    /** A valid selector may take seconds for each device. */
    @Test
    void aSlowSelectorEndsAtTheLimit() {
        offer(Optional.of(A), "gpu.a", "L4");
        offer(Optional.of(B), "gpu.b", "L4");
        var reached = SearchLimit.cancelledBy(() -> true);
        Claim ofCompanion = claim(request("gpu.b", "L4")).get(0);
        assertThatThrownBy(() -> reasons().within(reached).ofUnusedClaim(ofCompanion))
                .isInstanceOf(EvaluationInterrupted.class);
        assertThatThrownBy(() -> reasons().within(reached).ofCompanion(claim(request("gpu.a", "L4"))))
                .isInstanceOf(EvaluationInterrupted.class);
    }

    @Test
    void anExplanationThatTakesTooLongSaysSo() {
        offer(Optional.of(A), "gpu.a", "L4");
        held.add(new AllocatedDevice(id("gpu.a"), HOLDER, null, null));
        var asked = new AtomicInteger();
        // The limit is reached while the holders of the devices are determined.
        var limit = SearchLimit.cancelledBy(() -> asked.incrementAndGet() > 3);
        assertThat(reasons()
                        .within(limit)
                        .ofKubeScheduler(
                                claim(request("gpu.a", "H100")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true)
                        .orElseThrow()
                        .sentence())
                .contains("takes too long");
    }

    @Test
    void theTaintOfARuleIsReportedAndTheLogNamesTheRule() {
        offer(Optional.of(A), "gpu.a", "L4");
        samples.replaceAll((source, slices) -> slices.stream()
                .map(slice -> slice.mapDevices(device ->
                        device.withTaints(List.of(new DeviceTaint("broken", "", "NoExecute").ofRule("drain")))))
                .toList());
        assertThat(reasons()
                        .ofKubeScheduler(
                                claim(request("gpu.a", "L4")),
                                List.of(NODE),
                                READER,
                                UnaryOperator.identity(),
                                (here, serves) -> OtherNodes.NONE,
                                true)
                        .map(EventText::text))
                .hasValue(new ScopedText(
                        "no device for request \"gpu\": dev-0 has the taint broken:NoExecute of a DeviceTaintRule;"
                                + " it would fit if the request tolerated it",
                        "no device for request \"gpu\": dev-0 has the taint broken:NoExecute of DeviceTaintRule"
                                + " \"drain\"; it would fit if the request tolerated it"));
    }

    private static Stream<Slice> withGroups(Slice slice) {
        Map<String, Quantity> one = Map.of("slices", Quantity.of(1));
        var consumption = new CounterConsumption("set", one, List.of("group"));
        return Stream.of(
                slice.withPool(1, 2).mapDevices(device -> device.withConsumesCounters(List.of(consumption))),
                new Slice("sets", slice.pool(), 1, 2, slice.nodes(), List.of(new CounterSet("set", one)), List.of()));
    }

    private PendingReasons reasons() {
        var options = new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of());
        List<Slice> ofKubeScheduler = samples.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(Optional.of(B)))
                .flatMap(entry -> entry.getValue().stream())
                .toList();
        Map<String, DeviceClass> classes = new LinkedHashMap<>();
        Stream.of("gpu.a", "gpu.b", "nic")
                .forEach(driver -> classes.put(
                        driver, new DeviceClass(driver, List.of("device.driver == '" + driver + "'"), List.of())));
        return new PendingReasons(
                new PendingReasons.State(
                        samples,
                        new SliceIndex(ofKubeScheduler, options),
                        classes,
                        new AllocatedDevices(held, GroupPolicy.LIVE),
                        options,
                        fakeGpuProblems,
                        PendingChanges.NONE,
                        OtherDevices.NONE,
                        isGateKnown),
                new Selectors());
    }

    private void offer(Optional<DeviceSource> source, String driver, String type) {
        var device = new Device("dev-0", Map.of("type", AttributeValue.of(type)), Map.of(), List.of(), List.of());
        samples.put(
                source,
                List.of(new Slice(
                        driver,
                        id(driver).poolId(),
                        1,
                        1,
                        new NodeSelection.NodeName("node"),
                        List.of(),
                        List.of(device))));
    }

    private static DeviceId id(String driver) {
        return new DeviceId(driver, "pool", "dev-0");
    }

    private static List<Claim> claim(DeviceRequest request) {
        return List.of(new Claim(new ClaimRef("default", "claim", "uid"), List.of(request), List.of(), List.of()));
    }

    private static DeviceRequest request(String driver, String type) {
        return DeviceRequest.exactly(
                "gpu", driver, List.of("device.attributes['%s'].type == '%s'".formatted(driver, type)), 1, List.of());
    }
}
