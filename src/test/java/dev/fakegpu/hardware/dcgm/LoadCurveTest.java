package dev.fakegpu.hardware.dcgm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.api.LoadSpec.Mode;
import dev.fakegpu.api.LoadSpec.Point;
import dev.fakegpu.hardware.dcgm.LoadCurve.Load;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadCurveTest {

    private static final LoadSpec CURVE =
            new LoadSpec(Mode.Curve, null, null, List.of(new Point(0, 10), new Point(60, 90), new Point(100, 10)));

    @Test
    void byDefaultDevicesOfRunningPodsAreBusy() {
        assertThat(LoadCurve.at(Instant.EPOCH, LoadSpec.DEFAULT, true)).isEqualTo(new Load(1, 1));
        assertThat(LoadCurve.at(Instant.EPOCH, LoadSpec.DEFAULT, false)).isEqualTo(new Load(0, 0));
    }

    @Test
    void constantLoadDoesNotDependOnPods() {
        var constant = new LoadSpec(Mode.Constant, 40, 25, List.of());

        assertThat(LoadCurve.at(Instant.EPOCH, constant, false)).isEqualTo(new Load(0.4, 0.25));
    }

    @Test
    void curveWithoutAscendingTimesIsNoLoad() {
        var rejected = new LoadSpec(Mode.Curve, null, null, List.of(new Point(0, 90), new Point(0, 90)));

        assertThat(LoadCurve.at(Instant.EPOCH, rejected, true)).isEqualTo(Load.IDLE);
    }

    @ParameterizedTest
    @CsvSource({"0, 0.1", "30, 0.5", "60, 0.9", "80, 0.5", "100, 0.1", "130, 0.5", "-70, 0.5"})
    void curveIsLinearBetweenItsPointsAndRepeats(long second, double utilization) {
        assertThat(LoadCurve.at(Instant.ofEpochSecond(second), CURVE, false).utilization())
                .isEqualTo(utilization);
    }
}
