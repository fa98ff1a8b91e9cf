package dev.fakegpu.operator.explainer;

import dev.fakegpu.cluster.pending.EventText;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/** The last event about each pod and claim, so that no event is written twice. Not thread-safe. */
final class WrittenEvents {

    private static final Logger LOG = Logger.getLogger(WrittenEvents.class);

    private static final Set<EventReason> REASONS = EnumSet.of(
            EventReason.DevicesUnavailable,
            EventReason.ClaimsUnavailable,
            EventReason.GroupsIgnored,
            EventReason.NotRetried,
            EventReason.NoScheduler,
            EventReason.WrongAllocator,
            EventReason.WaitForFirstConsumer);

    private final EventRecorder events;
    private final Map<String, EventText> byUid = new HashMap<>();

    WrittenEvents(EventRecorder events) {
        this.events = events;
    }

    Optional<EventText> last(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /**
     * Writes an event unless the last one about the same object was the same.
     *
     * @param text empty if there is nothing to report any more, in which case an event that has not been written yet is dropped
     */
    void write(HasMetadata about, Optional<EventText> text) {
        String uid = about.getMetadata().getUid();
        if (text.isEmpty() && withdraw(uid)) {
            byUid.remove(uid);
        }
        text.filter(now -> !now.equals(byUid.put(uid, now))).ifPresent(now -> record(about, now));
    }

    private void record(HasMetadata about, EventText text) {
        LOG.infof(
                "%s reason=%s %s=%s/%s: %s",
                text.reason(),
                text.code(),
                about.getKind().toLowerCase(Locale.ROOT),
                about.getMetadata().getNamespace(),
                about.getMetadata().getName(),
                text.text().full());
        var message = new EventRecorder.Message(text.reason(), text.sentence(), text.code());
        if (text.reason() == EventReason.WaitForFirstConsumer) {
            events.normal(about, message);
        } else {
            events.warning(about, message);
        }
    }

    /** Forgets all other objects. */
    void retain(Set<String> uids) {
        byUid.keySet().stream().filter(uid -> !uids.contains(uid)).forEach(this::withdraw);
        byUid.keySet().retainAll(uids);
    }

    /** Drops an event that has not been written yet. Returns whether there was one. */
    private boolean withdraw(String uid) {
        return REASONS.stream().filter(reason -> events.withdraw(uid, reason)).count() > 0;
    }
}
