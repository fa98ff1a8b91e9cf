package dev.fakegpu.engine.problemfile.referee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ProblemsTest {

    private final Problems problems = new Problems();

    @Test
    void randomProblemsUseEveryFeatureAloneAndTogether() {
        List<ObjectNode> some = LongStream.range(0, 400)
                .mapToObj(problems::random)
                .flatMap(Optional::stream)
                .toList();

        var alone = new TreeSet<String>();
        var together = new TreeSet<String>();
        for (ObjectNode problem : some) {
            var features = new TreeSet<String>();
            problem.path("features").forEach(feature -> features.add(feature.asText()));
            assertThat(features).isEqualTo(FeatureFields.used(problem));
            (features.size() == 1 ? alone : together).addAll(features);
        }
        assertThat(some.size()).isGreaterThan(80);
        assertThat(together).isEqualTo(new TreeSet<>(FeatureFields.all()));
        assertThat(alone).contains("AdminAccess", "ConsumableCapacity", "DeviceTaints", "PrioritizedList");
    }

    @Test
    void sameSeedGivesTheSameProblem() {
        assertThat(problems.random(7)).isEqualTo(problems.random(7));
    }

    @Test
    void mostOfTheCorpusIsUsed() {
        assertThat(problems.corpus().count()).isGreaterThan(400);
    }
}
