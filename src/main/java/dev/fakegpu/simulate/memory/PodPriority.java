package dev.fakegpu.simulate.memory;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Resolves the PriorityClasses of new pods, as the API server does ({@code plugin/pkg/admission/priority}). */
final class PodPriority {

    private static final Map<String, Integer> OF_SYSTEM =
            Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

    private PodPriority() {}

    /**
     * Sets the priority, unless the pod already has one.
     *
     * @throws SimulationException if the pod names a class that does not exist
     */
    static void set(Pod pod, List<PriorityClass> classes) {
        var spec = pod.getSpec();
        if (spec.getPriority() != null) {
            return;
        }
        String name = spec.getPriorityClassName();
        if (name != null) {
            spec.setPriority(value(name, classes)
                    .orElseThrow(() ->
                            new SimulationException("Pod %s: spec.priorityClassName: there is no PriorityClass \"%s\""
                                    .formatted(pod.getMetadata().getName(), name))));
            return;
        }
        classes.stream()
                .filter(each -> Boolean.TRUE.equals(each.getGlobalDefault()))
                .map(PriorityClass::getValue)
                .min(Integer::compareTo)
                .ifPresent(spec::setPriority);
    }

    private static Optional<Integer> value(String name, List<PriorityClass> classes) {
        return Optional.ofNullable(OF_SYSTEM.get(name))
                .or(() -> classes.stream()
                        .filter(each -> each.getMetadata().getName().equals(name))
                        .findFirst()
                        .map(PriorityClass::getValue));
    }
}
