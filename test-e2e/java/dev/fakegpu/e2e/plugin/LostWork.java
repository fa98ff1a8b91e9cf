package dev.fakegpu.e2e.plugin;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Counts the failures of workloads in a namespace at one time, without waiting for anything. */
record LostWork(KubernetesClient client, String namespace) {

    /** Deletes the pods of an application that do not run. Returns their number. */
    int deleteStuck(String app) {
        List<Pod> stuck = stuck(app);
        stuck.forEach(pod -> client.resource(pod).delete());
        return stuck.size();
    }

    List<Pod> stuck(String app) {
        return pods(app).stream().filter(pod -> !isRunning(pod)).toList();
    }

    int running(String app) {
        return (int) pods(app).stream().filter(LostWork::isRunning).count();
    }

    private List<Pod> pods(String app) {
        return client.pods().inNamespace(namespace).withLabel("app", app).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    private static boolean isRunning(Pod pod) {
        return pod.getStatus().getPhase().equals("Running");
    }

    /** The conditions of a Job, with their reasons. */
    String conditions(String job) {
        return client
                .batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName(job)
                .require()
                .getStatus()
                .getConditions()
                .stream()
                .map(condition -> condition.getType() + " " + condition.getReason())
                .collect(Collectors.joining(", "));
    }

    /** @param reason of the events of pods; empty for all */
    int events(String reason) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getKind().equals("Pod"))
                .filter(event -> reason.isEmpty() || event.getReason().equals(reason))
                .mapToInt(LostWork::occurrences)
                .sum();
    }

    /** kube-scheduler writes events of {@code events.k8s.io}, which count in a series. */
    private static int occurrences(Event event) {
        return event.getSeries() == null
                ? Objects.requireNonNullElse(event.getCount(), 1)
                : event.getSeries().getCount();
    }
}
