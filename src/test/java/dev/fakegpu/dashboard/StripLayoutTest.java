package dev.fakegpu.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dashboard.GpuView.Segment;
import dev.fakegpu.dashboard.GpuView.State;
import dev.fakegpu.dashboard.GpuView.Strip;
import java.util.List;
import org.junit.jupiter.api.Test;

class StripLayoutTest {

    /** The segments as {@code from-to state device}; segments below the first row have their row. */
    private static List<String> segments(Strip strip) {
        return strip.segments().stream().map(StripLayoutTest::text).toList();
    }

    private static String text(Segment segment) {
        String device = segment.device().isEmpty() ? "" : " " + segment.device();
        return (segment.lane() == 0 ? "" : "row " + segment.lane() + ": ") + segment.from() + "-" + segment.to() + " "
                + segment.state() + device;
    }

    @Test
    void migDevicesAreAtTheirMemorySlices() {
        Strip strip = SmallHardware.mig().held("mig-2-1").strip();

        assertThat(segments(strip)).containsExactly("0-2500 FREE", "2500-5000 HELD mig-2-1", "5000-10000 FREE");
        assertThat(strip.scale()).isEqualTo("8 memory slices");
        assertThat(strip.slots()).isEqualTo(8);
    }

    @Test
    void memoryThatNoDeviceCanUseIsBlocked() {
        // All seven engines are held, and one of eight memory slices is left.
        var hardware = SmallHardware.mig().held("mig-4-0", "mig-2-2", "mig-1-6");

        assertThat(segments(hardware.strip()))
                .containsExactly(
                        "0-5000 HELD mig-4-0",
                        "5000-7500 HELD mig-2-2",
                        "7500-8750 HELD mig-1-6",
                        "8750-10000 BLOCKED");
        assertThat(hardware.strip().segments().get(3).why()).isNotEmpty();
    }

    @Test
    void idleHardwareIsFree() {
        assertThat(segments(SmallHardware.mig().strip())).containsExactly("0-10000 FREE");
    }

    @Test
    void vgpusAreAtTheirSlots() {
        Strip strip = SmallHardware.vgpu().held("vgpu-2").strip();

        assertThat(segments(strip)).containsExactly("0-5000 FREE", "5000-7500 HELD vgpu-2", "7500-10000 FREE");
        assertThat(strip.scale()).isEqualTo("40Gi framebuffer");
        assertThat(strip.slots()).isEqualTo(4);
    }

    @Test
    void theWholeGpuHasTheWholeWidth() {
        assertThat(segments(SmallHardware.mig().held("gpu-0").strip())).containsExactly("0-10000 HELD gpu-0");
    }

    /** This happens with an allocator that ignores groups. */
    @Test
    void overlappingDevicesAreInSeparateRows() {
        Strip strip = SmallHardware.mig().held("mig-4-0", "gpu-0").strip();

        assertThat(strip.lanes()).isEqualTo(2);
        assertThat(segments(strip)).containsExactly("0-10000 HELD gpu-0", "row 1: 0-5000 HELD mig-4-0");
    }

    @Test
    void claimsDivideASharedDevice() {
        Strip strip = SmallHardware.shared().shares("20Gi", "10Gi").strip();

        assertThat(segments(strip)).containsExactly("0-5000 HELD gpu-0", "5000-7500 HELD gpu-0", "7500-10000 FREE");
        assertThat(strip.segments()).extracting(Segment::claim).containsExactly("team/share-0", "team/share-1", "");
        assertThat(strip.scale()).isEqualTo("40Gi memory");
    }

    /** The rest of the GPU is not free, although there is room on the shared device. */
    @Test
    void claimsDivideASharedPartAtItsPlace() {
        Strip strip = SmallHardware.sharedPart().shares("10Gi").strip();

        assertThat(segments(strip)).containsExactly("0-2500 HELD gpu-0", "2500-5000 FREE", "5000-10000 BLOCKED");
    }

    /** For example, the encoders of a GPU that has none. */
    @Test
    void aCapacityOfZeroLeavesRoomForShares() {
        Strip strip = SmallHardware.shared("encoders", "0").shares("20Gi").strip();

        assertThat(segments(strip)).containsExactly("0-5000 HELD gpu-0", "5000-10000 FREE");
    }

    @Test
    void aDeviceWithoutCountersIsAllOrNothing() {
        assertThat(segments(SmallHardware.plain().strip())).containsExactly("0-10000 FREE");
        assertThat(segments(SmallHardware.plain().held("gpu-0").strip())).containsExactly("0-10000 HELD gpu-0");
        assertThat(SmallHardware.plain().strip().scale()).isEqualTo("the whole device");
    }

    @Test
    void staticMigDevicesAreAtTheirMemorySlices() {
        var hardware = SmallHardware.staticMig("{1g.5gb: 1, 2g.10gb: 1, 3g.20gb: 1}");

        assertThat(segments(hardware.strip())).containsExactly("0-3750 FREE", "3750-5000 BLOCKED", "5000-10000 FREE");
        Strip strip =
                hardware.held("gpu-0-mig-3g20gb-9-4", "gpu-0-mig-2g10gb-14-0").strip();
        assertThat(segments(strip))
                .containsExactly(
                        "0-2500 HELD gpu-0-mig-2g10gb-14-0",
                        "2500-3750 FREE",
                        "3750-5000 BLOCKED",
                        "5000-10000 HELD gpu-0-mig-3g20gb-9-4");
        assertThat(strip.lanes()).isEqualTo(1);
        assertThat(strip.scale()).isEqualTo("8 memory slices");
        assertThat(strip.slots()).isEqualTo(8);
    }

    @Test
    void aDeviceOfTwoCounterSetsIsOnBoth() {
        Strip strip = SmallHardware.bridge().held("both").strip();

        assertThat(segments(strip))
                .containsExactly("0-2500 HELD both", "2500-5000 BLOCKED", "5000-7500 HELD both", "7500-10000 BLOCKED");
        assertThat(strip.scale()).isEqualTo("2 × 64Gi memory");
    }

    @Test
    void segmentsOfARowNeverOverlapAndFillTheFirst() {
        for (var hardware : List.of(
                SmallHardware.mig().held("mig-1-0", "mig-1-3"),
                SmallHardware.vgpu().held("vgpu-0", "vgpu-3"),
                SmallHardware.bridge().held("small-0"))) {
            int at = 0;
            for (Segment segment : hardware.strip().segments()) {
                assertThat(segment.from()).isEqualTo(at);
                at = segment.to();
            }
            assertThat(at).isEqualTo(StripLayout.WIDTH);
        }
    }

    @Test
    void aTaintedGpuIsBlocked() {
        assertThat(SmallHardware.plain().tainted("gpu-lost").strip().segments())
                .extracting(Segment::state)
                .containsExactly(State.BLOCKED);
    }
}
