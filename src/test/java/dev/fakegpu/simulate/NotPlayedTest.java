package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotPlayedTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{kind: CronJob, spec: {jobTemplate: {spec: {template: {spec: {containers: []}}}}}} | its pods are not played",
                "{kind: JobSet, spec: {replicatedJobs: [{template: {spec: {template: {spec: {containers: [{}]}}}}}]}} | its pods are not played",
                "{kind: LeaderWorkerSet, spec: {leaderWorkerTemplate: {workerTemplate: {spec: {containers: [{}]}}}}} | its pods are not played",
                "{kind: InferenceService, spec: {predictor: {model: {}}}} | its pods are not played",
                "{apiVersion: v1, kind: PodTemplate, spec: {containers: [{}]}} | it does not decide which pods get devices",
                "{apiVersion: v1, kind: Secret} | it does not decide which pods get devices",
                "{apiVersion: networking.k8s.io/v1, kind: Ingress, spec: {rules: []}} | it does not decide which pods get devices",
                "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler} | nothing is scaled",
                "{apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue} | workloads do not wait for Kueue, and start at once",
                "{apiVersion: karpenter.sh/v1, kind: NodePool} | no nodes are created for pods that wait",
                "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy} | what it changes or refuses is not played",
                "{apiVersion: node.k8s.io/v1, kind: RuntimeClass} | its overhead, node selector and tolerations are not added to pods",
                "{apiVersion: scheduling.k8s.io/v1alpha1, kind: Workload, spec: {podGroups: [{name: g}]}} | its pods do not wait for each other; those of a PodGroup do",
                "{apiVersion: v1, kind: PersistentVolumeClaim} | volumes keep no pods off nodes",
                "{apiVersion: example.com/v1, kind: Workload} | what its controller does is not played",
                "{apiVersion: example.com/v1, kind: Trainer} | what its controller does is not played",
            })
    void aNoteSaysWhatIsMissing(String object, String consequence) throws IOException {
        assertThat(NotPlayed.consequence(Serialization.yamlMapper().readTree(object)))
                .isEqualTo(consequence);
    }
}
