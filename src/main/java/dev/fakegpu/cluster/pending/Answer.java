package dev.fakegpu.cluster.pending;

import dev.fakegpu.engine.explain.finding.Reason;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The answer about a pod or claim.
 *
 * @param code for programs: a name of {@link Code}, {@link dev.fakegpu.engine.explain.finding.Reason} or {@link
 *     dev.fakegpu.kube.events.EventReason}
 * @param sentence the first obstacle, or what the object has, without a period
 * @param facts further sentences, such as the devices that it holds and what its scheduler reports
 * @param queue its position among those that wait for the same devices; empty if none is before it
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

    /** An answer about an object that holds devices with broken hardware. */
    static Answer unhealthy(Subject subject, String sentence) {
        return new Answer(
                subject, State.UNHEALTHY, Reason.DevicesUnhealthy.name(), sentence, List.of(), "", Optional.empty());
    }

    /** The sentence, followed by its position among those that wait for the same devices. */
    public String text() {
        return queue.isEmpty() ? sentence : sentence + "; " + queue;
    }

    Answer saying(String other) {
        return new Answer(subject, state, code, other, facts, queue, evidence);
    }

    Answer with(Evidence details) {
        return new Answer(subject, state, code, sentence, facts, queue, Optional.of(details));
    }

    /** Returns this answer for an object that does not wait for devices. */
    Answer withoutEvidence() {
        return new Answer(subject, state, code, sentence, facts, queue, Optional.empty());
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

    /** Returns this answer with another reason for waiting. */
    Answer because(Code other, String why) {
        return new Answer(subject, State.PENDING, other.name(), why, facts, "", evidence);
    }

    Answer behind(String others) {
        return new Answer(subject, state, code, sentence, facts, others, evidence);
    }

    /** Returns this answer for another object. */
    Answer about(Subject other, String beginning) {
        return new Answer(other, state, code, beginning + sentence, facts, queue, evidence);
    }

    /** Equal for answers that say the same about different objects in a namespace. */
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
