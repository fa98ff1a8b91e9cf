package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.Labels;
import dev.fakegpu.api.RegisteredDrivers;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the operator knows about a kubelet plugin from its pod, which it watches like all pods. The kubelet checks with the plugin's probes
 * whether it is ready. Only the plugin itself learns that the kubelet has registered a driver, and reports this in a condition of its pod.
 *
 * @param drivers the only drivers that it serves; empty for all
 * @param registered the drivers that the kubelet has registered according to the plugin; after a crash this may be outdated, but then the
 *     pod is not ready
 */
public record KubeletPluginPod(String node, boolean isReady, List<String> drivers, Set<String> registered) {

    public static Optional<KubeletPluginPod> of(@Nullable Pod pod, ObjectStores cluster) {
        return Optional.ofNullable(pod)
                .flatMap(known -> cluster.kubeletPluginNode(known)
                        .map(node -> new KubeletPluginPod(
                                node, Readiness.isPodReady(known), drivers(known), RegisteredDrivers.of(known))));
    }

    /** The pods of kubelet plugins on a node; there are two during an upgrade. */
    static List<KubeletPluginPod> on(String node, ObjectStores cluster) {
        return cluster.kubeletPlugins(node).stream()
                .flatMap(pod -> of(pod, cluster).stream())
                .toList();
    }

    boolean serves(String driver) {
        return drivers.isEmpty() || drivers.contains(driver);
    }

    private static List<String> drivers(Pod pod) {
        var annotations = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        String drivers = annotations.getOrDefault(Labels.DRIVERS, "");
        return drivers.isEmpty() ? List.of() : List.of(drivers.split(","));
    }
}
