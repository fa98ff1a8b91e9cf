package dev.fakegpu.simulate.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of {@code TestScale} in {@code pkg/controller/deployment/sync_test.go} that have several ReplicaSets. */
class ProportionalScalingTest {

    @ParameterizedTest
    @CsvSource({
        "5, 0, 10, 0, 3 2, 6 4",
        "5, 0, 3, 0, 3 2, 2 1",
        "9, 0, 4, 0, 1 8, 0 4",
        "7, 0, 10, 0, 2 3 2, 3 4 3",
        "13, 0, 8, 0, 3 8 2, 2 5 1",
        "3, 0, 4, 0, 1 1 1, 1 1 2",
        "3, 0, 2, 0, 1 1 1, 0 1 1",
        "4, 0, 5, 0, 2 2, 2 3",
        "6, 0, 0, 0, 1 2 3, 0 0 0",
        "10, 0, 14, 0, 3 7, 4 10",
        "10, 2, 20, 2, 6 6, 11 11",
        "10, 3, 50, 6, 8 5, 34 22"
    })
    void replicaSetsGrowAndShrinkAlike(int before, int surgeBefore, int now, int surge, String sizes, String scaled) {
        var scaling =
                new ProportionalScaling(new RolloutLimits(before, surgeBefore, 0), new RolloutLimits(now, surge, 0));
        List<ReplicaSet> sets = new ArrayList<>();
        Stream.of(sizes.split(" ")).map(Integer::valueOf).forEach(size -> sets.add(set(sets.size(), size)));

        Map<ReplicaSet, Integer> after = scaling.sizes(sets);

        assertThat(sets.stream().map(after::get))
                .containsExactlyElementsOf(
                        Stream.of(scaled.split(" ")).map(Integer::valueOf).toList());
    }

    private static ReplicaSet set(int index, int size) {
        return new ReplicaSetBuilder()
                .withNewMetadata()
                .withName("web-" + index)
                .endMetadata()
                .withNewSpec()
                .withReplicas(size)
                .endSpec()
                .build();
    }
}
