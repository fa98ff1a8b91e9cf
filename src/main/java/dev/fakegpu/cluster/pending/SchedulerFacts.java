package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.Scheduler;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is said about a pod's scheduler, and what that says itself. */
final class SchedulerFacts {

    /** Sentences with so many characters in common are taken for the same. */
    private static final int SAME = 40;

    private SchedulerFacts() {}

    /** A pod at which no scheduler looks has that problem first. */
    static boolean isUnknown(Pod pod) {
        return !EventText.DEFAULT_SCHEDULER.equals(pod.getSpec().getSchedulerName())
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

    /** What the pod's scheduler says, unless it says the same: the companion has the same sentences. */
    static Answer withItsWords(Pod pod, Answer answer) {
        Optional<PodCondition> refused =
                PodState.scheduled(pod).filter(condition -> "False".equals(condition.getStatus()));
        if (refused.isEmpty()) {
            if (answer.code().equals(Code.NotBoundYet.name())) {
                return answer; // somebody has allocated its devices
            }
            return answer.withFacts(List.of("no scheduler (schedulerName: %s) has reported on it yet"
                    .formatted(pod.getSpec().getSchedulerName())));
        }
        String message = String.valueOf(refused.get().getMessage());
        String beginning =
                answer.sentence().substring(0, Math.min(SAME, answer.sentence().length()));
        return message.contains(beginning) ? answer : answer.withFacts(List.of("its scheduler says: " + message));
    }

    static Answer notVisible(Pod pod, Subject subject) {
        return withItsWords(
                pod, Answer.pending(subject, Code.NotVisible, "your rights do not show which devices could serve it"));
    }
}
