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
 * Several answers, and what could not be read.
 *
 * @param unreadable objects with fields that this version does not understand
 * @param unanswered a sentence about requested pods and claims that could not be read; empty if there are none
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
     * @param answer the answer about the first of them
     * @param others the others that are equally close to being served
     * @param queued those that have others before them that wait for the same devices
     */
    public record Group(Answer answer, List<Subject> others, List<Subject> queued) {
        public Group {
            others = List.copyOf(others);
            queued = List.copyOf(queued);
        }

        /** Uses the answer about the first object that has none before it, if there is one. */
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

        /** All objects. */
        public Stream<Subject> subjects() {
            return Stream.of(Stream.of(answer.subject()), others.stream(), queued.stream())
                    .flatMap(each -> each);
        }
    }

    /** Groups equal answers. */
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
     * A report about all waiting pods or claims, some of which the caller may not be allowed to see.
     *
     * @param kinds pods, claims or both
     * @param namespace empty for all namespaces
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

    /** What the caller is not allowed to see and its consequences, one text for each. */
    public List<String> notSeen() {
        return unseen.stream()
                .map(each -> each.text() + ": " + Blind.consequence(each))
                .toList();
    }

    /** The text about what is waiting if no explanation covers it. */
    public Optional<String> withoutExplanations() {
        if (isAnyPending()) {
            return Optional.empty();
        }
        return groups.isEmpty() ? Optional.of(unanswered.orElse("No pod and no claim waits for devices.")) : unanswered;
    }

    /** Whether it is known whether anything is pending. */
    public boolean isAnswered() {
        return isAnyPending() || unanswered.isEmpty();
    }

    /** Whether anything is pending or has devices that cannot be prepared. */
    public boolean isAnyPending() {
        return groups.stream().anyMatch(group -> group.answer().state().isStuck());
    }
}
