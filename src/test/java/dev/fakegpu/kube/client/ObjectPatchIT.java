package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.dra.RawJson;
import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfigurationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests claims as clients in other languages write them, with all kinds of changes that the operator makes to claims. */
class ObjectPatchIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
    private static final String FINALIZER = "resource.kubernetes.io/delete-protection";

    private final KubernetesClient client = controlPlane.client();

    @AfterEach
    void removeClaims() {
        client.resources(ResourceClaim.class)
                .inNamespace("default")
                .list()
                .getItems()
                .forEach(claim -> {
                    client.resource(claim).delete();
                    if (!claim.getMetadata().getFinalizers().isEmpty()) {
                        ObjectPatch.update(
                                client,
                                client.resource(claim).get(),
                                new ResourceClaimBuilder(client.resource(claim).get())
                                        .editMetadata()
                                        .withFinalizers()
                                        .endMetadata()
                                        .build());
                    }
                });
    }

    static Stream<String> parameters() {
        return Stream.of(
                "{\"iommu\":{\"z\":1,\"a\":2},\"kind\":\"VfioDeviceConfig\",\"apiVersion\":\"resource.nvidia.com/v1beta1\"}",
                "{\"domainID\":\"q\",\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"spec\":\"x\"}",
                "{\"kind\": \"Config\", \"apiVersion\": \"example.com/v1\", \"with\": \"white space\"}",
                "{\"b\":\"x < y & z > w\"}",
                "{\"b\":\"\\u003c and \\u0026\"}",
                "{\"a\":1.50,\"b\":1e3,\"c\":123456789012345678901234567890}",
                "{\"a\":" + "[".repeat(4000) + "]".repeat(4000) + "}");
    }

    @ParameterizedTest
    @MethodSource("parameters")
    void claimWithAnyParametersCanBeProtectedAllocatedReservedReportedOnAndReleased(String parameters) {
        // Given
        ResourceClaim claim = created(parameters);

        // When
        ResourceClaim protectedClaim = ObjectPatch.update(
                client,
                claim,
                new ResourceClaimBuilder(claim)
                        .editMetadata()
                        .addToFinalizers(FINALIZER)
                        .addToAnnotations("example.com/why", "a < b")
                        .endMetadata()
                        .build());
        ResourceClaim allocated = ObjectPatch.updateStatus(client, protectedClaim, allocated(protectedClaim));
        ResourceClaim prepared = ObjectPatch.updateStatus(client, allocated, prepared(allocated));

        // Then
        assertThat(prepared.getMetadata().getFinalizers()).containsExactly(FINALIZER);
        assertThat(prepared.getMetadata().getAnnotations()).containsEntry("example.com/why", "a < b");
        assertThat(prepared.getSpec()).isEqualTo(claim.getSpec());
        assertThat(prepared.getStatus().getReservedFor()).hasSize(1);
        assertThat(prepared.getStatus().getDevices())
                .singleElement()
                .satisfies(status -> assertThat(RawJson.of(status.getData()).fields())
                        .containsEntry("text", new RawJson("\"a < b\"")));

        // When
        ResourceClaim released = ObjectPatch.updateStatus(
                client,
                prepared,
                new ResourceClaimBuilder(prepared).withNewStatus().endStatus().build());
        ResourceClaim unprotected = ObjectPatch.update(
                client,
                released,
                new ResourceClaimBuilder(released)
                        .editMetadata()
                        .removeFromFinalizers(FINALIZER)
                        .endMetadata()
                        .build());

        // Then
        assertThat(unprotected.getStatus().getAllocation()).isNull();
        assertThat(unprotected.getMetadata().getFinalizers()).isEmpty();
    }

    /**
     * The parameters have the maximum depth for 10 KiB. For a merge patch that repeats so many of them, the API server would need minutes,
     * and gives up after 34 s.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 12, 24})
    void claimWithManyDeeplyNestedParametersCanBeAllocatedReportedOnAndReleased(int configs) {
        // Given
        String nested = "{\"a\":" + "[".repeat(4900) + "]".repeat(4900) + "}";
        ResourceClaim claim = created(Collections.nCopies(configs, nested));

        // When
        ResourceClaim allocated = ObjectPatch.updateStatus(client, claim, allocated(claim));
        ResourceClaim reported = ObjectPatch.updateStatus(
                client,
                allocated,
                new ResourceClaimBuilder(allocated)
                        .editStatus()
                        .withDevices(new AllocatedDeviceStatusBuilder()
                                .withDriver("gpu.example.com")
                                .withPool("p")
                                .withDevice("d")
                                .withData(new RawJson(nested))
                                .build())
                        .endStatus()
                        .build());

        // Then
        assertThat(reported.getSpec()).isEqualTo(claim.getSpec());
        assertThat(reported.getStatus().getAllocation().getDevices().getConfig())
                .hasSize(configs)
                .allSatisfy(
                        config -> assertThat(config.getOpaque().getParameters()).isEqualTo(new RawJson(nested)));
        assertThat(reported.getStatus().getDevices())
                .singleElement()
                .satisfies(status -> assertThat(status.getData()).isEqualTo(new RawJson(nested)));

        // When
        ResourceClaim released = ObjectPatch.updateStatus(
                client,
                reported,
                new ResourceClaimBuilder(reported).withNewStatus().endStatus().build());

        // Then
        assertThat(released.getStatus().getAllocation()).isNull();
        assertThat(released.getStatus().getDevices()).isEmpty();
        assertThat(released.getStatus().getReservedFor()).isEmpty();
    }

    /** kube-scheduler does this because it copies parameters as bytes. */
    @Test
    void claimThatWasAllocatedWithOtherBytesCanBeReportedOn() {
        // Given
        ResourceClaim claim = created("{\"kind\": \"Config\", \"b\": \"x < y\"}");
        ResourceClaim allocated = client.getKubernetesSerialization()
                .unmarshal(
                        client.raw(
                                CLAIMS + "/" + claim.getMetadata().getName() + "/status",
                                "PUT",
                                withAllocation(claim, "{\"kind\": \"Config\", \"b\": \"x < y\"}")),
                        ResourceClaim.class);

        // When
        ResourceClaim prepared = ObjectPatch.updateStatus(client, allocated, prepared(allocated));

        // Then
        assertThat(prepared.getStatus().getDevices())
                .singleElement()
                .satisfies(status -> assertThat(status.getConditions())
                        .singleElement()
                        .satisfies(condition -> {
                            assertThat(condition.getReason()).isEqualTo("Prepared");
                            assertThat(condition.getLastTransitionTime()).isEqualTo("2026-01-02T03:04:05Z");
                        }));
        assertThat(prepared.getStatus().getAllocation())
                .isEqualTo(allocated.getStatus().getAllocation());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"with\": \"white space\"}"})
    void olderVersionIsAConflict(String parameters) {
        // Given
        ResourceClaim old = created(parameters);
        ObjectPatch.update(client, old, annotated(old, "1"));

        // Then
        assertThatThrownBy(() -> ObjectPatch.update(client, old, annotated(old, "2")))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(409));
    }

    @Test
    void anotherObjectOfTheNameIsAConflict() {
        // Given
        ResourceClaim old = created("{}");
        client.resource(old).delete();
        var again = new ResourceClaimBuilder(old)
                .editMetadata()
                .withUid(null)
                .withResourceVersion(null)
                .endMetadata()
                .build();
        client.resource(again).create();

        // Then
        assertThatThrownBy(() -> ObjectPatch.update(client, old, annotated(old, "2")))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(409));
    }

    private static ResourceClaim annotated(ResourceClaim claim, String value) {
        return new ResourceClaimBuilder(claim)
                .editMetadata()
                .addToAnnotations("example.com/a", value)
                .endMetadata()
                .build();
    }

    private ResourceClaim created(String parameters) {
        return created(List.of(parameters));
    }

    private ResourceClaim created(List<String> parameters) {
        String configs = parameters.stream()
                .map("{\"opaque\":{\"driver\":\"gpu.example.com\",\"parameters\":%s}}"::formatted)
                .collect(Collectors.joining(","));
        String json = """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"%s","namespace":"default"},
                 "spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"x"}}],
                                    "config":[%s]}}}""".formatted("claim-" + UUID.randomUUID(), configs);
        return client.getKubernetesSerialization().unmarshal(client.raw(CLAIMS, "POST", json), ResourceClaim.class);
    }

    private static ResourceClaim allocated(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editOrNewStatus()
                .withNewAllocation()
                .withNewDevices()
                .addNewResult()
                .withRequest("r")
                .withDriver("gpu.example.com")
                .withPool("p")
                .withDevice("d")
                .endResult()
                .addAllToConfig(claim.getSpec().getDevices().getConfig().stream()
                        .map(config -> new DeviceAllocationConfigurationBuilder()
                                .withSource("FromClaim")
                                .withOpaque(config.getOpaque())
                                .build())
                        .toList())
                .endDevices()
                .endAllocation()
                .addNewReservedFor()
                .withResource("pods")
                .withName("pod")
                .withUid("pod-uid")
                .endReservedFor()
                .endStatus()
                .build();
    }

    private static ResourceClaim prepared(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editStatus()
                .withDevices(new AllocatedDeviceStatusBuilder()
                        .withDriver("gpu.example.com")
                        .withPool("p")
                        .withDevice("d")
                        .withConditions(new ConditionBuilder()
                                .withType("Ready")
                                .withStatus("True")
                                .withReason("Prepared")
                                .withMessage("")
                                .withLastTransitionTime("2026-01-02T03:04:05Z")
                                .build())
                        .withData(Map.of("text", "a < b"))
                        .build())
                .endStatus()
                .build();
    }

    private String withAllocation(ResourceClaim claim, String parameters) {
        String json = client.getKubernetesSerialization().asJson(allocated(claim));
        int at = json.lastIndexOf("\"parameters\":") + "\"parameters\":".length();
        String normalized = RawJson.of(claim.getSpec()
                        .getDevices()
                        .getConfig()
                        .get(0)
                        .getOpaque()
                        .getParameters())
                .text();
        return json.substring(0, at) + parameters + json.substring(at + normalized.length());
    }
}
