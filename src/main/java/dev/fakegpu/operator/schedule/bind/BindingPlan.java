package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.cluster.fit.ExtendedResourceClaim;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.util.Moment;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a decision: allocations and reservations of claims, then the binding of the pod.
 *
 * @param item the pod or claim of the decision
 * @param pod for which the claims are reserved; null for a claim without a pod
 * @param node to which the pod is bound; null if it is not bound yet
 * @param steps in write order
 * @param decidedAt the time of the decision
 * @param options the options in effect for the decision
 */
public record BindingPlan(
        QueueItem item,
        @Nullable Pod pod,
        @Nullable String node,
        List<Step> steps,
        Moment decidedAt,
        CompanionOptions options) {

    public BindingPlan {
        steps = List.copyOf(steps);
    }

    /**
     * The writes to one claim.
     *
     * @param claim the version that the decision is based on
     * @param consumers additional consumers for which it is reserved
     * @param allocation null if the claim is already allocated and only gets a reservation
     * @param devices the devices that the claim holds with this allocation
     * @param snapshots of the devices' compatibility groups, recorded with the allocation
     * @param extendedResourceClaim set if the claim must be created first
     * @param created holds the claim once it has been created
     */
    public record Step(
            ResourceClaim claim,
            List<ResourceClaimConsumerReference> consumers,
            @Nullable Allocation allocation,
            List<AllocatedDevice> devices,
            List<AllocatedDeviceStatus> snapshots,
            @Nullable ExtendedResourceClaim extendedResourceClaim,
            AtomicReference<@Nullable ResourceClaim> created) {

        Step(
                ResourceClaim claim,
                List<ResourceClaimConsumerReference> consumers,
                @Nullable Allocation allocation,
                List<AllocatedDevice> devices,
                List<AllocatedDeviceStatus> snapshots,
                @Nullable ExtendedResourceClaim extendedResourceClaim) {
            this(claim, consumers, allocation, devices, snapshots, extendedResourceClaim, new AtomicReference<>());
        }

        /** A reservation of a claim that is already allocated. */
        static Step reserve(ResourceClaim claim, List<ResourceClaimConsumerReference> consumers) {
            return new Step(claim, consumers, null, List.of(), List.of(), null);
        }
    }
}
