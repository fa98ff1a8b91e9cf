package dev.fakegpu.dra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TaintRuleTest {

    private static final DeviceTaint OWN = new DeviceTaint("own", "", "NoSchedule");
    private static final Slice SLICE = new Slice(
            "slice",
            new PoolId("gpu.example.com", "node/a100"),
            1,
            1,
            new NodeSelection.AllNodes(),
            List.of(),
            List.of(device("gpu-0").withTaints(List.of(OWN)), device("gpu-1")));

    @Test
    void aRuleTaintsDevicesThatMatchItsWholeSelector() {
        assertThat(tainted(null, null, null))
                .containsExactly("gpu-0: own:NoSchedule r:NoExecute", "gpu-1: r:NoExecute");
        assertThat(tainted("gpu.example.com", "node/a100", "gpu-1"))
                .containsExactly("gpu-0: own:NoSchedule", "gpu-1: r:NoExecute");
        assertThat(tainted(null, null, "gpu-0")).containsExactly("gpu-0: own:NoSchedule r:NoExecute", "gpu-1:");
    }

    @Test
    void aRuleForOtherDevicesChangesNothing() {
        for (TaintRule other : List.of(
                rule("other.example.com", "node/a100", "gpu-1"),
                rule("gpu.example.com", "other/a100", null),
                rule(null, null, "gpu-2"))) {
            assertThat(TaintRule.apply(List.of(other), SLICE)).isSameAs(SLICE);
        }
    }

    private static List<String> tainted(@Nullable String driver, @Nullable String pool, @Nullable String device) {
        return TaintRule.apply(List.of(rule(driver, pool, device)), SLICE).devices().stream()
                .map(each -> each.taints().stream().map(taint -> " " + taint).reduce(each.name() + ":", String::concat))
                .toList();
    }

    private static TaintRule rule(@Nullable String driver, @Nullable String pool, @Nullable String device) {
        return new TaintRule(driver, pool, device, new DeviceTaint("r", "", "NoExecute").ofRule("rule"));
    }

    private static Device device(String name) {
        return new Device(name, Map.of(), Map.of(), List.of(), List.of());
    }
}
