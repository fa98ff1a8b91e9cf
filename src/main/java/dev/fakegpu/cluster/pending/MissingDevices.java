package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.OtherNodes;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Which devices a pod lacks, as one sentence: what is refused, what is in the way and what would help on the nodes that fit it, then what
 * FakeGpus do not publish, and how many nodes do not fit. Events, conditions, {@code explain}, {@code what-if}, {@code simulate} and the
 * dashboard all use this sentence. They differ only in the names that the reader may see, and where its length is limited.
 *
 * @param wording converts the sentence to the pod's own terms
 * @param unpublished why there are fewer devices than there could be
 * @param isRetried whether its scheduler ends the attempt with an error, on all nodes
 */
public record MissingDevices(
        Explanation explanation,
        UnaryOperator<String> wording,
        List<String> unpublished,
        OtherNodes otherNodes,
        boolean isRetried) {

    /** The minimum length in characters for the part about devices, regardless of the text before and after it. */
    private static final int MIN_SENTENCE = 300;

    public MissingDevices {
        unpublished = List.copyOf(unpublished);
    }

    /** @param length the maximum number of characters, which only very long names exceed */
    public String sentence(NameScope reader, int length) {
        String end = EventText.joined("", unpublished);
        int rest = length - end.length() - otherNodes.length();
        String devices = wording.apply(explanation.sentence(reader, Math.max(MIN_SENTENCE, rest)));
        return isRetried ? EventText.retried(devices) + end : otherNodes.around(devices + end);
    }
}
