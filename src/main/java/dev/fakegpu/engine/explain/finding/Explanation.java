package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NameScope;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why claims cannot be allocated.
 *
 * @param general the sentence if it does not depend on devices, and names no other claims; null if there are findings
 * @param findings the most informative one first; empty if the claims cannot be allocated on any node, regardless of its devices
 * @param remedy what would make the claims fit on the first finding's node; null if nothing was found
 * @param neverFits whether nothing that could be released would help on any of the nodes; the first finding is then everlasting
 * @param nodes number of nodes that were tried
 * @param claims number of claims that are explained
 */
public record Explanation(
        Reason reason,
        @Nullable String general,
        List<Finding> findings,
        @Nullable Remedy remedy,
        boolean neverFits,
        int nodes,
        int claims) {

    /** Maximum length of an Event's message. */
    public static final int MAX_SENTENCE = 1024;

    public Explanation {
        findings = List.copyOf(findings);
    }

    public static Explanation general(Reason reason, String sentence) {
        return new Explanation(reason, Phrases.shorten(sentence, MAX_SENTENCE), List.of(), null, false, 0, 0);
    }

    /** What is so even with nothing allocated: why the claims never fit, or certain alternatives of requests. */
    public List<Finding> everlasting() {
        return findings.stream().filter(Finding::isEverlasting).toList();
    }

    /** What stops claims at present. */
    public List<Finding> present() {
        return findings.stream().filter(finding -> !finding.isEverlasting()).toList();
    }

    /** Whether these nodes do not have the devices, so that it matters whether others do. */
    public boolean isLackHere() {
        return neverFits || reason.isLackOfDevices();
    }

    /** Whether the sentence says which claims would have to be released. */
    public boolean hasRelease() {
        return remedy instanceof Remedy.Release;
    }

    /** The claims that would have to be released; empty if something else would help, or nothing. */
    public List<ClaimRef> toRelease() {
        return remedy instanceof Remedy.Release release ? release.claims() : List.of();
    }

    /** The taint that would have to be tolerated; empty if something else would help, or nothing. */
    public Optional<DeviceTaint> toTolerate() {
        return remedy instanceof Remedy.Tolerate tolerate ? Optional.of(tolerate.taint()) : Optional.empty();
    }

    /** With all names. */
    public String sentence() {
        return sentence(NameScope.all());
    }

    /** For users, at most {@value #MAX_SENTENCE} characters, without a period at the end. */
    public String sentence(NameScope reader) {
        return sentence(reader, MAX_SENTENCE);
    }

    /**
     * For a message that has other parts, too. Clauses that do not fit are left out.
     *
     * @param length at most so many characters
     */
    public String sentence(NameScope reader, int length) {
        return general == null ? new Sentence(this, reader, length).write() : Phrases.shorten(general, length);
    }

    /** What is refused, what is in the way, and what would help, if it depends on devices. */
    public String beginning(NameScope reader) {
        return new Sentence(this, reader, MAX_SENTENCE).beginning();
    }

    /** The same, if it is about one claim, for another one with the same requests. */
    public Explanation about(ClaimRef claim) {
        return claims != 1
                ? this
                : new Explanation(
                        reason,
                        general,
                        findings.stream().map(finding -> finding.about(claim)).toList(),
                        remedy,
                        neverFits,
                        nodes,
                        claims);
    }

    /** What would make the claims fit on the first finding's node, as a clause; empty if nothing was found. */
    public Optional<String> wayOut(NameScope reader) {
        return Optional.ofNullable(remedy)
                .map(known -> Phrases.inFull(reader).waysOut().of(known, null));
    }

    /** All findings as lines of a table, with all names; the sentence if there are none. */
    public List<String> table() {
        return findings.isEmpty() ? List.of(sentence()) : FindingTable.of(this);
    }
}
