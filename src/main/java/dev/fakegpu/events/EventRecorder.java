package dev.fakegpu.events;

import dev.fakegpu.util.SafeText;
import dev.fakegpu.util.Sha256;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Records events. Repetitions of a reason and message on the same object increment the count of one Event, at most once per
 * {@link #MIN_INTERVAL}. The Event's name is a hash of its content, so several replicas, or a restarted one, increment the same count.
 *
 * <p>Events are best effort: a failed write is logged, and the caller continues.
 */
public final class EventRecorder {

    private static final Duration MIN_INTERVAL = Duration.ofSeconds(5);
    private static final int REMEMBERED = 4096;
    private static final Logger LOG = Logger.getLogger(EventRecorder.class);

    /** {@code type} of an Event. */
    public enum Type {
        Normal,
        Warning
    }

    private final KubernetesClient client;
    private final Clock clock;
    private final String component;
    private final Map<String, Instant> lastWritten = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
            return size() > REMEMBERED;
        }
    });

    /** @param component the reporting component, for example {@code fakegpu-companion} */
    public EventRecorder(KubernetesClient client, Clock clock, String component) {
        this.client = client;
        this.clock = clock;
        this.component = component;
    }

    public void normal(HasMetadata regarding, EventReason reason, String message) {
        record(regarding, Type.Normal, reason, message);
    }

    public void warning(HasMetadata regarding, EventReason reason, String message) {
        record(regarding, Type.Warning, reason, message);
    }

    private void record(HasMetadata regarding, Type type, EventReason reason, String message) {
        var event = event(regarding, type, reason, SafeText.of(message, SafeText.EVENT_MESSAGE));
        var now = clock.instant();
        var key = event.getMetadata().getNamespace() + "/" + event.getMetadata().getName();
        var last = lastWritten.get(key);
        if (last != null && now.isBefore(last.plus(MIN_INTERVAL))) {
            return;
        }
        try {
            write(event);
            lastWritten.put(key, now);
        } catch (KubernetesClientException e) {
            LOG.warnf(
                    "cannot record event %s on %s: %s",
                    reason, regarding.getMetadata().getName(), e.getMessage());
        }
    }

    private void write(Event event) {
        var events = client.v1().events().inNamespace(event.getMetadata().getNamespace());
        try {
            events.resource(event).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            events.withName(event.getMetadata().getName())
                    .edit(stored -> new EventBuilder(stored)
                            .withCount(stored.getCount() == null ? 2 : stored.getCount() + 1)
                            .withLastTimestamp(event.getLastTimestamp())
                            .build());
        }
    }

    private Event event(HasMetadata regarding, Type type, EventReason reason, String message) {
        var metadata = regarding.getMetadata();
        var namespace = metadata.getNamespace() == null ? "default" : metadata.getNamespace();
        var timestamp = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name(metadata.getName(), metadata.getUid(), reason, message))
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(regarding.getApiVersion())
                .withKind(regarding.getKind())
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withUid(metadata.getUid())
                .endInvolvedObject()
                .withType(type.name())
                .withReason(reason.name())
                .withMessage(message)
                .withNewSource()
                .withComponent(component)
                .endSource()
                .withReportingComponent(component)
                .withReportingInstance(component)
                .withCount(1)
                .withFirstTimestamp(timestamp)
                .withLastTimestamp(timestamp)
                .build();
    }

    private String name(String object, String uid, EventReason reason, String message) {
        var hash = Sha256.hex(String.join("\n", component, uid, reason.name(), message))
                .substring(0, 16);
        return object.substring(0, Math.min(object.length(), 230)) + "." + hash;
    }
}
