package dev.fakegpu.operator.schedule.settings;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/** Chooses among nodes with the same score; kube-scheduler chooses at random. */
public interface TieBreak {

    /** Chooses the node with the fewest allocated devices, then the first by name. */
    TieBreak FIRST = (pod, nodes) -> nodes.get(0);

    /** @param nodes at least two names, ordered by number of allocated devices and then by name */
    String choose(Pod pod, List<String> nodes);
}
