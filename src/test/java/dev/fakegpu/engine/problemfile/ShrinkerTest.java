package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class ShrinkerTest {

    @Test
    void aCountShrinksTogetherWithTheDevices() throws JsonProcessingException {
        var problem = (ObjectNode) new ObjectMapper().readTree("""
                {"slices": [{"spec": {"devices": [{"name": "a"}, {"name": "b", "attributes": {}}, {"name": "c"}]}}],
                 "claims": [{"spec": {"devices": {"requests": [{"name": "r", "exactly": {"count": 3}}]}}}]}
                """);

        var smallest = new Shrinker(smaller -> devices(smaller) == count(smaller)).shrink(problem);

        assertThat(devices(smallest)).isEqualTo(1);
        assertThat(count(smallest)).isEqualTo(1);
        assertThat(smallest.toString()).doesNotContain("attributes");
    }

    private static int devices(ObjectNode problem) {
        return problem.at("/slices/0/spec/devices").size();
    }

    private static int count(ObjectNode problem) {
        return problem.at("/claims/0/spec/devices/requests/0/exactly/count").asInt(-1);
    }
}
