package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.slices.PoolTarget;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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
        cluster.catalogueFiles().addListener((before, after) -> modelsChanged());
    }

    /** A model may be another one than before, or be there at last. */
    private void modelsChanged() {
        cluster.fakeGpus().list().stream()
                .filter(fakeGpu -> fakeGpu.getSpec().model() != null)
                .forEach(this::reconcile);
    }

    /** Somebody edited or deleted what we published. Our own writes come by here too, and then nothing is found to do. */
    private void sliceChanged(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        reconcileOwner(before != null ? before : after);
    }

    private void nodeChanged(@Nullable Node before, @Nullable Node after) {
        if (before != null && after != null && labels(before).equals(labels(after))) {
            return;
        }
        cluster.fakeGpus().list().forEach(this::reconcile);
    }

    private void claimChanged(@Nullable ResourceClaim before, @Nullable ResourceClaim after) {
        Set<String> heldBefore = fakeGpusHeld(before);
        Set<String> heldAfter = fakeGpusHeld(after);
        if (!heldBefore.equals(heldAfter)) {
            var changed = new HashSet<>(heldBefore);
            changed.addAll(heldAfter);
            changed.forEach(name -> reconcile.accept(new ResourceID(name)));
        }
    }

    private void deviceClassChanged(@Nullable DeviceClass before, @Nullable DeviceClass after) {
        var either = before != null ? before : after;
        if (either != null && Labels.OPERATOR.equals(labels(either).get(Labels.MANAGED_BY))) {
            cluster.fakeGpus().list().forEach(this::reconcile);
        }
    }

    private void reconcileOwner(@Nullable HasMetadata object) {
        if (object == null) {
            return;
        }
        String owner = labels(object).get(Labels.FAKEGPU);
        if (owner != null) {
            reconcile.accept(new ResourceID(owner));
        }
    }

    private void reconcile(FakeGpu fakeGpu) {
        reconcile.accept(ResourceID.fromResource(fakeGpu));
    }

    /** The last part of a pool's name is the FakeGpu's ({@link PoolTarget#of}); pools of other drivers match none. */
    private Set<String> fakeGpusHeld(@Nullable ResourceClaim claim) {
        if (claim == null) {
            return Set.of();
        }
        return Allocations.devices(claim).stream()
                .map(DeviceId::pool)
                .map(pool -> pool.substring(pool.lastIndexOf('/') + 1))
                .filter(name -> cluster.fakeGpus().get(null, name).isPresent())
                .collect(Collectors.toSet());
    }

    private static Map<String, String> labels(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
    }
}
