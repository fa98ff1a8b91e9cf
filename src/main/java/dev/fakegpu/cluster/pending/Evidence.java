package dev.fakegpu.cluster.pending;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.fakegpu.cluster.preemption.Preemption;
import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.explain.finding.Explanation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The basis of an answer.
 *
 * @param unfit nodes that do not fit, regardless of free devices
 * @param explanation what prevents an allocation on the other nodes; empty if that was not examined
 * @param requests the pod's own terms for requests that it does not contain itself
 * @param ways changes that would help, each tested with the allocator
 * @param assumed assumptions about the scheduler
 */
public record Evidence(
        List<UnfitNodes> unfit,
        Optional<Explanation> explanation,
        Map<String, String> requests,
        List<WayOut> ways,
        Assumptions assumed) {

    public Evidence {
        unfit = List.copyOf(unfit);
        requests = Map.copyOf(requests);
        ways = List.copyOf(ways);
    }

    /** Evidence for an answer that did not examine devices. */
    static Evidence withoutDevices(List<UnfitNodes> unfit, Assumptions assumed) {
        return new Evidence(unfit, Optional.empty(), Map.of(), List.of(), assumed);
    }

    /** Returns the evidence for another claim with the same requests. */
    Evidence about(ClaimRef claim) {
        return new Evidence(unfit, explanation.map(known -> known.about(claim)), requests, ways, assumed);
    }

    /** Returns the evidence for a pod that has its own terms for some requests. */
    Evidence withRequests(Map<String, String> words) {
        return new Evidence(unfit, explanation, words, ways, assumed);
    }

    /** Returns the evidence with one more change that would help. */
    Evidence with(WayOut way) {
        return new Evidence(
                unfit,
                explanation,
                requests,
                Stream.concat(ways.stream(), Stream.of(way)).toList(),
                assumed);
    }

    /** Nodes that do not fit for the same reason. */
    public record UnfitNodes(String reason, List<String> nodes) {
        public UnfitNodes {
            nodes = List.copyOf(nodes);
        }

        /** @param byReason the names of nodes */
        static List<UnfitNodes> of(Map<String, List<String>> byReason) {
            return byReason.entrySet().stream()
                    .map(entry -> new UnfitNodes(entry.getKey(), entry.getValue()))
                    .toList();
        }
    }

    /**
     * A change that would help.
     *
     * @param nodes the nodes on which it was tested
     * @param text text such as {@code it would fit if ns/a were released}
     * @param releases the claims to be released, as {@code namespace/name}; empty for other changes
     * @param tolerates the taint to be tolerated, as {@code key=value:effect}; empty for other changes
     * @param preempts the pods of lower priority to be preempted, as {@code namespace/name}; empty for other changes
     */
    public record WayOut(
            List<String> nodes,
            String text,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> releases,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String tolerates,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> preempts) {
        public WayOut {
            nodes = List.copyOf(nodes);
            releases = List.copyOf(releases);
            preempts = List.copyOf(preempts);
        }

        static WayOut preempting(Preemption found, String text) {
            return new WayOut(
                    List.of(found.node()),
                    text,
                    List.of(),
                    "",
                    found.victims().stream()
                            .map(pod -> pod.getMetadata().getNamespace() + "/"
                                    + pod.getMetadata().getName())
                            .toList());
        }

        WayOut and(String node) {
            return new WayOut(
                    Stream.concat(nodes.stream(), Stream.of(node)).toList(), text, releases, tolerates, preempts);
        }

        /** Returns text such as {@code on n1: preempts pod a}. */
        public String onItsNodes() {
            return "on " + String.join(", ", nodes) + ": " + text;
        }
    }

    /** The content without findings, which name the object's own claims, and without what depends on its priority. */
    Object content() {
        return List.of(
                unfit, ways.stream().filter(way -> way.preempts().isEmpty()).toList());
    }
}
