package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.fakegpu.kube.client.proto.Envelope;
import dev.fakegpu.kube.client.proto.StoredClaim;
import dev.fakegpu.kube.client.proto.StoredClaimStatus;
import dev.fakegpu.kube.client.proto.StoredConsumer;
import dev.fakegpu.kube.client.proto.StoredDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests claims with fields that this version does not know. */
class ClaimBytesTest {

    private static final ByteString MAGIC = ByteString.copyFrom(new byte[] {'k', '8', 's', 0});

    private static final UnknownFieldSet FUTURE = UnknownFieldSet.newBuilder()
            .addField(4711, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
            .build();

    @Test
    void unknownFieldsSurviveWritesOfTheStatus() throws InvalidProtocolBufferException {
        // Given
        ResourceClaim desired = new ResourceClaimBuilder()
                .withNewStatus()
                .addNewReservedFor("", "pod", "pods", "pod-uid")
                .addNewReservedFor("", "new", "pods", "new-uid")
                .addToDevices(new AllocatedDeviceStatusBuilder()
                        .withDriver("d")
                        .withPool("p")
                        .withDevice("x")
                        .build())
                .withNewAllocation()
                .endAllocation()
                .endStatus()
                .build();

        // When
        StoredClaim written =
                decoded(ClaimBytes.read(stored()).withStatusOf(desired).write());

        // Then
        assertThat(written.getUnknownFields()).isEqualTo(FUTURE);
        assertThat(written.getStatus().getUnknownFields()).isEqualTo(FUTURE);
        assertThat(written.getStatus().getReservedForList()).hasSize(2);
        assertThat(written.getStatus().getReservedFor(0).getUnknownFields()).isEqualTo(FUTURE);
        assertThat(written.getStatus().getDevices(0).getUnknownFields()).isEqualTo(FUTURE);
    }

    @Test
    void unknownFieldsSurviveWritesOfMetadata() throws InvalidProtocolBufferException {
        // When
        StoredClaim written = decoded(ClaimBytes.read(stored())
                .withMetadataOf(
                        new ResourceClaimBuilder()
                                .withNewMetadata()
                                .addToAnnotations("known", "a")
                                .endMetadata()
                                .build(),
                        new ResourceClaimBuilder()
                                .withNewMetadata()
                                .addToFinalizers("f")
                                .addToAnnotations("new", "b")
                                .endMetadata()
                                .build())
                .write());

        // Then
        assertThat(written.getMetadata().getFinalizersList()).containsExactly("f");
        assertThat(written.getMetadata().getAnnotationsMap()).isEqualTo(Map.of("not-read", "c", "new", "b"));
        assertThat(written.getMetadata().getUnknownFields()).isEqualTo(FUTURE);
        assertThat(written.getStatus()).isEqualTo(decoded(stored()).getStatus());
    }

    private static byte[] stored() {
        var claim = StoredClaim.newBuilder()
                .setUnknownFields(FUTURE)
                .setStatus(StoredClaimStatus.newBuilder()
                        .setUnknownFields(FUTURE)
                        .addReservedFor(
                                StoredConsumer.newBuilder().setUid("pod-uid").setUnknownFields(FUTURE))
                        .addDevices(StoredDeviceStatus.newBuilder()
                                .setDriver("d")
                                .setPool("p")
                                .setDevice("x")
                                .setUnknownFields(FUTURE)));
        claim.getMetadataBuilder()
                .putAnnotations("known", "a")
                .putAnnotations("not-read", "c")
                .setUnknownFields(FUTURE);
        return MAGIC.concat(Envelope.newBuilder()
                        .setRaw(claim.build().toByteString())
                        .build()
                        .toByteString())
                .toByteArray();
    }

    private static StoredClaim decoded(byte[] bytes) throws InvalidProtocolBufferException {
        var envelope = Envelope.parseFrom(ByteString.copyFrom(bytes).substring(MAGIC.size()));
        return StoredClaim.parseFrom(envelope.getRaw());
    }
}
