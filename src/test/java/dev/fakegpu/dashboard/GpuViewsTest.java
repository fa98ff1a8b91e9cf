package dev.fakegpu.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dashboard.GpuView.Excluded;
import dev.fakegpu.dashboard.GpuView.HoldingView;
import dev.fakegpu.dashboard.GpuView.Mark;
import dev.fakegpu.dashboard.GpuView.MarkKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuViewsTest {

    @Test
    void idleHardwareExcludesNothing() {
        GpuView view = SmallHardware.mig().view();

        assertThat(view.mode()).isEqualTo("idle");
        assertThat(view.name()).isEqualTo("gpu-0");
        assertThat(view.devices()).isEqualTo(15);
        assertThat(view.excluded()).isEmpty();
        assertThat(view.room()).isEmpty();
    }

    @Test
    void devicesExcludedByGroupsAreListedWithTheRule() {
        GpuView view = SmallHardware.mig().held("mig-1-0").view();

        assertThat(view.mode()).isEqualTo("mig");
        Excluded whole = excluded(view, "gpu-full");
        assertThat(whole.devices()).isEqualTo(1);
        assertThat(whole.rule())
                .isEqualTo("they do not share a compatibility group with the group mig of team/mig-1-0;"
                        + " they also need more of the counters than is left");
        Excluded parts = excluded(view, "mig-2-0, mig-4-0");
        assertThat(parts.devices()).isEqualTo(2);
        assertThat(parts.rule()).startsWith("they need more of memory-slice-0");
    }

    @Test
    void manyKindsAreCountedAndKindsOfSeveralDevicesSayHowMany() {
        Excluded parts = excluded(SmallHardware.mig().held("mig-4-0").view(), "3 kinds");

        assertThat(parts.devices()).isEqualTo(7);
        assertThat(parts.kinds()).containsExactly("mig-1-* (4 devices)", "mig-2-* (2 devices)", "mig-4-1");
    }

    private static Excluded excluded(GpuView view, String title) {
        return view.excluded().stream()
                .filter(each -> each.title().equals(title))
                .findFirst()
                .orElseThrow(() -> new AssertionError(title + " is not among " + view.excluded()));
    }

    @Test
    void holdersHavePodsAndGroups() {
        HoldingView holding =
                SmallHardware.vgpu().held("vgpu-1").view().holdings().get(0);

        assertThat(holding.claim()).isEqualTo("team/vgpu-1");
        assertThat(holding.pods()).containsExactly("vgpu-1");
        assertThat(holding.groups()).containsExactly("vgpu-10c");
        assertThat(holding.since()).isEqualTo("2026-01-02T03:04:05Z");
    }

    @Test
    void showsHowMuchOfADeviceAHolderHas() {
        assertThat(SmallHardware.shared()
                        .shares("10Gi")
                        .view()
                        .holdings()
                        .get(0)
                        .share())
                .containsExactly("10Gi memory");
    }

    @Test
    void isWhereItsDevicesAre() {
        GpuView view = SmallHardware.staticMig("{1g.5gb: 1, 2g.10gb: 1}").view();

        assertThat(view.numaNode()).isEqualTo("0");
        assertThat(view.pcieRoot()).startsWith("pci");
        assertThat(SmallHardware.plain().view().numaNode()).isEmpty();
        assertThat(SmallHardware.plain().view().pcieRoot()).isEmpty();
    }

    @Test
    void showsTaintsAsMarks() {
        assertThat(SmallHardware.plain().tainted("example.com/gpu-lost").view().marks())
                .containsExactly(new Mark(MarkKind.UNHEALTHY, "gpu-lost:NoSchedule", 1));
        assertThat(SmallHardware.plain()
                        .tainted("fakegpu.dev/changes-pending")
                        .view()
                        .marks())
                .extracting(Mark::kind)
                .containsExactly(MarkKind.CHANGE);
        assertThat(SmallHardware.plain().tainted("fakegpu.dev/allocator").view().marks())
                .isEmpty();
    }

    @Test
    void faultsAreMarksOfTheWhole() {
        var origin = new GpuViews.Origin("a100", "Companion", List.of("\"slow\" (Prepare: Delay)"));

        assertThat(GpuViews.of(SmallHardware.plain().gpu(), origin).marks())
                .containsExactly(new Mark(MarkKind.FAULT, "\"slow\" (Prepare: Delay)", 0));
    }
}
