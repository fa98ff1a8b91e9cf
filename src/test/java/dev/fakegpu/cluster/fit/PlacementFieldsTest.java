package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementFieldsTest {

    private static final String TERM = "[{topologyKey: zone, labelSelector: {matchLabels: {a: b}}}]";

    /** @param spec fields of the spec, as YAML on one line */
    private static Pod pod(String spec) {
        return TestObjects.pod("{name: a, namespace: team}", "spec: {%s}".formatted(spec));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " + TERM
                        + "}} | spec.affinity.podAffinity",
                "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " + TERM
                        + "}} | spec.affinity.podAntiAffinity",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]"
                        + " | spec.topologySpreadConstraints",
                "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}] | spec.volumes.persistentVolumeClaim",
                "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {}}}}] | spec.volumes.ephemeral",
                "volumes: [{name: v, awsElasticBlockStore: {volumeID: v}}] | spec.volumes.awsElasticBlockStore",
                "volumes: [{name: v, azureDisk: {diskName: d, diskURI: u}}] | spec.volumes.azureDisk",
                "volumes: [{name: v, azureFile: {secretName: s, shareName: s}}] | spec.volumes.azureFile",
                "volumes: [{name: v, cinder: {volumeID: v}}] | spec.volumes.cinder",
                "volumes: [{name: v, gcePersistentDisk: {pdName: d}}] | spec.volumes.gcePersistentDisk",
                "volumes: [{name: v, iscsi: {iqn: i, lun: 0, targetPortal: t}}] | spec.volumes.iscsi",
                "volumes: [{name: v, portworxVolume: {volumeID: v}}] | spec.volumes.portworxVolume",
                "volumes: [{name: v, rbd: {image: i, monitors: [m]}}] | spec.volumes.rbd",
                "volumes: [{name: v, vsphereVolume: {volumePath: p}}] | spec.volumes.vsphereVolume"
            })
    void aFieldThatRestrictsPlacementIsNamed(String spec, String field) {
        assertThat(PlacementFields.of(pod(spec))).containsExactly(field);
        assertThat(PlacementFields.refusal(pod(spec), UnsupportedFields.REFUSE))
                .hasValue("the companion does not take " + field
                        + " into account; use kube-scheduler for such pods, or set companion.unsupported to Ignore");
        assertThat(PlacementFields.refusal(pod(spec), UnsupportedFields.IGNORE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "containers: [{name: c}]",
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}}",
                "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: zone}}]}}",
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]",
                "volumes: [{name: v, emptyDir: {}}, {name: w, hostPath: {path: /}}, {name: x, configMap: {name: x}}]",
                "containers: [{name: c, ports: [{containerPort: 80, hostPort: 80}]}]"
            })
    void fieldsThatRestrictNothingAreNotNamed(String spec) {
        assertThat(PlacementFields.of(pod(spec))).isEmpty();
        assertThat(PlacementFields.refusal(pod(spec), UnsupportedFields.REFUSE)).isEmpty();
    }

    @Test
    void severalFieldsAreListed() {
        Pod pod = pod(
                "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}, {name: w, ephemeral: {}}, {name: x, rbd: {image: i, monitors: [m]}}]");

        assertThat(PlacementFields.refusal(pod, UnsupportedFields.REFUSE).orElseThrow())
                .startsWith("the companion does not take spec.volumes.persistentVolumeClaim, spec.volumes.ephemeral and"
                        + " spec.volumes.rbd into account; ");
    }

    @Test
    void aPodThatHasItsNodeIsNotRefused() {
        Pod pod = pod("nodeName: n, volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]");

        assertThat(PlacementFields.refusal(pod, UnsupportedFields.REFUSE)).isEmpty();
    }
}
