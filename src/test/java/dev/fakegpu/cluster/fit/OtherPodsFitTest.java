package dev.fakegpu.cluster.fit;

import static dev.fakegpu.cluster.fit.NodeScoresTest.bound;
import static dev.fakegpu.cluster.fit.NodeScoresTest.node;
import static dev.fakegpu.cluster.fit.NodeScoresTest.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OtherPodsFitTest {

    private static final String OF_X = "{labels: {app: x}}";
    private static final String NOT_NEAR = "node(s) didn't match pod affinity rules";
    private static final String NOT_APART = "node(s) didn't match pod anti-affinity rules";
    private static final String AVOIDED = "node(s) didn't satisfy existing pods anti-affinity rules";
    private static final String NOT_SPREAD = "node(s) didn't match pod topology spread constraints";

    private final NodeUsage usage = new NodeUsage();
    private final SchedulableNode left = node("left", "4", "{}");
    private final SchedulableNode right = node("right", "4", "{}");

    @Test
    void aPodKeepsAwayFromThoseThatItWantsToBeApartFrom() {
        // Given
        usage.update(bound(pod("old", OF_X, "{}", ""), "left"));

        // When
        var fit = fit(pod("new", "{}", "{}", required("podAntiAffinity", "kubernetes.io/hostname")));

        // Then
        assertThat(fit.problem(left)).hasValue(NOT_APART);
        assertThat(fit.problem(right)).isEmpty();
    }

    @Test
    void aPodThatIsAlreadyThereKeepsOthersAway() {
        // Given
        usage.update(bound(pod("old", "{}", "{}", required("podAntiAffinity", "kubernetes.io/hostname")), "left"));

        // When
        var ofX = fit(pod("new", OF_X, "{}", ""));
        var ofOther = fit(pod("other", "{}", "{}", ""));

        // Then
        assertThat(ofX.problem(left)).hasValue(AVOIDED);
        assertThat(ofX.problem(right)).isEmpty();
        assertThat(ofOther.problem(left)).isEmpty();
    }

    @Test
    void aPlaceCanHaveSeveralNodes() {
        // Given
        usage.update(bound(pod("old", OF_X, "{}", ""), "left"));

        // When
        var apart = fit(pod("new", "{}", "{}", required("podAntiAffinity", "zone")));
        var near = fit(pod("new", "{}", "{}", required("podAffinity", "zone")));

        // Then
        assertThat(apart.problem(right)).hasValue(NOT_APART);
        assertThat(near.problem(right)).isEmpty();
    }

    @Test
    void aPodGoesNearThoseThatItNeeds() {
        // Given
        var lonely = fit(pod("new", "{}", "{}", required("podAffinity", "kubernetes.io/hostname")));
        usage.update(bound(pod("old", OF_X, "{}", ""), "left"));

        // When
        var fit = fit(pod("new", "{}", "{}", required("podAffinity", "kubernetes.io/hostname")));

        // Then
        assertThat(lonely.problem(left)).hasValue(NOT_NEAR);
        assertThat(fit.problem(left)).isEmpty();
        assertThat(fit.problem(right)).hasValue(NOT_NEAR);
    }

    @Test
    void theFirstOfPodsThatNeedEachOtherMayBeAnywhereWithTheLabel() {
        assertThat(fit(pod("new", OF_X, "{}", required("podAffinity", "kubernetes.io/hostname")))
                        .problem(left))
                .isEmpty();
        assertThat(fit(pod("new", OF_X, "{}", required("podAffinity", "rack"))).problem(left))
                .hasValue(NOT_NEAR);
    }

    @Test
    void podsOfOtherNamespacesCountOnlyIfTheTermNamesThem() {
        // Given
        Pod elsewhere = bound(pod("old", OF_X, "{}", ""), "left");
        elsewhere.getMetadata().setNamespace("elsewhere");
        usage.update(elsewhere);

        // When
        var own = fit(pod("new", "{}", "{}", required("podAntiAffinity", "kubernetes.io/hostname")));
        var all = fit(
                pod("new", "{}", "{}", required("podAntiAffinity", "kubernetes.io/hostname, namespaceSelector: {}")));
        var named = fit(pod(
                "new",
                "{}",
                "{}",
                required("podAntiAffinity", "kubernetes.io/hostname, namespaceSelector: {matchLabels: {team: a}}")));

        // Then
        assertThat(own.problem(left)).isEmpty();
        assertThat(all.problem(left)).hasValue(NOT_APART);
        assertThat(named.problem(left)).hasValue(NOT_APART);
    }

    @Test
    void constraintsSpreadPods() {
        // Given
        usage.update(bound(pod("old", OF_X, "{}", ""), "left"));

        // When
        var strict = fit(pod("new", OF_X, "{}", spread("maxSkew: 1, topologyKey: kubernetes.io/hostname")));
        var loose = fit(pod("new", OF_X, "{}", spread("maxSkew: 2, topologyKey: kubernetes.io/hostname")));
        var other = fit(pod("new", "{}", "{}", spread("maxSkew: 1, topologyKey: kubernetes.io/hostname")));
        var few = fit(pod("new", OF_X, "{}", spread("maxSkew: 1, minDomains: 3, topologyKey: zone")));
        var unknown = fit(pod("new", OF_X, "{}", spread("maxSkew: 1, topologyKey: rack")));

        // Then
        assertThat(strict.problem(left)).hasValue(NOT_SPREAD);
        assertThat(strict.problem(right)).isEmpty();
        assertThat(loose.problem(left)).isEmpty();
        assertThat(other.problem(left)).isEmpty();
        assertThat(few.problem(right)).hasValue(NOT_SPREAD);
        assertThat(unknown.problem(left)).hasValue(NOT_SPREAD + " (missing required label)");
    }

    private static String required(String kind, String topologyKey) {
        return """
                , affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{
                    topologyKey: %s, labelSelector: {matchLabels: {app: x}}}]}}""".formatted(kind, topologyKey);
    }

    private static String spread(String constraint) {
        return ", topologySpreadConstraints: [{whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: x}}, %s}]"
                .formatted(constraint);
    }

    private OtherPodsFit fit(Pod pod) {
        return new OtherPodsFit(
                pod,
                List.of(left, right),
                usage,
                namespace -> namespace.equals("elsewhere") ? Map.of("team", "a") : Map.of());
    }
}
