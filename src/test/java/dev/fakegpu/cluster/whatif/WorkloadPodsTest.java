package dev.fakegpu.cluster.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadPodsTest {

    private static WorkloadPods workload(String kind, String spec) {
        return new WorkloadPods(Serialization.unmarshal("""
                kind: %s
                metadata: {namespace: team, name: train}
                spec: {%s template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c}], schedulerName: s}}}
                """.formatted(kind, spec), JsonNode.class));
    }

    @Test
    void podsAreThoseOfTheTemplate() {
        List<ObjectNode> pods = workload("StatefulSet", "replicas: 2,").pods();

        assertThat(pods)
                .extracting(pod -> pod.path("metadata").path("name").asText())
                .containsExactly("train-0", "train-1");
        assertThat(pods).allSatisfy(pod -> {
            assertThat(pod.path("metadata").path("namespace").asText()).isEqualTo("team");
            assertThat(pod.path("metadata").path("labels").path("app").asText()).isEqualTo("a");
            assertThat(pod.path("spec").path("schedulerName").asText()).isEqualTo("s");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Deployment  |                               | 1",
                "Deployment  | 'replicas: 0,'                | 0",
                "ReplicaSet  | 'replicas: 3,'                | 3",
                "Job         |                               | 1",
                "Job         | 'parallelism: 4,'             | 4",
                "Job         | 'parallelism: 4, completions: 2,' | 2",
                "Job         | 'completions: 5,'             | 1"
            })
    void thereAreAsManyAsRunAtOnce(String kind, String spec, int count) {
        assertThat(workload(kind, spec == null ? "" : spec).pods()).hasSize(count);
    }

    private static Pod ownedBy(String kind, String name) {
        return (Pod) ClusterYaml.objects("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: pod
                  ownerReferences: [{apiVersion: apps/v1, kind: %s, name: %s, uid: u}]
                """.formatted(kind, name)).get(0);
    }

    @Test
    void podsOfADeploymentBelongToItsReplicaSets() {
        WorkloadPods deployment = workload("Deployment", "");

        assertThat(deployment.owns(ownedBy("ReplicaSet", "train-6f9c"))).isTrue();
        assertThat(deployment.owns(ownedBy("ReplicaSet", "train-other-6f9c"))).isFalse();
        assertThat(deployment.owns(ownedBy("StatefulSet", "train"))).isFalse();
        assertThat(workload("Job", "").owns(ownedBy("Job", "train"))).isTrue();
    }
}
