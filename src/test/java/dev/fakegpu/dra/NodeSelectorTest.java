package dev.fakegpu.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.NodeSelector.Requirement;
import dev.fakegpu.dra.NodeSelector.Term;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSelectorTest {

    private static final Map<String, String> LABELS = Map.of("zone", "a", "gpus", "8");

    @ParameterizedTest
    @CsvSource({
        "zone, In, a, true",
        "zone, In, b, false",
        "rack, In, a, false",
        "zone, NotIn, b, true",
        "rack, NotIn, b, true",
        "zone, NotIn, a, false",
        "zone, Exists, , true",
        "rack, Exists, , false",
        "rack, DoesNotExist, , true",
        "gpus, Gt, 7, true",
        "gpus, Gt, 8, false",
        "gpus, Lt, 9, true",
        "zone, Gt, 7, false",
        "zone, Lt, 7, false",
        "gpus, Gt, x, false",
        "zone, Unknown, a, false"
    })
    void matchesAsKubernetesDoes(String key, String operator, String value, boolean expected) {
        var requirement = new Requirement(key, operator, value == null ? List.of() : List.of(value));
        var selector = new NodeSelector(List.of(new Term(List.of(requirement), List.of())));
        assertThat(selector.matches("node-1", LABELS)).isEqualTo(expected);
    }

    @Test
    void termsAreAlternativesAndAnEmptyOneMatchesNothing() {
        var empty = new Term(List.of(), List.of());
        var wrong = new Term(List.of(new Requirement("zone", "In", List.of("b"))), List.of());
        var right = new Term(List.of(new Requirement("zone", "In", List.of("a"))), List.of());
        assertThat(new NodeSelector(List.of(empty, wrong)).matches("node-1", LABELS))
                .isFalse();
        assertThat(new NodeSelector(List.of(wrong, right)).matches("node-1", LABELS))
                .isTrue();
    }

    @Test
    void findsANodeByItsName() {
        assertThat(NodeSelector.forNode("node-1").matches("node-1", Map.of())).isTrue();
        assertThat(NodeSelector.forNode("node-1").matches("node-2", Map.of())).isFalse();
    }
}
