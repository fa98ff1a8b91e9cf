package dev.fakegpu.simulate;

import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.RegisteredDrivers;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Simulates how kubelets register drivers: a driver of a FakeGpu is registered on each node for which it has slices. */
final class DriverRegistrations {

    private final MemoryCluster cluster;
    private final VirtualTime time;

    DriverRegistrations(MemoryCluster cluster, VirtualTime time) {
        this.cluster = cluster;
        this.time = time;
    }

    void start() {
        cluster.stores().slices().addListener((before, after) -> sliceChanged(after));
        cluster.stores().pods().addListener((before, after) -> podChanged(after));
    }

    private void sliceChanged(@Nullable ResourceSlice slice) {
        if (slice != null && slice.getSpec().getNodeName() != null) {
            cluster.stores().kubeletPlugins(slice.getSpec().getNodeName()).forEach(this::podChanged);
        }
    }

    private void podChanged(@Nullable Pod pod) {
        if (pod != null && !registered(pod).containsAll(published(pod))) {
            var unused = time.add(Duration.ZERO, () -> register(pod));
        }
    }

    private void register(Pod pod) {
        Pod stored = cluster.get(pod);
        if (stored == null || registered(stored).containsAll(published(stored))) {
            return;
        }
        Set<String> drivers = new TreeSet<>(registered(stored));
        drivers.addAll(published(stored));
        cluster.mergeStatus(new PodBuilder()
                .withMetadata(stored.getMetadata())
                .withNewStatus()
                .withConditions(RegisteredDrivers.condition(drivers, time.instant()))
                .endStatus()
                .build());
    }

    private static Set<String> registered(Pod plugin) {
        return RegisteredDrivers.of(plugin);
    }

    /** The drivers; empty if the pod does not belong to a plugin. */
    private Set<String> published(Pod pod) {
        return cluster.stores()
                .kubeletPluginNode(pod)
                .map(node -> cluster.stores().slicesFor(node).stream()
                        .filter(slice -> FakeGpuOwner.name(slice).isPresent())
                        .map(slice -> slice.getSpec().getDriver())
                        .collect(Collectors.toSet()))
                .orElseGet(Set::of);
    }
}
