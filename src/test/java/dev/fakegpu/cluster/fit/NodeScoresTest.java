package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The numbers are calculated by hand from upstream's formulas. */
class NodeScoresTest {

    /** The taint score of a node without taints: the maximum, with a weight of three. */
    private static final long TAINTS = 300;

    private final NodeUsage usage = new NodeUsage();

    @Test
    void freeAndBalancedResourcesAreBetter() {
        // Given
        var nodes = List.of(node("small", "4", "{}"), node("large", "8", "{}"));

        // When
        var scores = scores(pod("new", "{}", "{cpu: 1, memory: 1Gi}", ""), nodes);

        // Then
        assertThat(scores)
                .containsEntry("small", TAINTS + (75 + 93) / 2 + 70)
                .containsEntry("large", TAINTS + (87 + 93) / 2 + 73);
    }

    @Test
    void podsWithoutRequestsCountExceptForBalance() {
        // Given
        var nodes = List.of(node("empty", "4", "{}"), node("used", "4", "{}"));
        usage.update(bound(pod("old", "{}", "{}", ""), "used"));

        // When
        var scores = scores(pod("new", "{}", "{}", ""), nodes);

        // Then
        assertThat(scores).containsEntry("empty", TAINTS + (97 + 98) / 2).containsEntry("used", TAINTS + (95 + 97) / 2);
    }

    @Test
    void untoleratedPreferencesOfNodesCostPoints() {
        // Given
        var nodes = List.of(
                node("plain", "4", "{}"),
                node("one", "4", "{taints: [{key: a, effect: PreferNoSchedule}]}"),
                node("two", "4", "{taints: [{key: a, effect: PreferNoSchedule}, {key: b, effect: PreferNoSchedule}]}"));

        // When
        var strict = scores(pod("new", "{}", "{}", ""), nodes);
        var tolerant = scores(pod("new", "{}", "{}", ", tolerations: [{key: b, operator: Exists}]"), nodes);

        // Then
        assertThat(strict)
                .containsEntry("plain", 397L)
                .containsEntry("one", 247L)
                .containsEntry("two", 97L);
        assertThat(tolerant)
                .containsEntry("plain", 397L)
                .containsEntry("one", 97L)
                .containsEntry("two", 97L);
    }

    @Test
    void preferredNodeAffinityCountsByWeight() {
        // Given
        var nodes = List.of(node("a", "4", "{}"), node("b", "4", "{}"));
        var pod = pod("new", "{}", "{}", """
                , affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
                    {weight: 10, preference: {matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [a]}]}},
                    {weight: 40, preference: {matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [b]}]}}]}}""");

        // When
        var scores = scores(pod, nodes);

        // Then
        assertThat(scores).containsEntry("a", 397L + 2 * 25).containsEntry("b", 397L + 2 * 100);
    }

    @Test
    void alternativesOfDevicesCount() {
        // Given
        var nodes = List.of(node("a", "4", "{}"), node("b", "4", "{}"));

        // When
        var scores = new NodeScores(pod("new", "{}", "{}", ""), nodes, usage, namespace -> Map.of())
                .of(nodes, node -> node.name().equals("a") ? 8 : 7);

        // Then
        assertThat(scores).containsEntry("a", 397L + 2 * 100).containsEntry("b", 397L + 2 * 87);
    }

    @Test
    void podsOfAStatefulSetSpread() {
        // Given
        String owned =
                "{ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: s, uid: s, controller: true}]}";
        var nodes = List.of(node("a", "4", "{}"), node("b", "4", "{}"));
        usage.update(bound(pod("s-0", owned, "{}", ""), "a"));

        // When
        var ofSame = scores(pod("s-1", owned, "{}", ""), nodes);
        var ofOther = scores(pod("other", "{}", "{}", ""), nodes);

        // Then: the terms are ln(4), for one pod on the node, and two and four for the skews; the zone is the same for
        // both
        assertThat(ofOther).containsEntry("a", 396L).containsEntry("b", 397L);
        assertThat(ofSame.get("b") - ofOther.get("b")).isEqualTo(2 * 100);
        assertThat(ofSame.get("a") - ofOther.get("a")).isEqualTo(2 * 66);
    }

    @Test
    void podsAreKeptNearOrApartByPreference() {
        // Given
        var nodes = List.of(node("a", "4", "{}"), node("b", "4", "{}"));
        usage.update(bound(pod("old", "{labels: {app: x}}", "{}", ""), "a"));

        // When
        var near = scores(pod("new", "{}", "{}", preferred("podAffinity")), nodes);
        var apart = scores(pod("new", "{}", "{}", preferred("podAntiAffinity")), nodes);

        // Then
        assertThat(near).containsEntry("a", 396L + 200).containsEntry("b", 397L);
        assertThat(apart).containsEntry("a", 396L).containsEntry("b", 397L + 200);
    }

    @Test
    void preferencesOfOtherPodsCountToo() {
        // Given
        var nodes = List.of(node("a", "4", "{}"), node("b", "4", "{}"));
        usage.update(bound(pod("old", "{}", "{}", preferred("podAntiAffinity")), "a"));

        // When
        var scores = scores(pod("new", "{labels: {app: x}}", "{}", ""), nodes);

        // Then
        assertThat(scores).containsEntry("a", 396L).containsEntry("b", 397L + 200);
    }

    private static String preferred(String kind) {
        return """
                , affinity: {%s: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, podAffinityTerm: {
                    topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: x}}}}]}}""".formatted(kind);
    }

    private Map<String, Long> scores(Pod pod, List<SchedulableNode> nodes) {
        return new NodeScores(pod, nodes, usage, namespace -> Map.of()).of(nodes, node -> 0);
    }

    static SchedulableNode node(String name, String cpu, String spec) {
        return SchedulableNode.of(Serialization.unmarshal("""
                        apiVersion: v1
                        kind: Node
                        metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s, zone: z}}
                        spec: %2$s
                        status: {allocatable: {cpu: %3$s, memory: 16Gi, pods: 110}, conditions: [{type: Ready, status: 'True'}]}
                        """.formatted(name, spec, cpu), Node.class));
    }

    /** @param placement the last fields of the spec */
    static Pod pod(String name, String metadata, String requests, String placement) {
        Pod pod = Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: %s
                spec: {containers: [{name: main, resources: {requests: %s}}]%s}
                """.formatted(metadata, requests, placement), Pod.class);
        pod.getMetadata().setName(name);
        pod.getMetadata().setNamespace("default");
        pod.getMetadata().setUid(name);
        return pod;
    }

    static Pod bound(Pod pod, String node) {
        return pod.edit().editSpec().withNodeName(node).endSpec().build();
    }
}
