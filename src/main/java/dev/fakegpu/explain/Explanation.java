package dev.fakegpu.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why claims cannot be allocated.
 *
 * @param sentence for a person, at most {@value #MAX_SENTENCE} characters, without a full stop
 * @param findings most telling first; empty where the claims cannot be allocated on any node as they are
 * @param wayOut the nearest way out on the first finding's node, null if none was found
 */
public record Explanation(
        Reason reason,
        String sentence,
        List<Finding> findings,
        @Nullable Remedy wayOut) {

    /** What an Event can carry as its message. */
    public static final int MAX_SENTENCE = 1024;

    public Explanation {
        findings = List.copyOf(findings);
    }

    /** All findings for a person, one line each, in columns; the sentence where there are none. */
    public List<String> table() {
        return findings.isEmpty() ? List.of(sentence) : FindingTable.of(findings, wayOut);
    }
}
