package dev.fakegpu.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvidencePartsTest {

    @Test
    void ordersOfEqualElementsAreListedOnce() {
        assertThat(Orders.of("a", "b", "a"))
                .containsExactly(List.of("a", "b", "a"), List.of("a", "a", "b"), List.of("b", "a", "a"));
        assertThat(Orders.of("a", "b", "c")).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    void limitIsTriedOnBothSides() {
        var tried = new ArrayList<Integer>();
        SliceLimit limit = SliceLimit.find("things", 1000, n -> {
            tried.add(n);
            return n > 13 ? "too many: " + n : "";
        });

        assertThat(limit).isEqualTo(new SliceLimit("things", 13, "too many: 14"));
        assertThat(tried).contains(13, 14);
        assertThatThrownBy(() -> SliceLimit.find("things", 100, n -> "")).hasMessageContaining("no limit of things");
    }

    @Test
    void reasonOfTheNodeWithDevicesIsLeft() {
        assertThat(GroupChecks.reasonOfNode(
                        "0/7 nodes are available: 1 cannot allocate all claims, 6 node(s) didn't match Pod's node affinity/selector."
                                + " preemption: 0/7 nodes are available: 7 Preemption is not helpful for scheduling."))
                .isEqualTo("cannot allocate all claims");
        assertThat(GroupChecks.reasonOfNode("0/1 nodes are available: 1 cannot allocate all claims."))
                .isEqualTo("cannot allocate all claims");
    }

    @Test
    void cellsOfTheCompanionAreLeftOut() {
        var cells = SkewCell.ofKubeScheduler(List.of(
                "v1.37.1, gate on|companion, On|yes|runs|waits|Full feature|Full feature|same|-",
                "v1.37.1, gate on|kube-scheduler, gate off|yes|waits|waits|Devices skipped|Devices skipped|same|-",
                "v1.37.1, gate on|kube-scheduler, gate on|yes|runs|refused|Driver-only|Full feature|DIFFERENT|why",
                "before 1.37|any|-|-|-|not run|Pre-KEP|-|-"));

        assertThat(cells).extracting(SkewCell::verdict).containsExactly("as the KEP says", "**differs**", "-");
        assertThat(cells).extracting(SkewCell::needsOldVersion).containsExactly(false, false, true);
        assertThatThrownBy(() -> SkewCell.ofKubeScheduler(List.of("one|two"))).hasMessageContaining("one|two");
    }

    @Test
    void averageCoversTheTimeBetweenTwoSamples() {
        String other = "other_seconds_count{extension_point=\"Filter\"} 7\n";
        String metric = SchedulerMetrics.PLUGIN;
        var before =
                new SchedulerMetrics.Sample(other + plugin("DynamicResources", 10, 1.0) + plugin("NodeName", 1, 50));
        var after =
                new SchedulerMetrics.Sample(other + plugin("DynamicResources", 14, 3.0) + plugin("NodeName", 9, 80));

        assertThat(after.average(before, metric)).isEqualTo(Duration.ofMillis(500));
        assertThat(after.has(metric, "extension_point=\"Filter\",plugin=\"DynamicResources\""))
                .isTrue();
        assertThat(after.has(metric, "extension_point=\"Score\"")).isFalse();
        assertThatThrownBy(() -> before.average(before, metric)).hasMessageContaining(metric);
    }

    @Test
    void memoryAndTimeAreThoseOfTheProcess() {
        var sample = new SchedulerMetrics.Sample("""
                # HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.
                process_cpu_seconds_total 1.25
                process_resident_memory_bytes_limit 7
                process_resident_memory_bytes 1.048576e+08
                """);

        assertThat(sample.memory()).isEqualTo(100 << 20);
        assertThat(sample.processor()).isEqualTo(Duration.ofMillis(1250));
        assertThatThrownBy(() -> new SchedulerMetrics.Sample("").memory())
                .hasMessageContaining("process_resident_memory_bytes");
    }

    private static String plugin(String plugin, int count, double sum) {
        String labels = "{extension_point=\"Filter\",plugin=\"%s\",status=\"Success\"} ".formatted(plugin);
        return SchedulerMetrics.PLUGIN + "_count" + labels + count + "\n" + SchedulerMetrics.PLUGIN + "_sum" + labels
                + sum + "\n";
    }

    @Test
    void namesOfQuestionsChecksAreUniqueInEachQuestion() {
        assertThat(Questions.all()).allSatisfy(question -> {
            assertThat(question.checks()).doesNotHaveDuplicates();
            assertThat(question.checks().isEmpty() && question.also().isEmpty()).isFalse();
        });
    }
}
