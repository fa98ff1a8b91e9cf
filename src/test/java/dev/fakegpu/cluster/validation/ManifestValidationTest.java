package dev.fakegpu.cluster.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.testing.ClusterYaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestValidationTest {

    private static List<String> of(String yaml) {
        JsonNode object = ClusterYaml.json(yaml).get(0);
        return ManifestValidation.of(object, KnownKind.of(object).orElseThrow().type()).sentences("").stream()
                .map(sentence -> sentence.split("[: ]", 2)[0])
                .toList();
    }

    @Test
    void aMisspelledFieldDoesNotHideInvalidValues() {
        assertThat(of("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: Large}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClasName: a b, count: -1}}]}}
                """))
                .containsExactly(
                        "spec.devices.requests[0].exactly.deviceClasName",
                        "metadata.name",
                        "spec.devices.requests[0].exactly.deviceClassName",
                        "spec.devices.requests[0].exactly.count");
    }

    /** The fields are written, but cannot be read. */
    @Test
    void whatFollowsFromAnUnreadableFieldIsNotListed() {
        assertThat(of("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: small}
                spec:
                  devices:
                    requests: [{name: [gpu], exactly: {class: gpu.example.com, count: 1}}, {name: nic, exact: {deviceClassName: nic.example.com}, oneOf: []}]
                    constraints: [{requests: [gpu], matchAttribute: example.com/numa}]
                """))
                .containsExactly(
                        "spec.devices.requests[0].name",
                        "spec.devices.requests[0].exactly.class",
                        "spec.devices.requests[1].exact",
                        "spec.devices.requests[1].oneOf");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            v1 | Pod | spec: [] | spec
            apps/v1 | Deployment | spec: {selector: {matchLabels: {a: b}}, template: []} | spec.template
            resource.k8s.io/v1 | ResourceSlice | spec: [x] | spec
            resource.k8s.io/v1 | ResourceClaim | spec: {devices: {request: [{name: gpu, exactly: {deviceClassName: [x]}}]}} \
                | spec.devices.request, spec.devices.request[0].exactly.deviceClassName
            v1 | Pod | spec: {nodeselector: {a: [b]}, containers: [{name: main, image: busybox}]} \
                | spec.nodeselector, spec.nodeselector[a]
            """)
    void whatFollowsFromAnUnreadablePartIsNotListed(String apiVersion, String kind, String rest, String problems) {
        assertThat(of("apiVersion: %s%nkind: %s%nmetadata: {name: a}%n%s".formatted(apiVersion, kind, rest)))
                .containsExactlyInAnyOrder(problems.split(", "));
    }

    @Test
    void quotasAndLimitRangesNeedNoSpec() {
        assertThat(of("{apiVersion: v1, kind: ResourceQuota, metadata: {name: a}}"))
                .isEmpty();
        assertThat(of("{apiVersion: v1, kind: LimitRange, metadata: {name: a}}"))
                .isEmpty();
    }

    @Test
    void namesInMisspelledFieldsAreKnown() {
        assertThat(of("""
                apiVersion: v1
                kind: Pod
                metadata: {name: train}
                spec:
                  containers: [{name: main, image: "busybox:1", resources: {claims: [{name: gpu}, {name: nic}]}}]
                  resourceclaims: [{name: gpu, resourceClaimName: large}]
                """)).containsExactly("spec.resourceclaims", "spec.containers[0].resources.claims[1]");
    }

    @Test
    void aStoredObjectIsNotRefused() {
        assertThat(of("""
                apiVersion: v1
                kind: Pod
                metadata: {name: A, uid: "1"}
                spec: {newer: 1}
                """)).isEmpty();
    }

    @Test
    void aNameIsNeededUnlessItIsGenerated() {
        assertThat(of("{apiVersion: v1, kind: Node, metadata: {}}")).containsExactly("metadata.name");
        assertThat(of("{apiVersion: v1, kind: Node, metadata: {name: }}")).containsExactly("metadata.name");
        assertThat(of("{apiVersion: v1, kind: Node, metadata: {generateName: n-}}"))
                .isEmpty();
    }
}
