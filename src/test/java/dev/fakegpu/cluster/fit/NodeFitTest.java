package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeFitTest {

    @Test
    void readyNodeFits() {
        assertThat(NodeFit.problem(ready().build(), pod().build())).isEmpty();
        assertThat(NodeFit.problem(ready().build(), null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"False", "Unknown"})
    void nodeThatIsNotReadyDoesNotFit(String status) {
        assertThat(NodeFit.problem(node(status).build(), null)).hasValue("node(s) were not ready");
    }

    @Test
    void nodeWithoutAReadyConditionDoesNotFit() {
        // Given
        var node = new NodeBuilder()
                .withNewMetadata()
                .withName("new")
                .endMetadata()
                .build();

        // When
        var problem = NodeFit.problem(node, pod().build());

        // Then
        assertThat(problem).hasValue("node(s) were not ready");
    }

    @Test
    void cordonedNodeDoesNotFitEvenForAClaimWithoutAPod() {
        // Given
        var cordoned = ready().editOrNewSpec().withUnschedulable(true).endSpec().build();

        // When
        var problem = NodeFit.problem(cordoned, null);

        // Then
        assertThat(problem).hasValue("node(s) were unschedulable");
    }

    @ParameterizedTest
    @CsvSource({"default-scheduler, true", "fakegpu-scheduler, false"})
    void onlyKubeSchedulerPlacesPodsThatTolerateItOnACordonedNode(String scheduler, boolean fits) {
        // Given
        var cordoned = ready().editOrNewSpec().withUnschedulable(true).endSpec().build();
        var tolerant = new PodBuilder()
                .withNewSpec()
                .withSchedulerName(scheduler)
                .addNewToleration()
                .withOperator("Exists")
                .endToleration()
                .endSpec()
                .build();

        // When
        var problem = NodeFit.problem(cordoned, tolerant);

        // Then
        assertThat(problem.isEmpty()).isEqualTo(fits);
    }

    @Test
    void nodeThatIsBeingDeletedDoesNotFit() {
        // Given
        var deleted = ready().editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();

        // When
        var problem = NodeFit.problem(deleted, pod().build());

        // Then
        assertThat(problem).hasValue("node(s) were being deleted");
    }

    @Test
    void taintKeepsThePodOffAndIsNamed() {
        assertThat(NodeFit.problem(tainted("NoSchedule"), pod().build()))
                .hasValue("node(s) had untolerated taint {dedicated: gpu}");
        assertThat(NodeFit.problem(tainted("NoExecute"), pod().build()))
                .hasValue("node(s) had untolerated taint {dedicated: gpu}");
    }

    /** kube-scheduler knows the state of a node only from the taints that kube-controller-manager sets. */
    @ParameterizedTest
    @CsvSource({"False, not-ready", "Unknown, unreachable"})
    void taintOfAnUnreadyNodeIsNamedForPodsOfKubeScheduler(String status, String taint) {
        // Given
        var node = node(status)
                .editOrNewSpec()
                .addNewTaint("NoSchedule", "node.kubernetes.io/" + taint, null, null)
                .endSpec()
                .build();
        var tolerant = pod().editSpec()
                .addNewToleration()
                .withOperator("Exists")
                .endToleration()
                .endSpec();

        // Then
        assertThat(NodeFit.problem(node, pod().build()))
                .hasValue("node(s) had untolerated taint {node.kubernetes.io/%s: }".formatted(taint));
        assertThat(NodeFit.problem(node, tolerant.build())).isEmpty();
        assertThat(NodeFit.problem(
                        node,
                        tolerant.editSpec()
                                .withSchedulerName("fakegpu-scheduler")
                                .endSpec()
                                .build()))
                .hasValue("node(s) were not ready");
    }

    @Test
    void preferNoScheduleKeepsNoPodOff() {
        assertThat(NodeFit.problem(tainted("PreferNoSchedule"), pod().build())).isEmpty();
    }

    @Test
    void taintsAreIgnoredForClaimsWithoutAPod() {
        assertThat(NodeFit.problem(tainted("NoSchedule"), null)).isEmpty();
    }

    @Test
    void podsOfTheCompanionTolerateTheTaintOfSimulatedNodes() {
        // Given
        var node = ready().editOrNewSpec()
                .addNewTaint("NoSchedule", "fakegpu.dev/simulated", null, null)
                .endSpec()
                .build();

        // When
        var ours = pod().editSpec()
                .withSchedulerName("fakegpu-scheduler")
                .endSpec()
                .build();

        // Then
        assertThat(NodeFit.problem(node, ours)).isEmpty();
        assertThat(NodeFit.problem(node, pod().build()))
                .hasValue("node(s) had untolerated taint {fakegpu.dev/simulated: }");
    }

    /** The table of {@code k8s.io/api/core/v1 Toleration.ToleratesTaint}. */
    @ParameterizedTest
    @CsvSource({
        "dedicated, Exists,   ,      NoSchedule, true",
        "dedicated, Exists,   ,                , true",
        "         , Exists,   ,                , true",
        "         , Exists,   ,      NoSchedule, true",
        "dedicated, Equal,    gpu,   NoSchedule, true",
        "dedicated,      ,    gpu,   NoSchedule, true",
        "dedicated, Equal,    other, NoSchedule, false",
        "dedicated,      ,    ,      NoSchedule, false",
        "dedicated, Exists,   ,      NoExecute,  false",
        "other,     Exists,   ,      NoSchedule, false",
    })
    void tolerationLetsThePodIn(String key, String operator, String value, String effect, boolean tolerated) {
        // Given
        var pod = pod().editSpec()
                .addNewToleration()
                .withKey(key)
                .withOperator(operator)
                .withValue(value)
                .withEffect(effect)
                .endToleration()
                .endSpec()
                .build();

        // When
        var problem = NodeFit.problem(tainted("NoSchedule"), pod);

        // Then
        assertThat(problem.isEmpty()).isEqualTo(tolerated);
    }

    @ParameterizedTest
    @CsvSource({"zone, a, true", "zone, b, false", "missing, a, false"})
    void nodeSelectorMustMatch(String label, String value, boolean fits) {
        // Given
        var pod = pod().editSpec().addToNodeSelector(label, value).endSpec().build();

        // When
        var problem = NodeFit.problem(labelled(), pod);

        // Then
        assertThat(problem.isEmpty()).isEqualTo(fits);
        problem.ifPresent(text -> assertThat(text).isEqualTo("node(s) didn't match Pod's node affinity/selector"));
    }

    @ParameterizedTest
    @CsvSource({"In, a, true", "In, b, false", "NotIn, a, false", "NotIn, b, true"})
    void requiredAffinityMustMatch(String operator, String value, boolean fits) {
        assertThat(NodeFit.problem(labelled(), withAffinity(operator, value)).isEmpty())
                .isEqualTo(fits);
    }

    private static Pod withAffinity(String operator, String value) {
        return pod().editSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("zone")
                .withOperator(operator)
                .withValues(value)
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    private static Node labelled() {
        return ready().editMetadata().addToLabels("zone", "a").endMetadata().build();
    }

    private static Node tainted(String effect) {
        return ready().editOrNewSpec()
                .addNewTaint(effect, "dedicated", null, "gpu")
                .endSpec()
                .build();
    }

    private static NodeBuilder ready() {
        return node("True");
    }

    private static NodeBuilder node(String ready) {
        return new NodeBuilder(TestObjects.node(
                "{name: node-1}", "status: {conditions: [{type: Ready, status: '%s'}]}".formatted(ready)));
    }

    private static PodBuilder pod() {
        return new PodBuilder(TestObjects.pod("{name: pod}", "spec: {}"));
    }
}
