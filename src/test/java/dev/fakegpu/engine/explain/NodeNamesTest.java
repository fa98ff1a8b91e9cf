package dev.fakegpu.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeNamesTest {

    @Test
    void comparesNumbersAsNumbers() {
        var names = List.of(
                "node-10", "node-2", "a", "node-2-b", "node-", "node-02", "node-99999999999999999999999", "b-1");

        assertThat(names.stream().sorted(NodeNames.ORDER))
                .containsExactly(
                        "a",
                        "b-1",
                        "node-",
                        "node-02",
                        "node-2",
                        "node-2-b",
                        "node-10",
                        "node-99999999999999999999999");
    }
}
