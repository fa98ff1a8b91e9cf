package dev.fakegpu.operator.schedule.settings;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/** Chooses among nodes of which none has a higher score; kube-scheduler does so at random. */
public interface TieBreak {

    /** The one with the fewest allocated devices, and then the first by name. */
    TieBreak FIRST = (pod, nodes) -> nodes.get(0);

    /** @param nodes names, by number of allocated devices and then by name; at least two */
    String choose(Pod pod, List<String> nodes);
}
