package dev.fakegpu.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why claims cannot be allocated.
 *
 * @param sentence for users, at most {@value #MAX_SENTENCE} characters, without a period at the end
 * @param findings the most informative one first; empty if the claims cannot be allocated on any node, regardless of its devices
 * @param remedy what would make the claims fit on the first finding's node; null if nothing was found
 */
public record Explanation(
        Reason reason,
        String sentence,
        List<Finding> findings,
        @Nullable Remedy remedy) {

    /** Maximum length of an Event's message. */
    public static final int MAX_SENTENCE = 1024;

    public Explanation {
        findings = List.copyOf(findings);
    }

    /** All findings as lines of a table; the sentence if there are none. */
    public List<String> table() {
        return findings.isEmpty() ? List.of(sentence) : FindingTable.of(findings, remedy);
    }
}
