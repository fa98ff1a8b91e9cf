package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.PlacementFields;
import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.Scheduler;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/** Explains fields of pods that restrict their placement and that are not supported. */
final class PlacementFacts {

    private PlacementFacts() {}

    /**
     * Why the companion does not place the pod because of such fields; empty if they are not the reason, or if another scheduler places it.
     */
    static Optional<String> refusal(Pod pod, ClusterSnapshot cluster) {
        return Scheduler.of(pod) == Scheduler.COMPANION
                ? PlacementFields.refusal(pod, Assumptions.unsupportedFields(cluster))
                : Optional.empty();
    }

    /** Sentences about what else may keep a pod of another scheduler off nodes that fit it. */
    static List<String> notExamined(Pod pod) {
        if (Scheduler.of(pod) == Scheduler.COMPANION) {
            return List.of();
        }
        List<String> fields = PlacementFields.of(pod);
        return fields.isEmpty()
                ? List.of()
                : List.of("its scheduler may exclude nodes because of %s; this is not examined"
                        .formatted(PlacementFields.listed(fields)));
    }
}
