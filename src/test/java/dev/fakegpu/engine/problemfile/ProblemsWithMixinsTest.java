package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.cel.Selectors;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

/** Tests KEP-5234 in problems. */
class ProblemsWithMixinsTest {

    private static final String PROBLEM = """
            features: [%s]
            node: {metadata: {name: node-1}}
            classes: [{metadata: {name: gpu}, spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}}]
            slices:
            - metadata: {name: slice}
              spec:
                driver: gpu.example.com
                pool: {name: node-1, generation: 1, resourceSliceCount: 1}
                nodeName: node-1
                mixins: {device: [{name: %s, attributes: {model: {string: x1}}}]}
                devices: [{name: a, includes: [card]}, {name: b, attributes: {model: {string: x2}}}]
            claims:
            - metadata: {name: claim}
              spec:
                devices:
                  requests:
                  - name: gpu
                    exactly:
                      deviceClassName: gpu
                      allocationMode: ExactCount
                      count: 1
                      selectors: [{cel: {expression: 'device.attributes["gpu.example.com"].model == "x1"'}}]
            """;

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    @Test
    void theGateMakesADeviceThatIncludesAMixinVisible() throws Exception {
        assertThat(outcome(ProblemReader.read(problem("ResourceSliceMixins", "card"))))
                .isEqualTo(ProblemAnswer.Verdict.allocated);
        assertThat(outcome(ProblemReader.read(problem("", "card")))).isEqualTo(ProblemAnswer.Verdict.none);
    }

    @Test
    void allFeaturesIncludeIt() throws Exception {
        String json = new ObjectMapper().writeValueAsString(problem("", "card"));

        assertThat(outcome(new ProblemStream(new StringReader(json), MixinsGate.ON)
                        .next()
                        .orElseThrow()))
                .isEqualTo(ProblemAnswer.Verdict.allocated);
    }

    @Test
    void anUnknownMixinIsNamed() {
        assertThatThrownBy(() -> ProblemReader.read(problem("ResourceSliceMixins", "other")))
                .isInstanceOf(UnreadableProblemException.class)
                .hasMessage("\"card\" is not a device mixin; there are: other");
    }

    private static ProblemAnswer.Verdict outcome(AllocationProblem problem) {
        return new Solver(new Selectors(), Solver.Settings.ONCE, System::nanoTime)
                .solve(problem)
                .outcome();
    }

    private static JsonNode problem(String features, String mixin) throws IOException {
        return YAML.readTree(PROBLEM.formatted(features, mixin));
    }
}
