package dev.fakegpu.kube.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.fakegpu.dra.RawJson;
import dev.fakegpu.kube.client.proto.Envelope;
import dev.fakegpu.kube.client.proto.StoredClaim;
import dev.fakegpu.kube.client.proto.StoredCondition;
import dev.fakegpu.kube.client.proto.StoredConsumer;
import dev.fakegpu.kube.client.proto.StoredDeviceStatus;
import dev.fakegpu.kube.client.proto.StoredJson;
import dev.fakegpu.kube.client.proto.StoredTime;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes a claim in Kubernetes' protobuf encoding, which kube-scheduler uses. Everything that is not changed stays the same, byte for
 * byte.
 *
 * <p>This is for claims that no JSON client can write. The API server stores opaque parameters byte for byte but returns them normalized
 * (without white space, and {@code <} as {@code \\u003c}). If a client writes the normalized form back, even in a patch of another field,
 * the API server rejects it as a change to an immutable field. Such claims come from clients that send white space, as Python's does, or do
 * not escape characters as Go does.
 */
final class ClaimBytes {

    static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    /** The first bytes of every object (k8s.io/apimachinery {@code pkg/runtime/serializer/protobuf}). */
    private static final ByteString MAGIC = ByteString.copyFrom(new byte[] {'k', '8', 's', 0});

    private final Envelope envelope;
    private final StoredClaim claim;

    private ClaimBytes(Envelope envelope, StoredClaim claim) {
        this.envelope = envelope;
        this.claim = claim;
    }

    /** @throws IllegalArgumentException if the bytes do not encode an object */
    static ClaimBytes read(byte[] bytes) {
        var object = ByteString.copyFrom(bytes);
        if (!object.startsWith(MAGIC)) {
            throw new IllegalArgumentException("not an object in Kubernetes' binary encoding");
        }
        try {
            var envelope = Envelope.parseFrom(object.substring(MAGIC.size()));
            return new ClaimBytes(envelope, StoredClaim.parseFrom(envelope.getRaw()));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(e);
        }
    }

    byte[] write() {
        return MAGIC.concat(envelope.toBuilder()
                        .setRaw(claim.toByteString())
                        .build()
                        .toByteString())
                .toByteArray();
    }

    /** Whether this is the same version of the same object as {@code read}. */
    boolean isVersionOf(ResourceClaim read) {
        return claim.getMetadata().getUid().equals(read.getMetadata().getUid())
                && claim.getMetadata()
                        .getResourceVersion()
                        .equals(read.getMetadata().getResourceVersion());
    }

    /**
     * The claim with the finalizers of {@code after}, and with the difference between the annotations of {@code before} and {@code after}
     * applied.
     */
    ClaimBytes withMetadataOf(ResourceClaim before, ResourceClaim after) {
        var metadata = claim.getMetadata().toBuilder()
                .clearFinalizers()
                .addAllFinalizers(after.getMetadata().getFinalizers());
        annotations(before).keySet().forEach(metadata::removeAnnotations);
        metadata.putAllAnnotations(annotations(after));
        return new ClaimBytes(envelope, claim.toBuilder().setMetadata(metadata).build());
    }

    private static Map<String, String> annotations(ResourceClaim claim) {
        return Objects.requireNonNullElse(claim.getMetadata().getAnnotations(), Map.of());
    }

    /** The claim with the consumers and device statuses of {@code desired}, and without an allocation if {@code desired} has none. */
    ClaimBytes withStatusOf(ResourceClaim desired) {
        var status = claim.getStatus().toBuilder().clearReservedFor().clearDevices();
        if (desired.getStatus() == null || desired.getStatus().getAllocation() == null) {
            status.clearAllocation();
        }
        if (desired.getStatus() != null) {
            stream(desired.getStatus().getReservedFor()).map(this::consumer).forEach(status::addReservedFor);
            stream(desired.getStatus().getDevices()).map(this::device).forEach(status::addDevices);
        }
        return new ClaimBytes(envelope, claim.toBuilder().setStatus(status).build());
    }

    /** Merges a consumer over the stored one, so that fields not declared here are kept. */
    private StoredConsumer consumer(ResourceClaimConsumerReference reference) {
        var consumer = claim.getStatus().getReservedForList().stream()
                .filter(stored -> stored.getUid().equals(reference.getUid()))
                .findFirst()
                .map(StoredConsumer::toBuilder)
                .orElseGet(StoredConsumer::newBuilder)
                .setResource(reference.getResource())
                .setName(reference.getName())
                .setUid(reference.getUid());
        if (reference.getApiGroup() != null) {
            consumer.setApiGroup(reference.getApiGroup());
        }
        return consumer.build();
    }

    /** Merges a device status over the stored one, so that fields not declared here are kept. */
    private StoredDeviceStatus device(AllocatedDeviceStatus desired) {
        var status = claim.getStatus().getDevicesList().stream()
                .filter(stored -> isOf(stored, desired))
                .findFirst()
                .map(StoredDeviceStatus::toBuilder)
                .orElseGet(StoredDeviceStatus::newBuilder)
                .setDriver(desired.getDriver())
                .setPool(desired.getPool())
                .setDevice(desired.getDevice())
                .clearConditions();
        if (desired.getShareID() != null) {
            status.setShareId(desired.getShareID());
        }
        stream(desired.getConditions()).map(ClaimBytes::condition).forEach(status::addConditions);
        if (desired.getData() != null) {
            String data = RawJson.of(desired.getData()).text();
            status.setData(StoredJson.newBuilder().setRaw(ByteString.copyFrom(data, StandardCharsets.UTF_8)));
        }
        return status.build();
    }

    private static boolean isOf(StoredDeviceStatus stored, AllocatedDeviceStatus desired) {
        return stored.getDriver().equals(desired.getDriver())
                && stored.getPool().equals(desired.getPool())
                && stored.getDevice().equals(desired.getDevice())
                && stored.getShareId().equals(Objects.requireNonNullElse(desired.getShareID(), ""));
    }

    private static StoredCondition condition(Condition desired) {
        var condition = StoredCondition.newBuilder()
                .setType(desired.getType())
                .setStatus(desired.getStatus())
                .setReason(desired.getReason())
                .setMessage(desired.getMessage());
        if (desired.getObservedGeneration() != null) {
            condition.setObservedGeneration(desired.getObservedGeneration());
        }
        if (desired.getLastTransitionTime() != null) {
            var time = Instant.parse(desired.getLastTransitionTime());
            condition.setLastTransitionTime(StoredTime.newBuilder().setSeconds(time.getEpochSecond()));
        }
        return condition.build();
    }

    private static <T> Stream<T> stream(@Nullable List<T> list) {
        return list == null ? Stream.empty() : list.stream();
    }
}
