package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementFactsTest {

    private static final String SETTINGS = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {namespace: fakegpu-system, name: fakegpu-operator}
            data: {companion.unsupported: %s}
            """;

    private static PendingCluster cluster(String scheduler) {
        return new PendingCluster().node("n1", "").with("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: a}
                spec:
                  schedulerName: %s
                  containers: [{name: main}]
                  volumes: [{name: v, persistentVolumeClaim: {claimName: c}}, {name: w, ephemeral: {}}]
                """.formatted(scheduler));
    }

    @Test
    void podOfTheCompanionHasAFactThatItWillNotBePlaced() {
        Answer answer = cluster("fakegpu-scheduler").explainer().pod("team", "a");

        assertThat(answer.code()).isEqualTo("PlacementNotSupported");
        assertThat(answer.sentence()).startsWith("the companion does not take spec.volumes.persistentVolumeClaim and");
    }

    @Test
    void theSettingOfTheOperatorCounts() {
        assertThat(cluster("fakegpu-scheduler")
                        .with(SETTINGS.formatted("Ignore"))
                        .explainer()
                        .pod("team", "a")
                        .code())
                .isEqualTo("NoDevicesRequested");
        assertThat(cluster("fakegpu-scheduler")
                        .with(SETTINGS.formatted("Refuse"))
                        .explainer()
                        .pod("team", "a")
                        .code())
                .isEqualTo("PlacementNotSupported");
    }

    @Test
    void podOfAnotherSchedulerHasAFactAboutWhatIsNotExamined() {
        Answer answer = cluster("default-scheduler").explainer().pod("team", "a");

        assertThat(answer.code()).isEqualTo("NoDevicesRequested");
        assertThat(answer.facts())
                .contains("its scheduler may exclude nodes because of spec.volumes.persistentVolumeClaim and"
                        + " spec.volumes.ephemeral; this is not examined");
    }

    /** @param field restricts the placement, or is empty */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | there are no devices to allocate (request \"gpu\"); 1 of 2 nodes does not fit the pod: 1 node(s) were unschedulable",
                ", volumes: [{name: w, ephemeral: {}}] | there are no devices to allocate (request \"gpu\")"
            })
    void otherNodesAreNotCountedIfSomethingThatIsNotExaminedMayExcludeMore(String field, String sentence) {
        Answer answer = new PendingCluster()
                .node("n1")
                .claim("train", "")
                .with("""
                        apiVersion: v1
                        kind: Node
                        metadata: {name: n2}
                        spec: {unschedulable: true}
                        status: {conditions: [{type: Ready, status: "True"}]}
                        """)
                .with("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: p}
                        spec: {containers: [], schedulerName: default-scheduler, resourceClaims: [{name: gpu, resourceClaimName: train}]%s}
                        """.formatted(field))
                .explainer()
                .pod("team", "p");

        assertThat(answer.sentence()).isEqualTo(sentence);
    }
}
