package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceTaint;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An explanation why claims cannot be allocated.
 *
 * @param general the sentence if it does not depend on devices and names no other claims; null if there are findings
 * @param findings the findings, the most informative one first; empty if the claims cannot be allocated on any node, regardless of its
 *     devices
 * @param remedy a change that would make the claims fit on the first finding's node; null if none was found
 * @param neverFits whether releasing anything on any of the nodes would not help; the first finding is then everlasting
 * @param nodes the number of nodes that were tried
 * @param claims the number of claims that are explained
 */
public record Explanation(
        Reason reason,
        @Nullable String general,
        List<Finding> findings,
        @Nullable Remedy remedy,
        boolean neverFits,
        int nodes,
        int claims) {

    /** In characters. A longer sentence says only what is refused, what is in the way, and what would help. */
    public static final int BRIEF = 200;

    /** The maximum length of an Event's message. */
    public static final int MAX_SENTENCE = 1024;

    public Explanation {
        findings = List.copyOf(findings);
    }

    public static Explanation general(Reason reason, String sentence) {
        return new Explanation(reason, Phrases.shorten(sentence, MAX_SENTENCE), List.of(), null, false, 0, 0);
    }

    /** The findings that hold even with nothing allocated: why the claims, or certain alternatives of requests, never fit. */
    public List<Finding> everlasting() {
        return findings.stream().filter(Finding::isEverlasting).toList();
    }

    /** The findings that hold at the moment. */
    public List<Finding> present() {
        return findings.stream().filter(finding -> !finding.isEverlasting()).toList();
    }

    /** Whether these nodes lack the devices, or others hold them, so that it matters whether other nodes have free ones. */
    public boolean isLackHere() {
        return neverFits || reason.isLackOfDevices() || reason == Reason.NotTogether || reason == Reason.DevicesInUse;
    }

    /**
     * Whether kube-scheduler ends its attempt with an error, instead of counting nodes that do not fit. Upstream: the errors of {@code
     * Allocate} other than {@code ErrFailedAllocationOnNode}.
     */
    public boolean isError() {
        boolean isForAll = general != null || findings.get(0).request().isAll();
        return reason.isError() || (reason.isAboutPools() && isForAll);
    }

    /**
     * Whether it would fit if claims released their devices: those that the sentence names, or those of the pod's own gang, because of
     * which it asks for more devices.
     */
    public boolean hasRelease() {
        return remedy instanceof Remedy.Release || needsMoreDevices();
    }

    /** Whether more devices are needed, because claims of the pod's own gang are not released. */
    public boolean needsMoreDevices() {
        return remedy instanceof Remedy.AddDevices;
    }

    /** The claims that would have to be released; empty if something else or nothing would help. */
    public List<ClaimRef> toRelease() {
        return remedy instanceof Remedy.Release release ? release.claims() : List.of();
    }

    /** The taint that would have to be tolerated; empty if something else or nothing would help. */
    public Optional<DeviceTaint> toTolerate() {
        return remedy instanceof Remedy.Tolerate tolerate ? Optional.of(tolerate.taint()) : Optional.empty();
    }

    /** The sentence with all names. */
    public String sentence() {
        return sentence(NameScope.all());
    }

    /** The sentence for users: at most {@value #MAX_SENTENCE} characters, without a period at the end. */
    public String sentence(NameScope reader) {
        return sentence(reader, MAX_SENTENCE);
    }

    /**
     * The sentence for a message that has other parts, too. Clauses that do not fit are omitted.
     *
     * @param length the maximum number of characters
     */
    public String sentence(NameScope reader, int length) {
        return general == null ? new Sentence(this, reader, length).write() : Phrases.shorten(general, length);
    }

    /** The part of the sentence that says what is refused, what is in the way, and what would help, if it depends on devices. */
    public String beginning(NameScope reader) {
        return new Sentence(this, reader, MAX_SENTENCE).beginning();
    }

    /** The same explanation for another claim with the same requests, if this one is about a single claim. */
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

    /** A clause with the change that would make the claims fit on the first finding's node; empty if none was found. */
    public Optional<String> wayOut(NameScope reader) {
        return Optional.ofNullable(remedy)
                .map(known -> Phrases.inFull(reader).waysOut().of(known, null));
    }

    /** A clause with a change that would make a gang fit, in the words of {@link #wayOut(NameScope)}. */
    public static String wayOutOfGang(Remedy remedy, NameScope reader) {
        return Phrases.inFull(reader).waysOut().ofGang(remedy);
    }

    /** All findings as lines of a table, with all names; the sentence if there are no findings. */
    public List<String> table() {
        return findings.isEmpty() ? List.of(sentence()) : FindingTable.of(this);
    }
}
