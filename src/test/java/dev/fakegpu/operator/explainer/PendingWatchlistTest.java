package dev.fakegpu.operator.explainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.TestObjects;
import org.junit.jupiter.api.Test;

class PendingWatchlistTest {

    private final ObjectStores cluster = new ObjectStores();
    private int arrivals;
    private int changes;
    private final PendingWatchlist watchlist = new PendingWatchlist(cluster, object -> arrivals++, () -> changes++);

    /** Only for a pod of a gang, what would help must not delete pods of its own group. */
    @Test
    void aGroupThatArrivesOrBecomesAGangIsAChange() {
        watchlist.register();
        cluster.podGroups().onAdd(group("1", "basic: {}"));
        assertThat(changes).as("changes while nothing is pending").isZero();
        cluster.podGroups().onDelete(group("1", "basic: {}"), false);

        cluster.pods()
                .onAdd(TestObjects.pod(
                        "{namespace: team, name: train, uid: train, resourceVersion: '1'}",
                        "spec: {schedulerName: default-scheduler, containers: [], schedulingGroup: {podGroupName: ring}}",
                        "status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable}]}"));
        assertThat(arrivals).isEqualTo(1);
        assertThat(changes).isZero();

        cluster.podGroups().onAdd(group("2", "basic: {}"));
        assertThat(changes).as("changes when it arrived").isEqualTo(1);
        cluster.podGroups().onUpdate(group("2", "basic: {}"), group("3", "gang: {minCount: 1}"));
        assertThat(changes).as("changes when it became a gang").isEqualTo(2);
    }

    private static PodGroup group(String version, String policy) {
        return ClusterYaml.object("""
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {namespace: team, name: ring, uid: ring, resourceVersion: "%s"}
                spec: {schedulingPolicy: {%s}}
                """.formatted(version, policy));
    }
}
