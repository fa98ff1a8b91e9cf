package dev.fakegpu.publish;

import dev.fakegpu.slices.ServedFields;
import dev.fakegpu.slices.SliceField;
import dev.fakegpu.util.CoalescingWorker;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * What the API server serves and what kube-scheduler does with it, looked at again and again: a restart can change both, and
 * nothing tells of it.
 */
public final class ServerFeatures implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(ServerFeatures.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(15);

    private final FieldProbe probe;
    private final SchedulerMetrics schedulerMetrics;
    private final CoalescingWorker worker;

    private volatile Seen seen = new Seen(ServedFields.ALL, SchedulerGate.Unknown);

    /** What was lost although it is said to be served, by an admission webhook for instance. */
    private final Set<SliceField> lost = Collections.synchronizedSet(EnumSet.noneOf(SliceField.class));

    private volatile Runnable changed = () -> {};

    public ServerFeatures(KubernetesClient client, SchedulerMetrics schedulerMetrics) {
        this.probe = new FieldProbe(client);
        this.schedulerMetrics = schedulerMetrics;
        this.worker = new CoalescingWorker("server-features", this::lookAgain);
    }

    private record Seen(ServedFields fields, SchedulerGate scheduler) {}

    /**
     * Looks once, and returns then; from then on looks by itself.
     *
     * @param whenChanged called on another thread
     */
    void start(Runnable whenChanged) {
        look();
        changed = whenChanged;
        worker.requestIn(BETWEEN_LOOKS);
    }

    ServedFields fields() {
        synchronized (lost) {
            return seen.fields().andDropped(lost);
        }
    }

    /** What kube-scheduler does with compatibility groups, as far as that is known. */
    public SchedulerGate scheduler() {
        return seen.scheduler();
    }

    /** Tells what was sent and not stored. */
    void lost(Set<SliceField> fields) {
        if (lost.addAll(fields)) {
            LOG.infof("the API server does not store %s", texts(fields));
            worker.request();
        }
    }

    @Override
    public void close() {
        worker.close();
    }

    private void lookAgain() {
        try {
            look();
        } finally {
            worker.requestIn(BETWEEN_LOOKS);
        }
    }

    private void look() {
        Seen now;
        try {
            now = new Seen(probe.look(), schedulerMetrics.look());
        } catch (KubernetesClientException e) {
            LOG.debugf(e, "cannot find out what the API server serves; it is looked at again");
            return;
        }
        if (now.equals(seen)) {
            return;
        }
        LOG.infof(
                "fields of slices: unknown to the API server %s, dropped by it %s; kube-scheduler's gate: %s",
                texts(now.fields().unknown()), texts(now.fields().dropped()), now.scheduler());
        seen = now;
        lost.clear();
        changed.run();
    }

    private static List<String> texts(Set<SliceField> fields) {
        return fields.stream().map(SliceField::text).toList();
    }
}
