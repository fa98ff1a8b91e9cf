package dev.fakegpu.pending;

import dev.fakegpu.snapshot.ClusterSnapshot;
import dev.fakegpu.snapshot.Unseen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several answers, with what could not be read.
 *
 * @param unreadable objects with fields that this version does not understand
 */
public record Report(List<Group> groups, List<Unseen> unseen, List<String> unreadable) {

    public Report {
        groups = List.copyOf(groups);
        unseen = List.copyOf(unseen);
        unreadable = List.copyOf(unreadable);
    }

    /**
     * Objects with the same explanation.
     *
     * @param answer about the first of them
     */
    public record Group(Answer answer, List<Subject> subjects) {
        public Group {
            subjects = List.copyOf(subjects);
        }
    }

    /** Puts equal answers together. */
    public static Report of(List<Answer> answers, ClusterSnapshot snapshot) {
        Map<Object, List<Answer>> equal = new LinkedHashMap<>();
        answers.forEach(answer -> equal.computeIfAbsent(answer.content(), ignored -> new ArrayList<>())
                .add(answer));
        return new Report(
                equal.values().stream()
                        .map(same -> new Group(
                                first(same), same.stream().map(Answer::subject).toList()))
                        .toList(),
                Blind.of(snapshot.objects()),
                snapshot.unreadable());
    }

    /** One before which nobody is, if it is among them. */
    private static Answer first(List<Answer> same) {
        return same.stream()
                .filter(answer -> answer.queue().isEmpty())
                .findFirst()
                .orElse(same.get(0));
    }

    /** Whether anything is pending. */
    public boolean isAnyPending() {
        return groups.stream().anyMatch(group -> group.answer().state() == State.PENDING);
    }
}
