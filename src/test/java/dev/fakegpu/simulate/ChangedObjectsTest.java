package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.simulate.memory.SimulationException;
import org.junit.jupiter.api.Test;

/** Tests patches of objects. */
class ChangedObjectsTest {

    private final YamlSimulation simulation = YamlSimulation.of(Schedulers.KUBE);

    @Test
    void aPatchThatTheApiServerWouldRefuseIsRefused() {
        simulation.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: a}
                spec: {containers: [{name: main, image: i}]}
                """);

        assertThatThrownBy(() -> simulation.patch("Pod", "a", "spec: {containers: []}"))
                .isInstanceOf(SimulationException.class)
                .hasMessageContaining("change pod/a: spec.containers");
    }

    /** Only what a patch changes is checked: a driver may have written a slice that users could not. */
    @Test
    void aValidPatchIsNotRefused() {
        simulation.apply("""
                apiVersion: v1
                kind: Node
                metadata: {name: n}
                """);

        simulation.patch("Node", "n", "{metadata: {labels: {a: b}}, status: {allocatable: {cpu: '2'}}}");

        assertThat(simulation.view().toString()).isNotEmpty();
    }
}
