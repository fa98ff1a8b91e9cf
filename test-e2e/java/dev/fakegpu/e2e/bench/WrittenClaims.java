package dev.fakegpu.e2e.bench;

import dev.fakegpu.dra.RawJson;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAllocationConfigurationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Claims of a tenant with the maximum size and depth, and the operator's changes to them. */
final class WrittenClaims {

    private static final String DRIVER = "gpu.example.com";

    /** A configuration with the maximum depth for 10 KiB. */
    static final String NESTED = "{\"a\":" + "[".repeat(4900) + "]".repeat(4900) + "}";

    /** A configuration of 10 KiB with the white space that a Python client would send. */
    static final String SPACED = "{\"a\": \"" + "x".repeat(10_000) + "\"}";

    /**
     * The number of configurations in a claim that is below the operator's limit of 256 KiB: alone, and with an allocation that repeats
     * them.
     */
    static final int CONFIGS = 24;

    private static final int ALLOCATED_CONFIGS = 8;
    private static final String ANNOTATION = "fakegpu.dev/not-allocated";

    private final KubernetesClient client;

    WrittenClaims(KubernetesClient client) {
        this.client = client;
    }

    ResourceClaim claim(String parameters, int configs) {
        String config = Collections.nCopies(configs, parameters).stream()
                .map("{\"opaque\":{\"driver\":\"gpu.example.com\",\"parameters\":%s}}"::formatted)
                .collect(Collectors.joining(","));
        String json = """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"%s","namespace":"default"},
                 "spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"x","count":9}}],
                                    "config":[%s]}}}""".formatted(MeasuredWrites.name(), config);
        return read(client.raw("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims", "POST", json));
    }

    ResourceClaim read(String json) {
        return client.getKubernetesSerialization().unmarshal(json, ResourceClaim.class);
    }

    static ResourceClaim allocated(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editOrNewStatus()
                .withNewAllocation()
                .withNewDevices()
                .addAllToResults(IntStream.range(0, ALLOCATED_CONFIGS + 1)
                        .mapToObj(i -> new DeviceRequestAllocationResultBuilder()
                                .withRequest("r")
                                .withDriver(DRIVER)
                                .withPool("p")
                                .withDevice("gpu-" + i)
                                .build())
                        .toList())
                .addAllToConfig(claim.getSpec().getDevices().getConfig().stream()
                        .map(config -> new DeviceAllocationConfigurationBuilder()
                                .withSource("FromClaim")
                                .withOpaque(config.getOpaque())
                                .build())
                        .toList())
                .endDevices()
                .endAllocation()
                .endStatus()
                .build();
    }

    ResourceClaim allocatedClaim() {
        ResourceClaim claim = claim(NESTED, ALLOCATED_CONFIGS);
        return read(client.raw(
                MeasuredWrites.path(claim) + "/" + claim.getMetadata().getName() + "/status", "PUT", allocated(claim)));
    }

    ResourceClaim reportedClaim() {
        var data = IntStream.range(0, ALLOCATED_CONFIGS)
                .mapToObj(i -> status("gpu-" + i, NESTED))
                .toList();
        ResourceClaim claim = new ResourceClaimBuilder(allocatedClaim())
                .editStatus()
                .withDevices(data)
                .endStatus()
                .build();
        return read(client.raw(
                MeasuredWrites.path(claim) + "/" + claim.getMetadata().getName() + "/status", "PUT", claim));
    }

    static AllocatedDeviceStatus status(String device, String data) {
        return new AllocatedDeviceStatusBuilder()
                .withDriver(DRIVER)
                .withPool("p")
                .withDevice(device)
                .withData(new RawJson(data))
                .build();
    }

    static ResourceClaim withData(ResourceClaim claim, String data) {
        return new ResourceClaimBuilder(claim)
                .editStatus()
                .addToDevices(status("gpu-" + ALLOCATED_CONFIGS, data))
                .endStatus()
                .build();
    }

    static ResourceClaim reserved(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editStatus()
                .addNewReservedFor(null, "pod", "pods", "uid")
                .endStatus()
                .build();
    }

    static ResourceClaim protect(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editMetadata()
                .addToFinalizers("resource.kubernetes.io/delete-protection")
                .endMetadata()
                .build();
    }

    static ResourceClaim explained(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editMetadata()
                .addToAnnotations(ANNOTATION, "x".repeat(1024))
                .endMetadata()
                .build();
    }

    /** A claim that is not stored, as for a pod that requests extended resources. */
    ResourceClaim created() {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(MeasuredWrites.name())
                .addToAnnotations("example.com/large", "x".repeat(200_000))
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .addNewRequest()
                .withName("r")
                .withNewExactly()
                .withDeviceClassName("x")
                .endExactly()
                .endRequest()
                .endDevices()
                .endSpec()
                .build();
    }
}
