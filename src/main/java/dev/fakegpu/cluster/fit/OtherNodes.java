package dev.fakegpu.cluster.fit;

import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Phrases;
import dev.fakegpu.util.SafeText;
import java.util.Collection;
import java.util.function.Predicate;

/**
 * What a sentence about the nodes that fit a pod says about the others. If one of these has the devices, that is more important than what
 * the nodes that fit lack, and comes first. Otherwise, they are counted at the end.
 *
 * @param beginning may be empty
 * @param end with the reasons why the other nodes do not fit; empty if all nodes fit
 * @param shortEnd with only the most frequent reason
 */
public record OtherNodes(String beginning, String end, String shortEnd) {

    public static final OtherNodes NONE = new OtherNodes("", "", "");

    /** Limited because each try takes some milliseconds. */
    private static final int MAX_TRIED = 8;

    /** In characters, so that there is room for what would help. */
    private static final int MAX_BEGINNING = 400;

    /**
     * Finds out what to say.
     *
     * @param here what is missing on the nodes that fit
     * @param nodes all nodes
     * @param serves whether the pod's claims could be allocated on a node; asked only about the first nodes that do not fit
     */
    public static OtherNodes of(
            Explanation here,
            NodeCandidates candidates,
            Collection<SchedulableNode> nodes,
            Predicate<NodeInfo> serves) {
        String count = candidates.unfit();
        if (count.isEmpty()) {
            return NONE;
        }
        String end = "; " + count + ": ";
        var counted = new OtherNodes("", end + candidates.reasons(), end + candidates.mainReason());
        return !here.isLackHere()
                ? counted
                : nodes.stream()
                        .filter(node -> !candidates.fit().fits(node))
                        .limit(MAX_TRIED)
                        .filter(node -> serves.test(node.devices()))
                        .findFirst()
                        .map(node -> new OtherNodes(
                                SafeText.of(
                                                "%s has the devices, but does not fit the pod (%s)"
                                                        .formatted(
                                                                node.name(),
                                                                String.join(
                                                                        ", ",
                                                                        candidates
                                                                                .fit()
                                                                                .details(node))),
                                                MAX_BEGINNING)
                                        + "; ",
                                "",
                                ""))
                        .orElse(counted);
    }

    /** Returns the same without the number of nodes that do not fit. */
    public OtherNodes withoutCount() {
        return new OtherNodes(beginning, "", "");
    }

    /** The number of characters that are always added. */
    public int length() {
        return beginning.length() + shortEnd.length();
    }

    /** The sentence about the nodes that fit, between what is said of the others. A long sentence has only the most frequent reason. */
    public String around(String sentence) {
        String begun = !beginning.isEmpty() && sentence.startsWith(Phrases.NO_DEVICES)
                ? beginning + "nodes that fit it have none" + sentence.substring(Phrases.NO_DEVICES.length())
                : beginning + sentence;
        return begun + (begun.length() + end.length() <= Explanation.BRIEF ? end : shortEnd);
    }
}
