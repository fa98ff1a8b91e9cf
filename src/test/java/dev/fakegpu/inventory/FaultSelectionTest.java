package dev.fakegpu.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.Operation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

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
