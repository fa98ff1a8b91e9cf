package dev.fakegpu.engine.problemfile.referee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class KindTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void findingWithMoreTopicsJoinsTheOneWithFewer() {
        Finding more = finding(Verdict.MISSES, 1, "DeviceTaints", "several claims");
        Finding less = finding(Verdict.MISSES, 2, "DeviceTaints");

        assertThat(Kind.of(List.of(more, less))).singleElement().satisfies(kind -> {
            assertThat(kind).hasToString("wrong: finds nothing: DeviceTaints");
            assertThat(kind.findings()).containsExactly(less, more);
            assertThat(kind.smallest()).isEqualTo(less);
        });
    }

    @Test
    void smallestHasTheFewestDevices() {
        Finding two = finding(Verdict.GIVES, 2, "AdminAccess");
        Finding one = finding(Verdict.GIVES, 1, "AdminAccess");

        assertThat(Kind.of(List.of(two, one)).get(0).smallest()).isEqualTo(one);
    }

    @Test
    void verdictsAreKeptApartAndTheMostFrequentKindIsFirst() {
        Finding rare = finding(Verdict.GIVES, 1, "AdminAccess");
        Finding frequent = finding(Verdict.MISSES, 1, "AdminAccess");

        assertThat(Kind.of(List.of(rare, frequent, frequent)))
                .extracting(Kind::verdict)
                .containsExactly(Verdict.MISSES, Verdict.GIVES);
    }

    @Test
    void problemWithoutTopicsIsAKindOfItsOwn() {
        assertThat(Kind.of(List.of(finding(Verdict.GIVES, 1, Topics.NONE), finding(Verdict.GIVES, 1, "AdminAccess"))))
                .hasSize(2);
    }

    private static Finding finding(Verdict verdict, int devices, String... topics) {
        ObjectNode problem = JSON.createObjectNode();
        var published = problem.putArray("slices").addObject().putObject("spec").putArray("devices");
        for (int i = 0; i < devices; i++) {
            published.addObject();
        }
        return new Finding(verdict, List.of(topics), problem, JSON.createObjectNode(), JSON.createObjectNode());
    }
}
