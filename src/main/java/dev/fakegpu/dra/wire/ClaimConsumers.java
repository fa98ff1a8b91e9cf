package dev.fakegpu.dra.wire;

import dev.fakegpu.dra.ClaimConsumer;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Reads which objects a claim is reserved for: {@code status.reservedFor} can name pods and any other objects. */
public final class ClaimConsumers {

    private ClaimConsumers() {}

    /** Whether the consumer is a pod of the core group; the metrics API has a resource called pods, too. */
    public static boolean isPod(ResourceClaimConsumerReference consumer) {
        return apiGroup(consumer).isEmpty() && "pods".equals(consumer.getResource());
    }

    public static Stream<ResourceClaimConsumerReference> pods(ResourceClaim claim) {
        return all(claim).filter(ClaimConsumers::isPod);
    }

    /** The consumers that are not pods. */
    public static List<ClaimConsumer> others(ResourceClaim claim) {
        return all(claim)
                .filter(consumer -> !isPod(consumer))
                .map(consumer -> new ClaimConsumer(
                        apiGroup(consumer),
                        Objects.requireNonNullElse(consumer.getResource(), ""),
                        Objects.requireNonNullElse(consumer.getName(), "")))
                .toList();
    }

    private static String apiGroup(ResourceClaimConsumerReference consumer) {
        return Objects.requireNonNullElse(consumer.getApiGroup(), "");
    }

    private static Stream<ResourceClaimConsumerReference> all(ResourceClaim claim) {
        return claim.getStatus() == null
                ? Stream.empty()
                : Stream.ofNullable(claim.getStatus().getReservedFor()).flatMap(List::stream);
    }
}
