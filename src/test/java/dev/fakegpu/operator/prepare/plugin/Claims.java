package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.plugin.proto.dra.Claim;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodePrepareResourcesRequest;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodeUnprepareResourcesRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Claims for tests, whose UIDs are made from their names. */
final class Claims {

    static final String DRIVER = "gpu.example.com";
    static final String POOL = "node-1/fake";

    private Claims() {}

    static ClaimRef ref(String name) {
        return new ClaimRef("default", name, uid(name));
    }

    static String uid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    static DeviceId device(String name) {
        return new DeviceId(DRIVER, POOL, name);
    }

    static PreparedClaim prepared(String claim, String... devices) {
        return new PreparedClaim(
                ref(claim),
                Arrays.stream(devices)
                        .map(device -> new PreparedResult(
                                device(device),
                                List.of("gpu"),
                                null,
                                Map.of(),
                                new CompatibilityGroups(Map.of("gpu-0-counter-set", List.of("mig")))))
                        .toList());
    }

    static ClaimMetadata metadata(String claim) {
        return new ClaimMetadata(DRIVER, ref(claim), null, Map.of());
    }

    static DeviceRequestAllocationResult result(String request, String device) {
        return new DeviceRequestAllocationResultBuilder()
                .withRequest(request)
                .withDriver(DRIVER)
                .withPool(POOL)
                .withDevice(device)
                .build();
    }

    static ResourceClaim allocated(String name, String... devices) {
        return allocated(
                name,
                Arrays.stream(devices).map(device -> result("gpu", device)).toList());
    }

    static ResourceClaim allocated(String name, List<DeviceRequestAllocationResult> results) {
        return unallocated(name)
                .editStatus()
                .withNewAllocation()
                .withNewDevices()
                .withResults(results)
                .endDevices()
                .endAllocation()
                .endStatus()
                .build();
    }

    static ResourceClaimBuilder unallocated(String name) {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .withUid(uid(name))
                .endMetadata()
                .withNewStatus()
                .endStatus();
    }

    static NodePrepareResourcesRequest prepare(String... names) {
        return NodePrepareResourcesRequest.newBuilder()
                .addAllClaims(claims(names))
                .build();
    }

    static NodeUnprepareResourcesRequest unprepare(String... names) {
        return NodeUnprepareResourcesRequest.newBuilder()
                .addAllClaims(claims(names))
                .build();
    }

    /** The claims as in requests of the kubelet. */
    private static List<Claim> claims(String... names) {
        return Arrays.stream(names)
                .map(name -> Claim.newBuilder()
                        .setNamespace("default")
                        .setName(name)
                        .setUid(uid(name))
                        .build())
                .toList();
    }
}
