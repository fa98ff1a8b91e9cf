package dev.fakegpu.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.fakegpu.evidence.Check.Topic;
import dev.fakegpu.evidence.SchedulerCost.Setting;
import dev.fakegpu.evidence.SchedulerCost.Turn;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the reports of made-up observations. {@code -Dgolden.update=true} rewrites the files and fails, because they need a review. */
class EvidenceReportTest {

    @ParameterizedTest
    @ValueSource(strings = {"kep-5963.md", "kep-5963-cost.svg", "kep-5677.md", "kep-5075.md", "kep-5963-failed.md"})
    void reportIsAsExpected(String name) throws IOException {
        Path file = ProjectFiles.resolve("src/test/resources/golden/evidence").resolve(name);
        String lines = String.join("\n", report(name)) + "\n";
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, lines);
            fail(file + " is written anew; review it and run again without golden.update");
        }
        assertThat(lines).isEqualTo(Files.readString(file));
    }

    private static List<String> report(String name) {
        return switch (name) {
            case "kep-5963.md" -> Kep5963Report.lines(evidence(), "cost.svg");
            case "kep-5963-cost.svg" -> CostChart.svg(turns());
            case "kep-5963-failed.md" -> Kep5963Report.lines(failed(), "cost.svg");
            case "kep-5075.md" -> Kep5075Report.lines(shares());
            default -> Kep5677Report.lines(poolStatus());
        };
    }

    @Test
    void differenceIsFoundByComparing() {
        assertThat(check("a", "waits", "waits").agrees()).isTrue();
        assertThat(check("a", "waits", "allocated").agrees()).isFalse();
        assertThat(Kep5963Report.lines(evidence(), "cost.svg"))
                .contains("### snapshot-added")
                .doesNotContain("### on-refused");
    }

    private static Evidence evidence() {
        return new Evidence(
                setup(),
                List.of(
                        check("on-refused", "mig allocated, vgpu waits", "mig allocated, vgpu waits"),
                        new Check(
                                "snapshot-added",
                                Topic.SNAPSHOT,
                                "Test Plan",
                                "The snapshot counts.",
                                "second waits",
                                "second allocated",
                                "# feature: on\n---\nkind: ResourceSlice\n")),
                SkewCell.ofKubeScheduler(List.of(
                        "v1.37.1, gate on|kube-scheduler, gate on|yes|runs|waits|Full feature|Full feature|same|-",
                        "before 1.37|any|-|-|-|not run|Pre-KEP|-|-")),
                List.of(
                        new ArrivalOrder(
                                "Example 4", List.of("foo", "baz"), List.of(true, false), List.of(true, false)),
                        new ArrivalOrder(
                                "Example 4", List.of("baz", "foo"), List.of(true, false), List.of(true, true))),
                Optional.of(new Evidence.Slices(
                        List.of(new SliceLimit("groups of one entry", 2, "Too many: 3: must have at most 2 items")),
                        List.of(
                                new LargestSlices.Name("MIG", "Invalid value: " + "long ".repeat(60)),
                                new LargestSlices.Name("g-1", "")),
                        new LargestSlices.Weight(64, 2, 32, 2, 63, 1000, 900))),
                Optional.of(new Evidence.Cost(1000, turns())),
                List.of());
    }

    private static Evidence failed() {
        return new Evidence(
                setup(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of("cost: no\nanswer"));
    }

    private static Evidence poolStatus() {
        return new Evidence(
                setup(),
                List.of(
                        poolStatus("status-example", "Full 0, Half 1", "Full 0, Half 1"),
                        poolStatus("status-groups", "vgpu 0, mig 1", "vgpu 1, mig 1")),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    private static Evidence shares() {
        return new Evidence(
                setup(),
                List.of(
                        share("share-held", "allocated, consumes 5G", "allocated, consumes 5G"),
                        share("off-slices", "dropped, dropped", "dropped, kept")),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    private static Evidence.Setup setup() {
        return new Evidence.Setup(List.of("kube-apiserver v1.37.1", "etcd v3.7.0"), "2 processors, Linux 6.1, amd64");
    }

    private static Check check(String id, String expected, String observed) {
        return new Check(id, Topic.ON, "Scheduler Changes", "A | B.", expected, observed, "# feature: on\n");
    }

    private static Check poolStatus(String id, String allocated, String said) {
        return new Check(id, Topic.POOL_STATUS, "Status Fields", "One GPU.", allocated, said, "kind: ResourceSlice\n");
    }

    private static Check share(String id, String expected, String observed) {
        return new Check(id, Topic.SHARES, "PRR", "A device of 10G.", expected, observed, "kind: ResourceSlice\n");
    }

    private static List<Turn> turns() {
        return List.of(
                turn(SchedulerCost.OFF, 100, 10),
                turn(SchedulerCost.ON, 110, 11),
                turn(SchedulerCost.GROUPS, 120, 12),
                turn(SchedulerCost.GROUPS, 132, 12),
                turn(SchedulerCost.ON, 110, 11),
                turn(SchedulerCost.OFF, 100, 10));
    }

    private static Turn turn(Setting setting, int processor, int filter) {
        return new Turn(
                setting,
                10,
                Duration.ofMillis(10L * processor),
                Duration.ofMillis(filter),
                Duration.ofNanos(1000L * filter),
                5.5,
                processor << 20,
                Duration.ofMillis(20L * filter),
                3 * processor << 20);
    }
}
