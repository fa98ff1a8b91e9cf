package dev.fakegpu.kube.events;

import dev.fakegpu.api.Labels;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.Refusals;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.FailureLog;
import dev.fakegpu.util.SafeText;
import dev.fakegpu.util.Sha256;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Records events. For each object and reason, a few are written at once and then one per minute, with the newest message
 * ({@link EventCorrelator}). Repetitions of a message increment the count of one Event. The Event's name is a hash of its content, so
 * several replicas, or a restarted one, increment the same count.
 *
 * <p>Events are best effort: a failed write is logged, at most once a minute, and the caller continues. It is not logged if the namespace
 * is being deleted, since the object is deleted with it. A daemon thread writes delayed messages; those that are left when the process ends
 * are lost.
 */
public final class EventRecorder {

    /** The namespace of events about objects without a namespace. */
    public static final String CLUSTER_SCOPED = "default";

    private static final Duration DELAYED_CHECK = Duration.ofSeconds(1);
    private static final int NAME_LENGTH = 230;
    private static final int HASH_LENGTH = 16;
    private static final Logger LOG = Logger.getLogger(EventRecorder.class);

    /** {@code type} of an Event. */
    public enum Type {
        Normal,
        Warning
    }

    /**
     * The content of an event.
     *
     * @param code the code of a cause, for programs, in the Event's annotation {@code fakegpu.dev/reason}; empty for none
     */
    public record Message(EventReason reason, String text, String code) {}

    private record About(ObjectReference object, Type type, String code) {}

    private final ObjectClient client;
    private final Clock clock;
    private final Ticker ticker;
    private final String component;
    private final EventCorrelator<About> correlator = new EventCorrelator<>();
    private final FailureLog failures;
    private final CoalescingWorker delayedWriter;
    private final AtomicBoolean isCheckPlanned = new AtomicBoolean();

    /** @param component the reporting component, for example {@code fakegpu-companion} */
    public EventRecorder(KubernetesClient client, Clock clock, Ticker ticker, String component) {
        this(client, clock, ticker, component, LOG::warn);
    }

    /** @param log receives warnings about events that cannot be written, of which there are many while the API server has problems */
    EventRecorder(KubernetesClient client, Clock clock, Ticker ticker, String component, Consumer<String> log) {
        this(ObjectClient.patient(client), clock, ticker, component, log, TaskExecutors.THREADS);
    }

    /**
     * Creates a recorder.
     *
     * @param client stores the Events
     * @param executors creates the thread that writes delayed Events
     */
    public EventRecorder(
            ObjectClient client,
            Clock clock,
            Ticker ticker,
            String component,
            Consumer<String> log,
            TaskExecutors executors) {
        this.client = client;
        this.failures = new FailureLog(ticker, log);
        this.clock = clock;
        this.ticker = ticker;
        this.component = component;
        this.delayedWriter = new CoalescingWorker(component + "-events", this::writeDelayed, executors);
    }

    public void normal(HasMetadata regarding, EventReason reason, String message) {
        record(regarding, Type.Normal, new Message(reason, message, ""));
    }

    public void normal(HasMetadata regarding, Message message) {
        record(regarding, Type.Normal, message);
    }

    public void warning(HasMetadata regarding, EventReason reason, String message) {
        record(regarding, Type.Warning, new Message(reason, message, ""));
    }

    public void warning(HasMetadata regarding, Message message) {
        record(regarding, Type.Warning, message);
    }

    /**
     * Drops a delayed message that is no longer true.
     *
     * @return whether there was one
     */
    public boolean withdraw(String uid, EventReason reason) {
        return correlator.withdraw(new EventCorrelator.Key(uid, reason));
    }

    private void record(HasMetadata regarding, Type type, Message message) {
        var object = new ObjectReferenceBuilder()
                .withApiVersion(regarding.getApiVersion())
                .withKind(regarding.getKind())
                .withNamespace(regarding.getMetadata().getNamespace())
                .withName(regarding.getMetadata().getName())
                .withUid(regarding.getMetadata().getUid())
                .build();
        write(correlator.record(
                new EventCorrelator.Key(object.getUid(), message.reason()),
                SafeText.of(message.text(), SafeText.EVENT_MESSAGE),
                new About(object, type, message.code()),
                ticker.now()));
        planCheck();
    }

    private void planCheck() {
        if (correlator.hasDelayed() && isCheckPlanned.compareAndSet(false, true)) {
            delayedWriter.requestIn(DELAYED_CHECK);
        }
    }

    private void writeDelayed() {
        isCheckPlanned.set(false);
        write(correlator.due(ticker.now()));
        planCheck();
    }

    private void write(List<EventCorrelator.Write<About>> writes) {
        writes.forEach(this::write);
    }

    private void write(EventCorrelator.Write<About> write) {
        var event = event(write);
        try {
            if (!write.isRepeated() || !update(event)) {
                create(event);
            }
        } catch (KubernetesClientException e) {
            correlator.failed(write);
            logFailure(write, e);
        }
    }

    private void logFailure(EventCorrelator.Write<About> write, KubernetesClientException e) {
        if (Refusals.isNamespaceTerminating(e)) {
            return;
        }
        failures.failed(
                "cannot record event %s on %s"
                        .formatted(
                                write.key().reason(), write.context().object().getName()),
                e);
    }

    private void create(Event event) {
        try {
            client.create(event);
        } catch (KubernetesClientException e) {
            // A previous process has recorded the event, too.
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || !update(event)) {
                throw e;
            }
        }
    }

    /** Increments the count of the Event. Returns false if the Event does not exist or was deleted. */
    private boolean update(Event event) {
        var stored = client.get(event);
        if (stored == null) {
            return false;
        }
        int before = stored.getCount() == null ? 1 : stored.getCount();
        client.edit(
                stored,
                known -> new EventBuilder(event)
                        .withMetadata(new ObjectMetaBuilder(known.getMetadata())
                                .addToAnnotations(event.getMetadata().getAnnotations())
                                .build())
                        .withFirstTimestamp(known.getFirstTimestamp())
                        .withCount(before + event.getCount())
                        .build());
        return true;
    }

    private Event event(EventCorrelator.Write<About> write) {
        ObjectReference object = write.context().object();
        var timestamp = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(object.getNamespace() == null ? CLUSTER_SCOPED : object.getNamespace())
                .withName(name(write))
                .withAnnotations(annotations(write.context().code()))
                .endMetadata()
                .withInvolvedObject(object)
                .withType(write.context().type().name())
                .withReason(reason(write))
                .withMessage(SafeText.of(write.text(), SafeText.EVENT_MESSAGE))
                .withNewSource()
                .withComponent(component)
                .endSource()
                .withReportingComponent(component)
                .withReportingInstance(component)
                .withCount(write.occurrences())
                .withFirstTimestamp(timestamp)
                .withLastTimestamp(timestamp)
                .build();
    }

    private static String reason(EventCorrelator.Write<About> write) {
        return write.key().reason() == EventReason.Rejected
                ? write.context().code()
                : write.key().reason().name();
    }

    private static Map<String, String> annotations(String code) {
        return code.isEmpty() ? Map.of() : Map.of(Labels.REASON, code);
    }

    private String name(EventCorrelator.Write<About> write) {
        String object = write.context().object().getName();
        var hash = Sha256.hex(String.join(
                        "\n", component, write.key().uid(), write.key().reason().name(), write.distinction()))
                .substring(0, HASH_LENGTH);
        return object.substring(0, Math.min(object.length(), NAME_LENGTH)) + "." + hash;
    }
}
