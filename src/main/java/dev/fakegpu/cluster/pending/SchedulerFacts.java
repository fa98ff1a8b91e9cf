package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.Scheduler;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Explains a pod's scheduler, and quotes what it reports. */
public final class SchedulerFacts {

    /** Sentences that have this many characters in common are treated as equal. */
    private static final int SAME = 40;

    private SchedulerFacts() {}

    public static boolean isKubeScheduler(Pod pod) {
        return EventText.DEFAULT_SCHEDULER.equals(pod.getSpec().getSchedulerName());
    }

    /** For a pod that no scheduler tries, this is the first problem. */
    static boolean isUnknown(Pod pod) {
        return !isKubeScheduler(pod)
                && Scheduler.of(pod) != Scheduler.COMPANION
                && PodState.scheduled(pod).isEmpty();
    }

    static Answer withoutScheduler(Pod pod, Subject subject, Answer answer) {
        EventText text = EventText.noScheduler(String.valueOf(pod.getSpec().getSchedulerName()));
        return new Answer(
                subject,
                State.PENDING,
                text.code(),
                text.full(),
                Stream.concat(Stream.of("with a scheduler: " + answer.sentence()), answer.facts().stream())
                        .toList(),
                "",
                answer.evidence());
    }

    /** Adds what the pod's scheduler reports unless it is the same; the companion uses the same sentences. */
    static Answer withItsWords(Pod pod, Answer answer) {
        Optional<PodCondition> refused =
                PodState.scheduled(pod).filter(condition -> "False".equals(condition.getStatus()));
        if (refused.isEmpty()) {
            if (answer.code().equals(Code.NotBoundYet.name())) {
                return answer; // its devices have been allocated
            }
            return answer.withFacts(List.of("no scheduler (schedulerName: %s) has reported on it yet"
                    .formatted(pod.getSpec().getSchedulerName())));
        }
        String message = Objects.requireNonNullElse(refused.get().getMessage(), "");
        String beginning =
                answer.sentence().substring(0, Math.min(SAME, answer.sentence().length()));
        return message.isBlank() || message.contains(beginning)
                ? answer
                : answer.withFacts(List.of("its scheduler says: " + message));
    }

    static Answer notVisible(Pod pod, Subject subject) {
        return withItsWords(
                pod, Answer.pending(subject, Code.NotVisible, "your rights do not show which devices could serve it"));
    }
}
