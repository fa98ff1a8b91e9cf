package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.hardware.inventory.Specs;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolLocationsTest {

    @Test
    void locationsAreTheNodesOfTheSpec() {
        assertThat(nodes("{names: [node-1, node-2]}")).containsExactly("node-1", "node-2");
        assertThat(nodes("{simulated: {count: 2}}")).containsExactly("sample-node-0", "sample-node-1");
    }

    @Test
    void givenNodesReplaceThoseOfTheSpec() {
        assertThat(nodes("{names: [node-1]}", "worker-1", "worker-2")).containsExactly("worker-1", "worker-2");
        assertThat(of("{selector: {}}", "worker-1").assumption()).isNull();
    }

    @Test
    void aSelectorNeedsAClusterSoANodeIsAssumed() {
        // When
        PoolLocations locations = of("{selector: {matchLabels: {gpu: a100}}}");

        // Then
        assertThat(locations.nodes()).containsExactly(new NodeSelection.NodeName("node-0"));
        assertThat(locations.assumption()).contains("a node called node-0");
    }

    @Test
    void networkAttachedDevicesAreInOnePoolWhateverNodesAreGiven() {
        assertThat(of("{all: true}", "worker-1", "worker-2").nodes()).containsExactly(new NodeSelection.AllNodes());
    }

    @Test
    void firstNodeStandsForEqualNodes() {
        assertThat(of("{simulated: {count: 3}}").first().nodes())
                .containsExactly(new NodeSelection.NodeName("sample-node-0"));
    }

    private static List<String> nodes(String nodes, String... given) {
        return of(nodes, given).nodes().stream()
                .map(node -> ((NodeSelection.NodeName) node).name())
                .toList();
    }

    private static PoolLocations of(String nodes, String... given) {
        return PoolLocations.of("sample", Specs.spec("{nodes: " + nodes + "}").nodes(), List.of(given));
    }
}
