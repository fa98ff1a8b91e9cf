package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.inventory.TimedFaults;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which changes in the cluster make which FakeGpus be looked at again. */
final class ReconcileTriggers {

    private final ClusterWatch cluster;
    private final Consumer<ResourceID> reconcile;

    ReconcileTriggers(ClusterWatch cluster, Consumer<ResourceID> reconcile) {
        this.cluster = cluster;
        this.reconcile = reconcile;
    }

    void register() {
        cluster.slices().addListener(this::sliceChanged);
        cluster.nodes().addListener(this::nodeChanged);
        cluster.claims().addListener(this::claimChanged);
        cluster.deviceClasses().addListener(this::deviceClassChanged);
        cluster.catalogFiles().addListener((before, after) -> modelsChanged());
        cluster.fakeGpus().addListener(this::fakeGpuChanged);
        cluster.settings().addListener((before, after) -> all());
    }

    /** A model may be another one than before, or be there at last. */
    private void modelsChanged() {
        cluster.fakeGpus().list().stream()
                .filter(fakeGpu -> fakeGpu.getSpec().model() != null)
                .forEach(this::reconcile);
    }

    /** What all of them depend on has changed. */
    void all() {
        cluster.fakeGpus().list().forEach(this::reconcile);
    }

    /** Somebody edited or deleted what we published. Our own writes come by here too, and then nothing is found to do. */
    private void sliceChanged(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        var either = before != null ? before : after;
        if (either == null) {
            return;
        }
        reconcileOwner(either);
        var pool = PoolPublisher.pool(either);
        var owner = labels(either).get(Labels.FAKEGPU);
        cluster.fakeGpus().list().stream()
                .filter(fakeGpu -> !fakeGpu.getMetadata().getName().equals(owner))
                .filter(fakeGpu -> PoolNames.couldPublish(fakeGpu, pool))
                .forEach(this::reconcile);
    }

    /** One that had a pool may leave it to another. */
    private void fakeGpuChanged(@Nullable FakeGpu before, @Nullable FakeGpu after) {
        if (before == null || (after != null && before.getSpec().equals(after.getSpec()))) {
            return;
        }
        cluster.fakeGpus().list().stream()
                .filter(other ->
                        other.getSpec().pool() != null || before.getSpec().pool() != null)
                .filter(other ->
                        other.getSpec().driver().equals(before.getSpec().driver()))
                .forEach(this::reconcile);
    }

    private void nodeChanged(@Nullable Node before, @Nullable Node after) {
        if (before != null && after != null && labels(before).equals(labels(after))) {
            return;
        }
        all();
    }

    private void claimChanged(@Nullable ResourceClaim before, @Nullable ResourceClaim after) {
        var heldBefore = held(before);
        var heldAfter = held(after);
        if (!heldBefore.equals(heldAfter)
                || (!prepared(before).equals(prepared(after)) && faultsWaitForPreparation())) {
            var pools = Stream.concat(heldBefore.stream(), heldAfter.stream())
                    .map(DeviceId::poolId)
                    .collect(Collectors.toSet());
            cluster.slices().list().stream()
                    .filter(slice -> pools.contains(PoolPublisher.pool(slice)))
                    .map(slice -> labels(slice).get(Labels.FAKEGPU))
                    .filter(Objects::nonNull)
                    .distinct()
                    .forEach(name -> reconcile.accept(new ResourceID(name)));
        }
    }

    private boolean faultsWaitForPreparation() {
        return cluster.fakeGpus().list().stream()
                .flatMap(fakeGpu -> fakeGpu.getSpec().faults().stream())
                .anyMatch(TimedFaults::isSincePreparation);
    }

    private void deviceClassChanged(@Nullable DeviceClass before, @Nullable DeviceClass after) {
        var either = before != null ? before : after;
        if (either != null && Labels.OPERATOR.equals(labels(either).get(Labels.MANAGED_BY))) {
            all();
        }
    }

    private void reconcileOwner(HasMetadata object) {
        String owner = labels(object).get(Labels.FAKEGPU);
        if (owner != null) {
            reconcile.accept(new ResourceID(owner));
        }
    }

    private void reconcile(FakeGpu fakeGpu) {
        reconcile.accept(ResourceID.fromResource(fakeGpu));
    }

    private static Set<DeviceId> held(@Nullable ResourceClaim claim) {
        return claim == null ? Set.of() : Set.copyOf(Allocations.devices(claim));
    }

    private static Set<DeviceId> prepared(@Nullable ResourceClaim claim) {
        return claim == null
                ? Set.of()
                : held(claim).stream()
                        .filter(device -> DeviceStatuses.isPrepared(claim, device))
                        .collect(Collectors.toSet());
    }

    private static Map<String, String> labels(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
    }
}
