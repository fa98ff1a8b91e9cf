package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.cluster.fit.NodeScores;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.settings.TieBreak;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses among the nodes with devices: for kube-scheduler the node with the highest score, for the companion the first one with the best
 * alternatives of prioritized lists.
 */
public final class NodePreference {

    private final SchedulerCache cache;
    private final TieBreak ties;

    public NodePreference(SchedulerCache cache, TieBreak ties) {
        this.cache = cache;
        this.ties = ties;
    }

    public NodeSearch.Preference of(PodRequirements requirements) {
        if (!cache.profile().considersOtherPods()) {
            return NodeSearch.Preference.BEST_ALTERNATIVES;
        }
        var scores = cache.scores(requirements.pod());
        return candidates -> candidates.size() == 1 ? candidates.get(0) : best(candidates, scores, requirements);
    }

    private NodeSearch.Candidate best(
            List<NodeSearch.Candidate> candidates, NodeScores scores, PodRequirements requirements) {
        var listScores = new HashMap<String, Integer>();
        candidates.forEach(candidate -> listScores.put(candidate.node().name(), candidate.listScore()));
        Map<String, Long> sums = scores.of(
                candidates.stream().map(NodeSearch.Candidate::node).toList(),
                node -> listScores.getOrDefault(node.name(), 0));
        long highest = Collections.max(sums.values());
        List<NodeSearch.Candidate> equal = candidates.stream()
                .filter(candidate ->
                        Long.valueOf(highest).equals(sums.get(candidate.node().name())))
                .toList();
        if (equal.size() == 1) {
            return equal.get(0);
        }
        String chosen = ties.choose(
                requirements.pod(),
                equal.stream().map(candidate -> candidate.node().name()).toList());
        return equal.stream()
                .filter(candidate -> candidate.node().name().equals(chosen))
                .findFirst()
                .orElse(equal.get(0));
    }
}
