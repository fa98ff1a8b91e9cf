package dev.fakegpu.schedule;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.schedule.fit.ExtendedResourceClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A decision that is to be written.
 *
 * @param pod whom the claims are reserved for; null for a claim without a pod
 * @param begun when it was made
 * @param options the rules that it was made by
 * @param node to which the pod is to be bound; null if it is not to be bound
 */
record BindingPlan(
        QueueItem item,
        @Nullable Pod pod,
        @Nullable String node,
        List<Step> steps,
        Instant begun,
        CompanionOptions options) {

    BindingPlan {
        steps = List.copyOf(steps);
    }

    /**
     * What becomes of one claim.
     *
     * @param claim as it was when the decision was made
     * @param allocation null if it is allocated already and only reserved
     * @param held the devices that the claim holds by it
     * @param snapshots the compatibility groups that are recorded with it
     * @param special set if the claim has to be created first
     * @param created then the claim that was
     */
    record Step(
            ResourceClaim claim,
            @Nullable Allocation allocation,
            List<AllocatedDevice> held,
            List<AllocatedDeviceStatus> snapshots,
            @Nullable ExtendedResourceClaim special,
            AtomicReference<@Nullable ResourceClaim> created) {

        Step(
                ResourceClaim claim,
                @Nullable Allocation allocation,
                List<AllocatedDevice> held,
                List<AllocatedDeviceStatus> snapshots,
                @Nullable ExtendedResourceClaim special) {
            this(claim, allocation, held, snapshots, special, new AtomicReference<>());
        }

        /** Only a reservation. */
        static Step reserve(ResourceClaim claim) {
            return new Step(claim, null, List.of(), List.of(), null);
        }
    }
}
