package dev.fakegpu.operator.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.KwokNode;
import dev.fakegpu.api.Labels;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.hardware.inventory.TimedFaults;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.condition.DriverSharedCondition;
import dev.fakegpu.operator.publish.pool.KubeletPluginPod;
import dev.fakegpu.operator.publish.pool.KubeletPlugins;
import dev.fakegpu.operator.publish.pool.PoolNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
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

/** Decides which FakeGpus to reconcile after changes of other objects in the cluster. */
public final class ReconcileTriggers {

    private final ObjectStores cluster;
    private final Consumer<ResourceID> reconcile;
    private final Consumer<ResourceID> afterAllocation;

    public ReconcileTriggers(ObjectStores cluster, Consumer<ResourceID> reconcile) {
        this(cluster, reconcile, reconcile);
    }

    /** @param afterAllocation receives the FakeGpus whose devices were allocated or released, which happens often */
    public ReconcileTriggers(
            ObjectStores cluster, Consumer<ResourceID> reconcile, Consumer<ResourceID> afterAllocation) {
        this.cluster = cluster;
        this.reconcile = reconcile;
        this.afterAllocation = afterAllocation;
    }

    public void register() {
        cluster.slices().addListener(this::sliceChanged);
        cluster.nodes().addListener(this::nodeChanged);
        cluster.claims().addListener(this::claimChanged);
        cluster.pods().addListener(this::podChanged);
        cluster.deviceClasses().addListener(this::deviceClassChanged);
        cluster.catalogFiles().addListener((before, after) -> modelsChanged());
        cluster.fakeGpus().addListener(this::fakeGpuChanged);
        cluster.settings().addListener((before, after) -> all());
    }

    /** Handles a change that may have changed or added a model. */
    private void modelsChanged() {
        cluster.fakeGpus().list().stream()
                .filter(fakeGpu -> fakeGpu.getSpec().model() != null)
                .forEach(this::reconcile);
    }

    /** Reconciles all FakeGpus. */
    void all() {
        cluster.fakeGpus().list().forEach(this::reconcile);
    }

    /**
     * A published slice may have been edited or deleted by a user. The operator's own writes also arrive here; reconciling after them
     * changes nothing.
     */
    private void sliceChanged(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        var either = before != null ? before : after;
        if (either == null) {
            return;
        }
        reconcileOwner(either);
        var pool = SliceReader.pool(either);
        cluster.fakeGpus().list().stream()
                .filter(fakeGpu -> !FakeGpuOwner.owns(fakeGpu, either))
                .filter(fakeGpu ->
                        PoolNames.couldPublish(fakeGpu, pool) || DriverSharedCondition.concerns(fakeGpu, either))
                .forEach(this::reconcile);
    }

    /** The FakeGpu may have given up a pool that another FakeGpu would publish. */
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
        if (before != null
                && after != null
                && labels(before).equals(labels(after))
                && KwokNode.refusal(before).equals(KwokNode.refusal(after))
                && FakeGpuOwner.name(before).equals(FakeGpuOwner.name(after))) {
            if (SimulatedNode.isReadyForPods(before) != SimulatedNode.isReadyForPods(after)
                    || !capacity(before).equals(capacity(after))) {
                reconcileOwner(after);
            }
            return;
        }
        all();
    }

    private void podChanged(@Nullable Pod before, @Nullable Pod after) {
        if (!KubeletPluginPod.of(before, cluster).equals(KubeletPluginPod.of(after, cluster))) {
            cluster.fakeGpus().list().stream().filter(KubeletPlugins::concerns).forEach(this::reconcile);
        }
    }

    private void claimChanged(@Nullable ResourceClaim before, @Nullable ResourceClaim after) {
        var allocatedBefore = allocated(before);
        var allocatedAfter = allocated(after);
        boolean concernsFaults = !prepared(before).equals(prepared(after)) && anyFaultDependsOnPreparation();
        if (concernsFaults || !allocatedBefore.equals(allocatedAfter)) {
            var pools = Stream.concat(allocatedBefore.stream(), allocatedAfter.stream())
                    .map(DeviceId::poolId)
                    .collect(Collectors.toSet());
            cluster.slicesIn(pools)
                    .flatMap(slice -> FakeGpuOwner.name(slice).stream())
                    .distinct()
                    .map(ResourceID::new)
                    .forEach(concernsFaults ? reconcile : afterAllocation);
        }
    }

    private boolean anyFaultDependsOnPreparation() {
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
        FakeGpuOwner.name(object).map(ResourceID::new).ifPresent(reconcile);
    }

    private void reconcile(FakeGpu fakeGpu) {
        reconcile.accept(ResourceID.fromResource(fakeGpu));
    }

    private static Set<DeviceId> allocated(@Nullable ResourceClaim claim) {
        return claim == null ? Set.of() : Set.copyOf(Allocations.devices(claim));
    }

    private static Set<DeviceId> prepared(@Nullable ResourceClaim claim) {
        return claim == null
                ? Set.of()
                : allocated(claim).stream()
                        .filter(device -> DeviceStatuses.isPrepared(claim, device))
                        .collect(Collectors.toSet());
    }

    /** As text, because amounts that others wrote may be too large to compare as numbers. */
    private static String capacity(Node node) {
        return node.getStatus() == null ? "" : String.valueOf(node.getStatus().getCapacity());
    }

    private static Map<String, String> labels(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
    }
}
