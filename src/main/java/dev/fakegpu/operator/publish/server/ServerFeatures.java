package dev.fakegpu.operator.publish.server;

import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.TaskExecutors;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Tracks which fields of slices the API server stores and how kube-scheduler treats compatibility groups. Both are probed periodically,
 * since a restart can change them and causes no event.
 */
public final class ServerFeatures implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(ServerFeatures.class);
    private static final Duration PROBE_INTERVAL = Duration.ofSeconds(15);

    private final Supplier<Probed> prober;
    private final CoalescingWorker worker;

    private volatile Probed probed = new Probed(ServedFields.ALL, SchedulerGate.Unknown);

    /** Fields that were not stored although the API server serves them, for example because an admission webhook removed them. */
    private final Set<SliceField> lost = Collections.synchronizedSet(EnumSet.noneOf(SliceField.class));

    private volatile Runnable whenChanged = () -> {};

    public ServerFeatures(KubernetesClient client, SchedulerGateProbe schedulerGateProbe) {
        var fieldProbe = new FieldProbe(client);
        this.prober = () -> new Probed(fieldProbe.probe(), schedulerGateProbe.probe());
        this.worker = new CoalescingWorker("server-features", this::probeAgain);
    }

    private ServerFeatures(ServedFields fields, SchedulerGate scheduler, TaskExecutors executors) {
        probed = new Probed(fields, scheduler);
        this.prober = () -> probed;
        this.worker = new CoalescingWorker("server-features", this::probeAgain, executors);
    }

    /** The features of a cluster in memory, which never change. */
    public static ServerFeatures fixed(ServedFields fields, SchedulerGate scheduler, TaskExecutors executors) {
        return new ServerFeatures(fields, scheduler, executors);
    }

    private record Probed(ServedFields fields, SchedulerGate scheduler) {}

    /** @param call called whenever a probe has a different result, usually on another thread */
    public void whenChanged(Runnable call) {
        whenChanged = call;
    }

    /** Probes once before it returns, and periodically after that. */
    public void start() {
        probe();
        worker.requestIn(PROBE_INTERVAL);
    }

    public ServedFields fields() {
        synchronized (lost) {
            return probed.fields().andDropped(lost);
        }
    }

    /** How kube-scheduler treats compatibility groups. */
    public SchedulerGate scheduler() {
        return probed.scheduler();
    }

    /** Records fields that were sent but not stored. */
    public void lost(Set<SliceField> fields) {
        if (lost.addAll(fields)) {
            LOG.infof("the API server does not store %s", texts(fields));
            worker.request();
        }
    }

    @Override
    public void close() {
        worker.close();
    }

    private void probeAgain() {
        try {
            probe();
        } finally {
            worker.requestIn(PROBE_INTERVAL);
        }
    }

    private void probe() {
        Probed now;
        try {
            now = prober.get();
        } catch (KubernetesClientException e) {
            LOG.debugf(e, "cannot find out what the API server serves; the next probe tries again");
            return;
        }
        if (now.equals(probed)) {
            return;
        }
        LOG.infof(
                "fields of slices: unknown to the API server %s, dropped by it %s; kube-scheduler's gate: %s",
                texts(now.fields().unknown()), texts(now.fields().dropped()), now.scheduler());
        probed = now;
        lost.clear();
        whenChanged.run();
    }

    private static List<String> texts(Set<SliceField> fields) {
        return fields.stream().map(SliceField::text).toList();
    }
}
