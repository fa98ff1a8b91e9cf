package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.Labels;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the operator knows about a kubelet plugin: its pod, which it watches like all pods. So the plugin writes nothing about itself and
 * needs no right for it; the kubelet finds out whether it is ready, by the plugin's probes.
 *
 * @param drivers the only drivers that it serves; empty for all
 */
public record KubeletPluginPod(String node, boolean isReady, List<String> drivers) {

    public static Optional<KubeletPluginPod> of(@Nullable Pod pod, ObjectStores cluster) {
        return Optional.ofNullable(pod)
                .flatMap(known -> cluster.kubeletPluginNode(known)
                        .map(node -> new KubeletPluginPod(node, Readiness.isPodReady(known), drivers(known))));
    }

    /** The pods of kubelet plugins on a node; two during an upgrade. */
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
