package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.api.RegisteredDrivers;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.RetryBackoff;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reports which drivers the kubelet has registered, in a condition of the plugin's own pod; the operator publishes devices once pods with
 * them can start. When a plugin starts, it resets the report of the previous one. Nothing waits for these writes, since the kubelet is also
 * served without an API server.
 */
final class RegistrationReport implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(RegistrationReport.class);

    private final Set<String> registered = ConcurrentHashMap.newKeySet();
    private final ObjectClient client;
    private final @Nullable ObjectMeta pod;
    private final Clock clock;
    private final RetryBackoff backoff;
    private final CoalescingWorker worker = new CoalescingWorker("registration-report", this::write);
    private @Nullable String failure;

    /** @param pod namespace, name and UID of the plugin's pod; null if it does not run in a pod, in which case nothing is reported */
    RegistrationReport(ObjectClient client, @Nullable ObjectMeta pod, Clock clock, Ticker ticker) {
        this.client = client;
        this.pod = pod;
        this.clock = clock;
        this.backoff = new RetryBackoff(ticker);
    }

    /** Reports that no drivers are registered yet. */
    void start() {
        worker.request();
    }

    void set(String driver, boolean isRegistered) {
        if (isRegistered ? registered.add(driver) : registered.remove(driver)) {
            worker.request();
        }
    }

    private void write() {
        if (pod == null) {
            return;
        }
        try {
            client.mergeStatus(new PodBuilder()
                    .withMetadata(pod)
                    .withNewStatus()
                    .withConditions(RegisteredDrivers.condition(registered, clock.instant()))
                    .endStatus()
                    .build());
            failure = null;
            backoff.retain(Set.of());
        } catch (KubernetesClientException e) {
            String message = String.valueOf(e.getMessage());
            Duration wait = backoff.failed(pod.getUid());
            if (!message.equals(failure)) {
                LOG.warnf(
                        "cannot report to the operator which drivers are registered; trying again in %d s and then at least every minute: the status of pod %s/%s is not updated: %s",
                        wait.toSeconds(), pod.getNamespace(), pod.getName(), message);
            }
            failure = message;
            worker.requestIn(wait);
        }
    }

    /** Leaves the report until the pod is no longer ready or another plugin starts in it. */
    @Override
    public void close() {
        worker.close();
    }
}
