package dev.fakegpu.cluster.fit;

import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.finding.Phrases;
import java.util.Collection;
import java.util.function.Predicate;

/** Finds nodes that have devices for a pod but do not fit it otherwise, which is more important than what other nodes lack. */
public final class DevicesElsewhere {

    /** Limited because each try takes some milliseconds. */
    private static final int MAX_TRIED = 8;

    private DevicesElsewhere() {}

    /**
     * The beginning of a sentence about the nodes that fit; empty if there is no such node among the first other nodes.
     *
     * @param serves whether the pod's claims could be allocated on a node
     */
    public static String beginning(Collection<SchedulableNode> nodes, PodFit fit, Predicate<NodeInfo> serves) {
        return nodes.stream()
                .filter(node -> !fit.fits(node))
                .limit(MAX_TRIED)
                .filter(node -> serves.test(node.devices()))
                .findFirst()
                .map(node -> "%s has the devices, but does not fit the pod (%s); "
                        .formatted(node.name(), String.join(", ", fit.details(node))))
                .orElse("");
    }

    /**
     * A sentence about nodes that fit, after that beginning.
     *
     * @param beginning may be empty
     */
    public static String before(String beginning, String sentence) {
        return !beginning.isEmpty() && sentence.startsWith(Phrases.NO_DEVICES)
                ? beginning + "nodes that fit it have none" + sentence.substring(Phrases.NO_DEVICES.length())
                : beginning + sentence;
    }
}
