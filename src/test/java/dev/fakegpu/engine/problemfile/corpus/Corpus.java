package dev.fakegpu.engine.problemfile.corpus;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All problems by topic. */
public final class Corpus {

    private Corpus() {}

    public static Map<String, List<ObjectNode>> topics() {
        return new TreeMap<>(Map.of(
                "capacity", CapacityCases.problems(),
                "constraints", ConstraintCases.problems(),
                "counters", CounterCases.problems(),
                "groups", GroupCases.problems(),
                "nodes", NodeCases.problems(),
                "pools", PoolCases.problems(),
                "requests", RequestCases.problems(),
                "taints", TaintCases.problems()));
    }
}
