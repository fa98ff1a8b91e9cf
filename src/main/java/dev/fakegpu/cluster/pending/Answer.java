package dev.fakegpu.cluster.pending;

import dev.fakegpu.engine.explain.finding.Reason;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is said about a pod or claim.
 *
 * @param code for programs: a name of {@link Code}, {@link dev.fakegpu.engine.explain.finding.Reason} or {@link dev.fakegpu.kube.events.EventReason}
 * @param sentence the first obstacle, or what it has, without a period
 * @param facts more sentences, such as the devices that it holds, and what its scheduler says
 * @param queue who is before it among those that wait for the same; empty if nobody is
 * @param evidence the details about nodes and devices; empty if there are none
 */
public record Answer(
        Subject subject,
        State state,
        String code,
        String sentence,
        List<String> facts,
        String queue,
        Optional<Evidence> evidence) {

    public Answer {
        facts = List.copyOf(facts);
    }

    static Answer of(Subject subject, State state, Code code, String sentence) {
        return new Answer(subject, state, code.name(), sentence, List.of(), "", Optional.empty());
    }

    static Answer pending(Subject subject, Code code, String sentence) {
        return of(subject, State.PENDING, code, sentence);
    }

    static Answer pending(Subject subject, Reason reason, String sentence) {
        return pending(subject, reason.name(), sentence);
    }

    static Answer pending(Subject subject, EventText text) {
        return pending(subject, text.code(), text.full());
    }

    private static Answer pending(Subject subject, String code, String sentence) {
        return new Answer(subject, State.PENDING, code, sentence, List.of(), "", Optional.empty());
    }

    /** About one that holds devices. */
    static Answer unhealthy(Subject subject, String sentence) {
        return new Answer(
                subject, State.UNHEALTHY, Reason.DevicesUnhealthy.name(), sentence, List.of(), "", Optional.empty());
    }

    Answer with(Evidence details) {
        return new Answer(subject, state, code, sentence, facts, queue, Optional.of(details));
    }

    Answer withFacts(List<String> more) {
        return new Answer(
                subject,
                state,
                code,
                sentence,
                Stream.concat(facts.stream(), more.stream()).toList(),
                queue,
                evidence);
    }

    /** It waits for another reason. */
    Answer because(Code other, String why) {
        return new Answer(subject, State.PENDING, other.name(), why, facts, "", evidence);
    }

    Answer behind(String others) {
        return new Answer(subject, state, code, sentence, facts, others, evidence);
    }

    /** The same as an answer about another object. */
    Answer about(Subject other, String beginning) {
        return new Answer(other, state, code, beginning + sentence, facts, queue, evidence);
    }

    /** Equal for answers that say the same about different objects of a namespace. */
    Object content() {
        return List.of(
                subject.kind(),
                subject.namespace(),
                state,
                code,
                sentence,
                facts,
                evidence.map(Evidence::content).orElse(List.of()));
    }
}
