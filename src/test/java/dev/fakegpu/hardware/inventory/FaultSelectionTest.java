package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultSelectionTest {

    private static final FakeGpu FAKE_GPU = Serialization.unmarshal("""
            apiVersion: fakegpu.dev/v1alpha1
            kind: FakeGpu
            metadata: {name: sample}
            spec:
              nodes: {names: [node-1, node-2]}
              model: A100-SXM4-40GB
              count: 2
              partitions: {mig: {profiles: [1g.5gb]}}
              faults:
              - {name: all}
              - {name: gpu-1, devices: {gpus: [1]}}
              - {name: mig, devices: {types: [mig]}}
              - {name: node-2, devices: {nodes: [node-2]}}
              - {name: unprepare, operation: Unprepare}
              - {name: labelled, claims: {matchLabels: {tier: gold}}}
              - name: expression
                claims: {matchExpressions: [{key: tier, operator: In, values: [gold, silver]}, {key: vip, operator: DoesNotExist}]}
            """, FakeGpu.class);

    /** The schema refuses these, too, but commands check FakeGpus that no API server has seen. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            everyNth: 2, nth: 3  | spec.faults[0].when: "2" is the number of ways to choose calls; allowed: exactly one of first, everyNth, nth, from/to and probability
            nth: 3, to: 4        | spec.faults[0].when: "2" is the number of ways to choose calls; allowed: exactly one of first, everyNth, nth, from/to and probability
            nth: 0               | spec.faults[0].when.nth: "0" is out of range; allowed: 1 to 1000000
            from: -1             | spec.faults[0].when.from: "-1" is out of range; allowed: 1 to 1000000
            to: 1000001          | spec.faults[0].when.to: "1000001" is out of range; allowed: 1 to 1000000
            from: 5, to: 3       | spec.faults[0].when.from: "5" is greater than to; allowed: 1 to 3
            from: 3, to: 3       |
            """)
    void checksWhichCallsAreAffected(String when, String problem) {
        var spec = Specs.spec("{nodes: {names: [node-1]}, model: L40S, faults: [{name: flaky, when: {" + when + "}}]}");

        assertThat(Specs.PLANNER.check(spec, "sample"))
                .extracting(SpecProblem::sentence)
                .isEqualTo(problem == null ? List.of() : List.of(problem));
    }

    @Test
    void selectsByNodeGpuAndType() {
        assertThat(names("node-1", Map.of(), "gpu-0")).containsExactly("all");
        assertThat(names("node-2", Map.of(), "gpu-0")).containsExactly("all", "node-2");
        assertThat(names("node-1", Map.of(), "gpu-1")).containsExactly("all", "gpu-1");
        assertThat(names("node-1", Map.of(), "gpu-1-mig-1g5gb-19-2")).containsExactly("all", "gpu-1", "mig");
    }

    @Test
    void oneSelectedDeviceOfAClaimIsEnough() {
        assertThat(names("node-1", Map.of(), "gpu-0", "gpu-1")).containsExactly("all", "gpu-1");
    }

    @Test
    void selectsByTheLabelsOfTheClaim() {
        assertThat(names("node-1", Map.of("tier", "gold"), "gpu-0")).containsExactly("all", "labelled", "expression");
        assertThat(names("node-1", Map.of("tier", "silver"), "gpu-0")).containsExactly("all", "expression");
        assertThat(names("node-1", Map.of("tier", "silver", "vip", ""), "gpu-0"))
                .containsExactly("all");
    }

    @Test
    void selectsByTheCall() {
        assertThat(Specs.PLANNER.faults(
                        FAKE_GPU.getSpec(), "sample", "node-1", Operation.Unprepare, Map.of(), Set.of("gpu-0")))
                .extracting(FaultSpec::name)
                .containsExactly("unprepare");
    }

    private static List<String> names(String node, Map<String, String> labels, String... devices) {
        return Specs.PLANNER
                .faults(FAKE_GPU.getSpec(), "sample", node, Operation.Prepare, labels, Set.of(devices))
                .stream()
                .map(FaultSpec::name)
                .toList();
    }
}
