package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.testing.ClusterYaml;
import org.junit.jupiter.api.Test;

class ReplicaLimitTest {

    private final ReplicaLimit replicas = new ReplicaLimit();

    @Test
    void aWorkloadHasNoMorePodsThanFitIntoMemory() {
        JsonNode limited =
                replicas.limit(json("{kind: Deployment, metadata: {name: huge}, spec: {replicas: 1000000000}}"));

        assertThat(limited.at("/spec/replicas").asInt()).isEqualTo(ReplicaLimit.MOST);
        assertThat(replicas.notes())
                .containsExactly(
                        "Deployment huge: spec.replicas is 1000000000, of which 20000 are played; what the others would need"
                                + " is not counted");
    }

    @Test
    void aJobHasNoMorePodsAtOnce() {
        JsonNode job = json("{kind: Job, metadata: {name: huge}, spec: {completions: 1000000, parallelism: 1000000}}");

        assertThat(replicas.limit(job).at("/spec/parallelism").asInt()).isEqualTo(ReplicaLimit.MOST);
    }

    @Test
    void groupsAndJobsHaveNoMorePodsTogether() {
        JsonNode groups = replicas.limit(json("{kind: LeaderWorkerSet, metadata: {name: huge}, spec: {replicas: 3000,"
                + " leaderWorkerTemplate: {size: 10}}}"));
        JsonNode jobs = replicas.limit(json("{kind: JobSet, metadata: {name: huge}, spec: {replicatedJobs: [{replicas:"
                + " 70000, template: {spec: {parallelism: 4}}}]}}"));

        assertThat(groups.at("/spec/replicas").asInt()).isEqualTo(ReplicaLimit.MOST / 10);
        assertThat(jobs.at("/spec/replicatedJobs/0/replicas").asInt()).isEqualTo(ReplicaLimit.MOST / 4);
        assertThat(replicas.notes())
                .containsExactly(
                        "LeaderWorkerSet huge: spec.replicas is 3000, of which 2000 are played; what the others would need is"
                                + " not counted",
                        "JobSet huge: spec.replicatedJobs[0].replicas is 70000, of which 5000 are played; what the others"
                                + " would need is not counted");
    }

    @Test
    void otherObjectsStayUnchanged() {
        JsonNode large = json("{kind: StatefulSet, metadata: {name: large}, spec: {replicas: 20000}}");
        JsonNode other = json("{kind: FakeGpu, metadata: {name: other}, spec: {replicas: 30000}}");

        assertThat(replicas.limit(large)).isSameAs(large);
        assertThat(replicas.limit(other)).isSameAs(other);
        assertThat(replicas.notes()).isEmpty();
    }

    private static JsonNode json(String yaml) {
        return ClusterYaml.json(yaml).get(0);
    }
}
