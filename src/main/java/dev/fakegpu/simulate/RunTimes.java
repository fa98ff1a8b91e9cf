package dev.fakegpu.simulate;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.SimulationException;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Lets pods succeed after the run time that they specify. Not thread-safe. */
final class RunTimes {

    /** The annotation that specifies how long a pod runs until it succeeds. A pod without it runs until it is deleted. */
    static final String RUN_TIME = "fakegpu.dev/run-time";

    private final MemoryCluster cluster;
    private final VirtualTime time;

    /** The UIDs of the pods whose end is scheduled. */
    private final Set<String> ending = new HashSet<>();

    RunTimes(MemoryCluster cluster, VirtualTime time) {
        this.cluster = cluster;
        this.time = time;
    }

    void start() {
        cluster.addListener(this::changed);
    }

    private void changed(HasMetadata object) {
        if (object instanceof Pod pod && PodState.isRunning(pod) && !isRestarted(pod)) {
            var annotations = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
            String runTime = annotations.get(RUN_TIME);
            if (runTime != null && ending.add(pod.getMetadata().getUid())) {
                var unused = time.add(duration(pod, runTime), () -> end(pod));
            }
        }
    }

    /** Pods of workloads other than Jobs do not end, since {@code restartPolicy} of their templates must be {@code Always}. */
    private static boolean isRestarted(Pod pod) {
        return Stream.ofNullable(pod.getMetadata().getOwnerReferences())
                .flatMap(List::stream)
                .map(OwnerReference::getKind)
                .anyMatch(kind -> KnownKind.isWorkload(kind) && !kind.equals("Job"));
    }

    private static Duration duration(Pod pod, String runTime) {
        return Durations.parse(runTime)
                .orElseThrow(() -> new SimulationException("Pod %s: annotation %s: \"%s\" is not valid; allowed: %s"
                        .formatted(pod.getMetadata().getName(), RUN_TIME, runTime, Durations.ALLOWED)));
    }

    private void end(Pod pod) {
        Pod stored = cluster.get(pod);
        if (stored != null
                && stored.getMetadata().getUid().equals(pod.getMetadata().getUid())
                && PodState.isRunning(stored)) {
            cluster.updateStatus(
                    stored,
                    new PodBuilder(stored)
                            .editStatus()
                            .withPhase("Succeeded")
                            .endStatus()
                            .build());
        }
    }
}
