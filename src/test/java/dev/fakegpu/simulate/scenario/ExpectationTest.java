package dev.fakegpu.simulate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.scenario.ScenarioRun.Check;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests each kind of expectation of a scenario with a cluster that has one FakeGpu and a claim: it is met, or the actual state is reported.
 */
class ExpectationTest {

    private static final Simulation CLUSTER = new Simulation(SimulationOptions.DEFAULT);

    @BeforeAll
    static void play() {
        run("""
                apply:
                - apiVersion: fakegpu.dev/v1alpha1
                  kind: FakeGpu
                  metadata: {name: l40s}
                  spec: {nodes: {simulated: {count: 1}}, model: L40S, count: 2}
                - apiVersion: resource.k8s.io/v1
                  kind: ResourceClaim
                  metadata: {name: one, labels: {fakegpu.dev/allocate: "true"}}
                  spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
                """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{claim: one, is: Allocated, device: gpu-0, number: 1}",
                "{count: claims, is: Allocated, number: 1}",
                "{condition: Ready, of: fakegpu/l40s, is: True}",
                "{condition: Published, of: fakegpu/l40s, is: 'True', says: stored}",
                "{condition: NoSuch, of: fakegpu/l40s, is: Absent}",
                "{event: Published, of: fakegpu/l40s, says: 2 devices of 2 GPU(s), number: 1}",
                "{event: Allocated, of: resourceclaim/one}",
                "{event: InjectedFault, of: resourceclaim/one, number: 0}",
                "{published: gpu-*, of: fakegpu/l40s, number: 2, node: l40s-node-0, pool: '*/l40s', driver: gpu.example.com}",
                "{published: '*', of: fakegpu/l40s, number: 2, has: {attributes: {productName: {string: '*L40S'}}}}",
                "{object: fakegpu/l40s, has: {status: {totals: {gpus: 2, allocated: 1}, faults: null}}}",
                "{object: resourceclaim/one, has: {metadata: {labels: {fakegpu.dev/allocate: 'true'}, annotations: {no: null}}}}",
                "{object: node/l40s-node-0, has: {status: {allocatable: {cpu: '*'}, conditions: [{type: Ready, status: 'True'}]}}}",
                "{object: node/l40s-node-1, is: Gone}",
            })
    void trueExpectationIsMet(String expectation) {
        Check check = check(expectation);

        assertThat(check.passed()).as("%s", check).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {claim: one, is: Allocated, number: 2} | claim one is Allocated, number 2 | claim one has gpu-0
            {condition: Ready, of: fakegpu/l40s, is: 'False'} | condition Ready of fakegpu/l40s is False | condition Ready of fakegpu/l40s is True
            {condition: Ready, of: fakegpu/l40s, is: Absent} | condition Ready of fakegpu/l40s is Absent | condition Ready of fakegpu/l40s is True
            {condition: Ready, of: fakegpu/none, is: 'True'} | condition Ready of fakegpu/none is True | fakegpu/none does not exist
            {event: InjectedFault, of: resourceclaim/one} | at least one InjectedFault event of resourceclaim/one | there is no InjectedFault event of resourceclaim/one
            {event: Published, of: fakegpu/l40s, number: 0} | 0 Published events of fakegpu/l40s | Published of fakegpu/l40s says: 2 devices of 2 GPU(s)
            {published: 'mig-*', of: fakegpu/l40s} | some devices mig-* of fakegpu/l40s are published | 0 are published
            {published: '*', of: fakegpu/l40s, node: other} | some devices * of fakegpu/l40s are published, node "other" | 0 are published
            {published: '*', of: fakegpu/l40s, has: {allNodes: true}} | some devices * of fakegpu/l40s are published with {"allNodes":true} | 0 are published; gpu-0: allNodes is missing
            {object: fakegpu/l40s, is: Gone} | fakegpu/l40s is gone | fakegpu/l40s exists
            {object: fakegpu/l40s, has: {spec: {count: 3}}} | fakegpu/l40s exists with {"spec":{"count":3}} | fakegpu/l40s: spec.count is 2
            {object: fakegpu/l40s, has: {status: null}} | fakegpu/l40s exists with {"status":null} | fakegpu/l40s: status is {
            {object: node/l40s-node-0, has: {status: {conditions: [{type: Ready}, {type: Ready}]}}} | node/l40s-node-0 exists with | node/l40s-node-0: status.conditions is [
            """)
    void failedExpectationIsReported(String expectation, String expected, String actual) {
        Check check = check(expectation);

        assertThat(check.passed()).isFalse();
        assertThat(check.expected()).startsWith(expected);
        assertThat(check.actual()).startsWith(actual);
    }

    @Test
    void quantitiesAreComparedByTheirAmount() {
        assertThat(JsonPart.covers(json("{memory: 5368709120}"), json("{memory: 5Gi}")))
                .isTrue();
        assertThat(JsonPart.covers(json("{memory: 5368709121}"), json("{memory: 5Gi}")))
                .isFalse();
    }

    private static Check check(String expectation) {
        return run("expect: [" + expectation + "]").checks().get(0);
    }

    private static ScenarioRun.StepResult run(String step) {
        JsonNode scenario = json("{apiVersion: fakegpu.dev/v1alpha1, kind: Scenario}");
        ((ObjectNode) scenario).putArray("steps").add(json(step));
        return new ScenarioRun(CLUSTER)
                .play(
                        1,
                        ScenarioManifest.read(scenario, file -> List.of())
                                .steps()
                                .get(0));
    }

    private static JsonNode json(String yaml) {
        return Serialization.unmarshal("---\n" + yaml, JsonNode.class);
    }
}
