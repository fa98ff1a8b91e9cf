package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.operator.schedule.SchedulingCycle;
import dev.fakegpu.operator.schedule.cache.NodeGenerations;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The nodes that gave the same answer to pods or claims with the same requirements, such as those that refused them. As long as such a node
 * does not change, its answer holds for the next item with these requirements, which is placed without trying all of these nodes again. Not
 * thread-safe.
 */
public final class UnchangedNodes {

    /** Limits the number of requirements, which users write. */
    private static final int MAX_REQUIREMENTS = 32;

    private static final int PRUNE = 1024;

    private final NodeGenerations generations;
    private final Map<Object, OfRequirements> byRequirements = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, OfRequirements> eldest) {
            return size() > MAX_REQUIREMENTS;
        }
    };

    public UnchangedNodes(NodeGenerations generations) {
        this.generations = generations;
    }

    /** The nodes for one kind of pod or claim. */
    public final class OfRequirements {

        /** The generation at which each node answered. */
        private final Map<String, Long> answeredAt = new HashMap<>();

        private int pruneAt = PRUNE;

        /** Whether the node would answer the same again. */
        public boolean contains(String node) {
            Long at = answeredAt.get(node);
            return at != null && !generations.changedSince(node, at);
        }

        public void add(String node) {
            if (answeredAt.size() >= pruneAt) { // nodes that are gone are never looked up again
                answeredAt.entrySet().removeIf(entry -> generations.changedSince(entry.getKey(), entry.getValue()));
                pruneAt = Math.max(PRUNE, 2 * answeredAt.size());
            }
            answeredAt.put(node, generations.latest());
        }
    }

    /** @param requirements as in {@link SchedulingCycle#place}; those of an item in a class of its own are not remembered */
    public OfRequirements of(Object requirements) {
        return requirements instanceof QueueItem
                ? new OfRequirements()
                : byRequirements.computeIfAbsent(requirements, ignored -> new OfRequirements());
    }
}
