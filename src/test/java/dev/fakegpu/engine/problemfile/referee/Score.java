package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The results of an allocator so far. */
final class Score {

    private final Contestant contestant;
    private final Map<Verdict, Integer> total = new EnumMap<>(Verdict.class);
    private final Map<String, Map<Verdict, Integer>> byTopic = new TreeMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private int notRepeated;

    Score(Contestant contestant) {
        this.contestant = contestant;
    }

    Contestant contestant() {
        return contestant;
    }

    void add(ObjectNode problem, Verdict verdict) {
        total.merge(verdict, 1, Integer::sum);
        for (String topic : Topics.of(problem)) {
            byTopic.computeIfAbsent(topic, ignored -> new EnumMap<>(Verdict.class))
                    .merge(verdict, 1, Integer::sum);
        }
    }

    void add(Finding finding) {
        findings.add(finding);
    }

    /** Records a wrong answer that was correct when the question was repeated. */
    void notRepeated() {
        notRepeated++;
    }

    int wrongOnce() {
        return notRepeated;
    }

    Map<Verdict, Integer> total() {
        return total;
    }

    Map<String, Map<Verdict, Integer>> byTopic() {
        return byTopic;
    }

    List<Finding> findings() {
        return findings;
    }

    @Override
    public String toString() {
        return contestant.name() + " " + total;
    }
}
