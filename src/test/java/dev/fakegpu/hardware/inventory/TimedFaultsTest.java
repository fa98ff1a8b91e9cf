package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.hardware.inventory.TimedFaults.PreparedOn;
import dev.fakegpu.hardware.inventory.TimedFaults.State;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimedFaultsTest {

    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final PreparedOn GPU_0 = new PreparedOn("node-1", "gpu-0", Map.of("tier", "gold"), NOON);
    private static final PreparedOn GPU_1 = new PreparedOn("node-2", "gpu-1", Map.of(), NOON.plusSeconds(30));

    @Test
    void takesEffectAtOnceUnlessATimeIsGiven() {
        var result = at(0, "{name: sick, effect: Health, health: {state: XidError, xid: 79}}");

        assertThat(result.next()).isEmpty();
        assertThat(result.states()).extracting(State::hasTakenEffect).containsExactly(true);
        assertThat(taints(result, "node-1")).containsExactly("gpu-0 xid=79", "gpu-1 xid=79");
    }

    @Test
    void takesEffectSomeTimeAfterItWasApplied() {
        String fault = "{name: sick, effect: Health, health: {state: GpuLost}, after: 2m, devices: {gpus: [1]}}";

        var before = at(119, fault);
        assertThat(before.next()).hasValue(NOON.plusSeconds(120));
        assertThat(before.states()).extracting(State::hasTakenEffect).containsExactly(false);
        assertThat(taints(before, "node-1")).isEmpty();

        var after = at(120, fault);
        assertThat(after.next()).isEmpty();
        assertThat(taints(after, "node-1")).containsExactly("gpu-1 gpu-lost=");
    }

    @Test
    void takesEffectAtATime() {
        String fault =
                "{name: then, effect: Taint, taint: {key: k, value: v, effect: NoExecute}, at: '2026-01-31T13:01:00+01:00'}";

        assertThat(at(59, fault).next()).hasValue(NOON.plusSeconds(60));
        assertThat(taints(at(60, fault), "node-1")).containsExactly("gpu-0 k=v", "gpu-1 k=v");
    }

    @Test
    void endsAfterItsTime() {
        String fault = "{name: sick, effect: Health, health: {state: GpuLost}, after: 1m, for: 30s}";

        assertThat(at(60, fault).next()).hasValue(NOON.plusSeconds(90));
        assertThat(taints(at(89, fault), "node-1")).isNotEmpty();
        var over = at(90, fault);
        assertThat(taints(over, "node-1")).isEmpty();
        assertThat(over.next()).isEmpty();
        assertThat(over.states()).extracting(State::hasTakenEffect).containsExactly(true);
    }

    @Test
    void endsForEachDeviceAfterItsOwnPreparation() {
        String fault =
                "{name: worn, effect: Health, health: {state: Unmonitored}, since: Prepared, after: 10s, for: 30s}";

        var result = prepared(40, fault, GPU_0, GPU_1);

        assertThat(taints(result, "node-1")).isEmpty();
        assertThat(taints(result, "node-2")).containsExactly("gpu-1 unmonitored=");
        assertThat(result.next()).hasValue(NOON.plusSeconds(70));
    }

    @Test
    void theEarliestFutureFaultIsNext() {
        assertThat(at(
                                10,
                                "{name: a, effect: Health, health: {state: GpuLost}, after: 1h}",
                                "{name: b, effect: Health, health: {state: GpuLost}, after: 20s}",
                                "{name: c, effect: Health, health: {state: GpuLost}, after: 5s}")
                        .next())
                .hasValue(NOON.plusSeconds(20));
    }

    @Test
    void devicesFailEachAfterTheirOwnPreparation() {
        String fault = "{name: worn, effect: Health, health: {state: Unmonitored}, since: Prepared, after: 60s}";

        var result = prepared(60, fault, GPU_0, GPU_1);

        assertThat(result.next()).hasValue(NOON.plusSeconds(90));
        assertThat(result.states())
                .containsExactly(new State(
                        result.states().get(0).fault(),
                        true,
                        List.of("node-1/gpu-0"),
                        Optional.empty(),
                        Optional.empty()));
        assertThat(taints(result, "node-1")).containsExactly("gpu-0 unmonitored=");
        assertThat(taints(result, "node-2")).isEmpty();
        assertThat(taints(prepared(90, fault, GPU_0, GPU_1), "node-2")).containsExactly("gpu-1 unmonitored=");
        assertThat(taints(prepared(90, fault), "node-2")).isEmpty();
    }

    @Test
    void onlySelectedDevicesOfSelectedClaimsFail() {
        String ofGpu1 =
                "{name: worn, effect: Health, health: {state: Unmonitored}, since: Prepared, devices: {gpus: [1]}}";
        assertThat(prepared(90, ofGpu1, GPU_0, GPU_1).states())
                .extracting(State::devices)
                .containsExactly(List.of("node-2/gpu-1"));

        String ofGold =
                "{name: worn, effect: Health, health: {state: Unmonitored}, since: Prepared, claims: {matchLabels: {tier: gold}}}";
        assertThat(prepared(90, ofGold, GPU_0, GPU_1).states())
                .extracting(State::devices)
                .containsExactly(List.of("node-1/gpu-0"));
    }

    @Test
    void faultsOfCallsAreIgnored() {
        assertThat(at(0, "{name: flaky}", "{name: swap, effect: WrongDevice}").states())
                .isEmpty();
    }

    private static TimedFaults.Result at(int seconds, String... faults) {
        return prepared(seconds, String.join(", ", faults));
    }

    private static TimedFaults.Result prepared(int seconds, String faults, PreparedOn... prepared) {
        var spec = Specs.spec(
                "{model: A100-SXM4-40GB, count: 2, nodes: {names: [node-1, node-2]}, faults: [" + faults + "]}");
        assertThat(Specs.PLANNER.check(spec, "sample")).isEmpty();
        Map<String, Instant> applied = Map.of("sick", NOON, "then", NOON, "a", NOON, "b", NOON, "c", NOON);
        return Specs.PLANNER.withTimedFaults(
                spec, "sample", NOON.plusSeconds(seconds), applied, Arrays.asList(prepared));
    }

    private static List<String> taints(TimedFaults.Result result, String node) {
        return Specs.PLANNER.plan(result.spec(), "sample", node).devices().stream()
                .flatMap(device -> device.taints().stream().map(taint -> described(device, taint)))
                .toList();
    }

    private static String described(Device device, DeviceTaint taint) {
        return device.name() + " " + taint.key().replace("gpu.example.com/", "") + "=" + taint.value();
    }
}
