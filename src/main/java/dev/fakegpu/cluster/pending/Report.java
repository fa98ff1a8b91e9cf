package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Several answers, with what could not be read.
 *
 * @param unreadable objects with fields that this version does not understand
 * @param unanswered a sentence about the pods and claims that were asked about and that could not be read; empty if there are none
 */
public record Report(List<Group> groups, List<Unseen> unseen, List<String> unreadable, Optional<String> unanswered) {

    public Report {
        groups = List.copyOf(groups);
        unseen = List.copyOf(unseen);
        unreadable = List.copyOf(unreadable);
    }

    /**
     * Objects with the same explanation.
     *
     * @param answer about the first of them
     * @param others those that are as near to being served
     * @param queued those before which there are others that wait for the same
     */
    public record Group(Answer answer, List<Subject> others, List<Subject> queued) {
        public Group {
            others = List.copyOf(others);
            queued = List.copyOf(queued);
        }

        /** About the first one before which nobody is, if it is among them. */
        static Group of(List<Answer> same) {
            Answer first = same.stream()
                    .filter(answer -> answer.queue().isEmpty())
                    .findFirst()
                    .orElse(same.get(0));
            Map<Boolean, List<Subject>> byQueued = same.stream()
                    .filter(answer -> !answer.equals(first))
                    .collect(Collectors.partitioningBy(
                            answer -> !answer.queue().isEmpty(),
                            Collectors.mapping(Answer::subject, Collectors.toList())));
            return new Group(first, byQueued.getOrDefault(false, List.of()), byQueued.getOrDefault(true, List.of()));
        }

        /** All of them. */
        public Stream<Subject> subjects() {
            return Stream.of(Stream.of(answer.subject()), others.stream(), queued.stream())
                    .flatMap(each -> each);
        }
    }

    /** Puts equal answers together. */
    public static Report of(List<Answer> answers, ClusterSnapshot snapshot) {
        Map<Object, List<Answer>> equal = new LinkedHashMap<>();
        answers.forEach(answer -> equal.computeIfAbsent(answer.content(), ignored -> new ArrayList<>())
                .add(answer));
        return new Report(
                equal.values().stream().map(Group::of).toList(),
                Blind.of(snapshot.objects()),
                snapshot.unreadable(),
                Optional.empty());
    }

    /**
     * The same about all pods or claims that wait, of which the caller may not see some.
     *
     * @param kinds pods, claims or both
     * @param namespace empty for all
     */
    public static Report ofWaiting(
            List<Answer> answers, ClusterSnapshot snapshot, List<ObjectKind> kinds, Optional<String> namespace) {
        Report seen = of(answers, snapshot);
        return new Report(
                seen.groups(),
                seen.unseen(),
                seen.unreadable(),
                Unlisted.sentence(snapshot.objects(), kinds, namespace));
    }

    /** What the caller may not see, and what follows from that, one text for each. */
    public List<String> notSeen() {
        return unseen.stream()
                .map(each -> each.text() + ": " + Blind.consequence(each))
                .toList();
    }

    /** What is said of what waits if no explanation is about that. */
    public Optional<String> withoutExplanations() {
        if (isAnyPending()) {
            return Optional.empty();
        }
        return groups.isEmpty() ? Optional.of(unanswered.orElse("No pod and no claim waits for devices.")) : unanswered;
    }

    /** Whether it is known if anything is pending. */
    public boolean isAnswered() {
        return isAnyPending() || unanswered.isEmpty();
    }

    /** Whether anything is pending, or has devices that cannot be prepared. */
    public boolean isAnyPending() {
        return groups.stream().anyMatch(group -> group.answer().state().isStuck());
    }
}
