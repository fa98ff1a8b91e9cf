package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodMakersTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: {containers: []}}}}}} | true",
                "{kind: JobSet, spec: {replicatedJobs: [{template: {spec: {template: {spec: {containers: [{}]}}}}}]}} | true",
                "{kind: LeaderWorkerSet, spec: {leaderWorkerTemplate: {workerTemplate: {spec: {containers: [{}]}}}}} | true",
                "{kind: InferenceService, spec: {predictor: {model: {}}}} | true",
                "{kind: PodTemplate, spec: {containers: [{}]}} | false",
                "{kind: Secret} | false",
                "{kind: Service, spec: {ports: [{port: 80}]}} | false",
            })
    void objectsOfWhichAClusterMakesPodsHaveContainers(String object, boolean makesPods) throws IOException {
        assertThat(PodMakers.include(Serialization.yamlMapper().readTree(object)))
                .isEqualTo(makesPods);
    }
}
