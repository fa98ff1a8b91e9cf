package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.inventory.Inventory;
import dev.fakegpu.slices.PoolLayout;
import dev.fakegpu.slices.PoolPlan;
import dev.fakegpu.slices.PoolTarget;
import dev.fakegpu.watch.ObjectStore;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** Makes the stored ResourceSlices of a FakeGpu equal to the wanted ones, and looks at what the API server made of them. */
final class PoolPublisher {

    private static final Logger LOG = Logger.getLogger(PoolPublisher.class);

    private final KubernetesClient client;
    private final ObjectStore<ResourceSlice> slices;

    /** False once the API server was seen to drop compatibility groups; without this we would rewrite the slices forever. */
    private volatile boolean groupsServed = true;

    PoolPublisher(KubernetesClient client, ObjectStore<ResourceSlice> slices) {
        this.client = client;
        this.slices = slices;
    }

    boolean groupsServed() {
        return groupsServed;
    }

    /** Whether the stored slices have groups: the proof that they are served. */
    boolean hasGroups(FakeGpu fakeGpu) {
        return stored(fakeGpu).stream().map(SliceReader::read).anyMatch(PoolPublisher::hasGroups);
    }

    /** @return whether anything was written */
    boolean publish(FakeGpu fakeGpu, PoolTarget target, Inventory inventory) {
        FakeGpuSpec spec = fakeGpu.getSpec();
        PoolId pool = target.pool();
        var desired = PoolLayout.slices(target, inventory.published(spec));
        if (!groupsServed) {
            desired = desired.stream().map(PoolPublisher::withoutGroups).toList();
        }
        var stored = stored(fakeGpu).stream()
                .filter(slice -> SliceReader.read(slice).pool().equals(pool))
                .toList();
        var plan = PoolPlan.of(desired, stored.stream().map(SliceReader::read).toList());
        plan.delete().forEach(name -> delete(named(stored, name)));
        plan.apply().forEach(slice -> apply(fakeGpu, slice));
        if (!plan.isEmpty()) {
            LOG.infof(
                    "pool %s: generation %s, %s slices applied, %s deleted",
                    pool, plan.generation(), plan.apply().size(), plan.delete().size());
        }
        return !plan.isEmpty();
    }

    /** Removes all slices of the FakeGpu that belong to none of these pools. */
    boolean removeExcept(FakeGpu fakeGpu, Set<PoolId> pools) {
        var obsolete = stored(fakeGpu).stream()
                .filter(slice -> !pools.contains(SliceReader.read(slice).pool()))
                .toList();
        obsolete.forEach(this::delete);
        return !obsolete.isEmpty();
    }

    Collection<ResourceSlice> stored(FakeGpu fakeGpu) {
        String name = fakeGpu.getMetadata().getName();
        return slices.list().stream()
                .filter(slice -> name.equals(
                        Objects.requireNonNullElse(slice.getMetadata().getLabels(), Map.<String, String>of())
                                .get(Labels.FAKEGPU)))
                .collect(Collectors.toList());
    }

    private void apply(FakeGpu fakeGpu, Slice slice) {
        var wanted = SliceWriter.write(slice);
        wanted.getMetadata()
                .setLabels(Map.of(Labels.FAKEGPU, fakeGpu.getMetadata().getName(), Labels.MANAGED_BY, Labels.OPERATOR));
        wanted.getMetadata().setOwnerReferences(List.of(Owners.reference(fakeGpu)));
        var stored = client.resource(wanted)
                .fieldManager(Labels.OPERATOR)
                .forceConflicts()
                .serverSideApply();
        slices.written(stored);
        if (hasGroups(slice) && !hasGroups(SliceReader.read(stored))) {
            groupsServed = false;
        }
    }

    private void delete(ResourceSlice slice) {
        client.resource(slice).delete();
        slices.deleted(slice);
    }

    private static ResourceSlice named(Collection<ResourceSlice> slices, String name) {
        return slices.stream()
                .filter(slice -> slice.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static boolean hasGroups(Slice slice) {
        return slice.devices().stream()
                .flatMap(device -> device.consumesCounters().stream())
                .anyMatch(consumption -> !consumption.compatibilityGroups().isEmpty());
    }

    private static Slice withoutGroups(Slice slice) {
        return slice.withDevices(slice.devices().stream()
                .map(device -> device.withConsumption(CounterConsumption::withoutGroups))
                .toList());
    }
}
