package dev.fakegpu.e2e.bench;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records when the pods of a namespace were seen to be bound or refused, in nanoseconds of {@link System#nanoTime}. */
final class PodTimes implements Watcher<Pod>, AutoCloseable {

    private final Map<String, Long> bound = new ConcurrentHashMap<>();
    private final Map<String, Long> refused = new ConcurrentHashMap<>();
    private final Watch watch;

    PodTimes(KubernetesClient client, String namespace) {
        watch = client.pods().inNamespace(namespace).watch(this);
    }

    Map<String, Long> bound() {
        return bound;
    }

    Map<String, Long> refused() {
        return refused;
    }

    @Override
    public void eventReceived(Action action, Pod pod) {
        long now = System.nanoTime();
        String name = pod.getMetadata().getName();
        if (pod.getSpec().getNodeName() != null) {
            bound.putIfAbsent(name, now);
        }
        if (pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> "Unschedulable".equals(condition.getReason()))) {
            refused.putIfAbsent(name, now);
        }
    }

    @Override
    public void onClose(WatcherException cause) {
        throw new IllegalStateException("the watch on pods ended, so that times would be missed", cause);
    }

    @Override
    public void close() {
        watch.close();
    }
}
