package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fakegpu.dashboard.Comparison;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import dev.fakegpu.dashboard.GpuView;
import dev.fakegpu.dashboard.GpuView.HoldingView;
import java.util.List;
import org.junit.jupiter.api.Test;

class GateComparisonTest {

    private static GpuView gpu(Dashboard picture) {
        return picture.nodes().get(0).gpus().get(0);
    }

    @Test
    void withTheGateADeviceIsRefusedAndWithoutItsPreparationFails() {
        Comparison comparison = GateComparison.get();

        assertThat(comparison.worlds()).containsExactly("Feature gate on", "Feature gate off");
        assertThat(comparison.steps()).hasSize(4);
        List<Dashboard> both = comparison.steps().get(2).pictures();
        assertThat(both.get(0).waiting()).extracting(WaitingView::code).containsExactly("DevicesIncompatible");
        assertThat(gpu(both.get(0)).mode()).isEqualTo("mig");
        assertThat(gpu(both.get(0)).holdings()).hasSize(1);
        assertThat(both.get(1).waiting()).isEmpty();
        assertThat(gpu(both.get(1)).holdings())
                .extracting(HoldingView::prepared)
                .containsExactlyInAnyOrder("succeeded", "failed");
        List<Dashboard> after = comparison.steps().get(3).pictures();
        assertThat(after).allSatisfy(picture -> {
            assertThat(gpu(picture).holdings())
                    .extracting(HoldingView::claim, HoldingView::prepared)
                    .containsExactly(tuple("default/desktop", "succeeded"));
            assertThat(picture.waiting()).isEmpty();
        });
    }
}
