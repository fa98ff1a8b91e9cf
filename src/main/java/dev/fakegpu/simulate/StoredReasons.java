package dev.fakegpu.simulate;

import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.simulate.ClusterView.Waiting;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads why pods and claims of a real cluster wait: from the companion's condition and annotation, and from the newest Event with the code
 * of a reason, which the explainer also writes for pods of kube-scheduler.
 */
final class StoredReasons implements ViewReader.Reasons {

    private final Map<String, List<Event>> events = new HashMap<>();

    /** @param events the Events, the newest last */
    StoredReasons(Collection<Event> events) {
        events.forEach(event -> this.events
                .computeIfAbsent(event.getInvolvedObject().getUid(), ignored -> new ArrayList<>())
                .add(event));
    }

    @Override
    public boolean include(Pod pod) {
        return true;
    }

    @Override
    public Optional<Waiting> of(HasMetadata object) {
        Optional<Waiting> byEvent = byEvent(object);
        return object instanceof Pod pod && PodState.isOfCompanion(pod)
                ? byCondition(pod, byEvent).or(() -> byEvent)
                : byAnnotation(object).or(() -> byEvent);
    }

    private Optional<Waiting> byEvent(HasMetadata object) {
        return events.getOrDefault(object.getMetadata().getUid(), List.of()).stream()
                .filter(event -> code(event) != null)
                .reduce((first, last) -> last)
                .map(event -> new Waiting(Objects.requireNonNull(code(event)), event.getMessage()));
    }

    private static @Nullable String code(Event event) {
        var annotations = event.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(Labels.REASON);
    }

    /** The condition is more recent than the Event, since Events are written less often. */
    private static Optional<Waiting> byCondition(Pod pod, Optional<Waiting> byEvent) {
        return PodState.scheduled(pod)
                .filter(condition -> PodState.UNSCHEDULABLE.equals(condition.getReason()))
                .map(PodCondition::getMessage)
                .map(message -> new Waiting(byEvent.map(Waiting::reason).orElse(ClusterView.NOT_SCHEDULED), message));
    }

    private static Optional<Waiting> byAnnotation(HasMetadata claim) {
        var annotations = claim.getMetadata().getAnnotations();
        return Optional.ofNullable(annotations)
                .map(known -> known.get(Labels.NOT_ALLOCATED))
                .map(text -> text.split(": ", 2))
                .filter(parts -> parts.length == 2)
                .map(parts -> new Waiting(parts[0], parts[1]));
    }
}
