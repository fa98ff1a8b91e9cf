package dev.fakegpu.explain;

import java.util.List;

/**
 * Why claims cannot be allocated.
 *
 * @param sentence for a person, at most {@value #MAX_SENTENCE} characters, without a full stop
 * @param findings by node; empty where the claims cannot be allocated on any node as they are
 */
public record Explanation(Reason reason, String sentence, List<Finding> findings) {

    /** What an Event can carry as its message. */
    public static final int MAX_SENTENCE = 1024;

    public Explanation {
        findings = List.copyOf(findings);
    }
}
