package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetNodesTest {

    private static final Map<String, String> LABELS =
            Map.of("fakegpu.dev/simulated", "true", "fakegpu.dev/fakegpu", "fake");

    @Test
    void namedNodesThatExistAreInBytewiseOrder() {
        assertThat(of("{names: [node-2, node-10, missing]}", node("node-2"), node("node-10"), node("other")))
                .containsExactly("node-10", "node-2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{matchLabels: {gpu: a100}}                                              | a100",
                "{matchLabels: {gpu: a100, zone: b}}                                     | ",
                "{matchExpressions: [{key: gpu, operator: In, values: [a100, l40s]}]}     | a100,l40s",
                "{matchExpressions: [{key: gpu, operator: NotIn, values: [a100]}]}        | l40s,none",
                "{matchExpressions: [{key: gpu, operator: Exists}]}                       | a100,l40s",
                "{matchExpressions: [{key: gpu, operator: DoesNotExist}]}                 | none",
                "{}                                                                       | a100,l40s,none",
            })
    void selectorSelectsNodesByLabels(String selector, String expected) {
        // When
        var nodes = of(
                "{selector: " + selector + "}",
                node("a100", Map.of("gpu", "a100", "zone", "a")),
                node("l40s", Map.of("gpu", "l40s")),
                node("none"));

        // Then
        assertThat(nodes).containsExactly(expected == null ? new String[0] : expected.split(","));
    }

    @Test
    void simulatedNodesBelongToTheFakeGpu() {
        // When
        var nodes = of(
                "{simulated: {count: 3}}",
                simulated("fake-node-0", "uid-of-fake"),
                simulated("fake-node-1", "another"),
                simulated("fake-node-3", "uid-of-fake"),
                node("fake-node-2", LABELS),
                node("node-1"));

        // Then
        assertThat(nodes)
                .as("neither somebody else's of that name, nor one that is too many, nor one that has only the labels")
                .containsExactly("fake-node-0");
    }

    @Test
    void simulatedNamesAreCounted() {
        assertThat(TargetNodes.simulated("fake", nodes("{simulated: {count: 3}}")))
                .containsExactly("fake-node-0", "fake-node-1", "fake-node-2");
        assertThat(TargetNodes.simulated("fake", nodes("{names: [node-1]}"))).isEmpty();
    }

    @Test
    void namesWithOtherSuffixesAreNotSimulatedNodes() {
        var simulated = nodes("{simulated: {count: 12}}").simulated();
        assertThat(simulated.names("fake")).allMatch(name -> simulated.hasName("fake", name));
        assertThat(Stream.of(
                        "0-node-1",
                        "fake-node-12",
                        "fake-node-01",
                        "fake-node-",
                        "fake-node-+1",
                        "fake-node-1a",
                        "fake-node-99999999999",
                        "fakes-node-1"))
                .noneMatch(name -> simulated.hasName("fake", name));
    }

    private static List<String> of(String nodes, Node... existing) {
        var fakeGpu = fakeGpu("uid-of-fake");
        fakeGpu.setSpec(Specs.spec("{model: L40S, nodes: " + nodes + "}"));
        return TargetNodes.of(fakeGpu, List.of(existing)).stream()
                .map(NodeSelection.NodeName.class::cast)
                .map(NodeSelection.NodeName::name)
                .toList();
    }

    private static FakeGpu fakeGpu(String uid) {
        return TestObjects.fakeGpu("{name: fake, uid: %s}".formatted(uid));
    }

    private static NodesSpec nodes(String yaml) {
        return Specs.spec("{model: L40S, nodes: " + yaml + "}").nodes();
    }

    private static Node simulated(String name, String owner) {
        Node node = node(name, LABELS);
        node.getMetadata().setOwnerReferences(List.of(FakeGpuOwner.reference(fakeGpu(owner))));
        return node;
    }

    private static Node node(String name) {
        return node(name, Map.of());
    }

    private static Node node(String name, Map<String, String> labels) {
        Node node = TestObjects.node("{name: %s}".formatted(name));
        node.getMetadata().setLabels(labels);
        return node;
    }
}
