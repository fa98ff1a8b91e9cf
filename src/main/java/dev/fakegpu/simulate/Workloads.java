package dev.fakegpu.simulate;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What kube-controller-manager makes of objects: pods of Deployments and Jobs, named {@code <name>-<index>}, and claims of pods' templates,
 * named {@code <pod>-<reference>}. Real names end in random characters; these do not change from run to run.
 */
final class Workloads {

    /** How long a pod runs until it succeeds; without this annotation it runs until it is deleted. */
    static final String RUN_TIME = "fakegpu.dev/run-time";

    private final MemoryCluster cluster;
    private final VirtualTime time;
    private final Deque<HasMetadata> changed = new ArrayDeque<>();

    /** UIDs of the pods whose end is due. */
    private final Set<String> ending = new HashSet<>();

    /** Pods whose template does not exist, by namespace and name of the template. */
    private final Map<String, Set<Pod>> waiting = new HashMap<>();

    Workloads(MemoryCluster cluster, VirtualTime time) {
        this.cluster = cluster;
        this.time = time;
        cluster.addListener(this::changed);
    }

    private void changed(HasMetadata object) {
        if (object instanceof Pod pod) {
            changed.add(pod);
            if (PodState.hasEnded(pod) || cluster.get(pod) == null) {
                job(pod).ifPresent(changed::add);
            }
        } else if (object instanceof Deployment || object instanceof Job) {
            changed.add(object);
        } else if (object instanceof ResourceClaimTemplate template) {
            Set<Pod> pods = waiting.remove(key(
                    template.getMetadata().getNamespace(),
                    template.getMetadata().getName()));
            if (pods != null) {
                changed.addAll(pods);
            }
        }
    }

    /** @return whether anything was created or deleted */
    boolean run() {
        long before = cluster.changes();
        while (!changed.isEmpty()) {
            HasMetadata stored = cluster.get(changed.remove());
            if (stored == null || stored.getMetadata().getDeletionTimestamp() != null) {
                continue;
            }
            if (stored instanceof Pod pod) {
                createClaims(pod);
                endInTime(pod);
            } else if (stored instanceof Deployment deployment) {
                var spec = deployment.getSpec();
                scale(deployment, spec.getTemplate(), Objects.requireNonNullElse(spec.getReplicas(), 1));
            } else if (stored instanceof Job job) {
                run(job);
            }
        }
        return cluster.changes() > before;
    }

    private void endInTime(Pod pod) {
        var annotations = pod.getMetadata().getAnnotations();
        String runTime = annotations == null ? null : annotations.get(RUN_TIME);
        if (runTime == null || !isRunning(pod) || !ending.add(pod.getMetadata().getUid())) {
            return;
        }
        Duration duration = Durations.parse(runTime)
                .orElseThrow(() -> new SimulationException("Pod %s: annotation %s: \"%s\" is not valid; allowed: %s"
                        .formatted(pod.getMetadata().getName(), RUN_TIME, runTime, Durations.ALLOWED)));
        var unused = time.add(duration, () -> end(pod));
    }

    private void end(Pod pod) {
        Pod stored = cluster.get(pod);
        if (stored != null
                && stored.getMetadata().getUid().equals(pod.getMetadata().getUid())
                && isRunning(stored)) {
            cluster.updateStatus(
                    stored,
                    new PodBuilder(stored)
                            .editStatus()
                            .withPhase("Succeeded")
                            .endStatus()
                            .build());
        }
    }

    private static boolean isRunning(Pod pod) {
        return "Running".equals(pod.getStatus().getPhase());
    }

    /** The Job that controls the pod. */
    private Optional<Job> job(Pod pod) {
        return Objects.requireNonNullElse(pod.getMetadata().getOwnerReferences(), List.<OwnerReference>of()).stream()
                .filter(owner -> owner.getKind().equals("Job"))
                .flatMap(owner -> Stream.ofNullable(cluster.get(new JobBuilder()
                        .withNewMetadata()
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withName(owner.getName())
                        .endMetadata()
                        .build())))
                .findFirst();
    }

    /** As many pods as it needs, not more than {@code spec.parallelism} at a time; those that failed count as done. */
    private void run(Job job) {
        var spec = job.getSpec();
        int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
        int completions = Objects.requireNonNullElse(spec.getCompletions(), parallelism);
        var active = new ArrayDeque<Pod>();
        var missing = new ArrayDeque<Pod>();
        for (int index = 0; ; index++) {
            Pod pod = pod(job, spec.getTemplate(), index);
            Pod stored = cluster.get(pod);
            if (stored == null && index >= completions) {
                break;
            } else if (stored == null) {
                missing.add(pod);
            } else if (!PodState.hasEnded(stored)) {
                active.add(stored);
            }
        }
        for (int more = parallelism - active.size(); more > 0 && !missing.isEmpty(); more--) {
            cluster.create(missing.remove());
        }
        for (int surplus = active.size() - parallelism; surplus > 0; surplus--) {
            cluster.delete(active.removeLast());
        }
    }

    private void scale(HasMetadata owner, PodTemplateSpec template, int count) {
        for (int index = 0; index < count; index++) {
            Pod pod = pod(owner, template, index);
            if (cluster.get(pod) == null) {
                cluster.create(pod);
            }
        }
        for (int index = count; ; index++) {
            Pod surplus = cluster.get(pod(owner, template, index));
            if (surplus == null) {
                return;
            }
            cluster.delete(surplus);
        }
    }

    private static Pod pod(HasMetadata owner, PodTemplateSpec template, int index) {
        var metadata = template.getMetadata();
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(owner.getMetadata().getNamespace())
                .withName(owner.getMetadata().getName() + "-" + index)
                .withLabels(metadata == null ? Map.of() : metadata.getLabels())
                .withAnnotations(metadata == null ? Map.of() : metadata.getAnnotations())
                .withOwnerReferences(reference(owner))
                .endMetadata()
                .withSpec(template.getSpec().edit().build())
                .build();
    }

    private void createClaims(Pod pod) {
        for (PodResourceClaim reference : pod.getSpec().getResourceClaims()) {
            boolean isKnown = pod.getStatus().getResourceClaimStatuses().stream()
                    .anyMatch(status -> status.getName().equals(reference.getName()));
            String template = reference.getResourceClaimTemplateName();
            if (template != null && !isKnown && !createClaim(pod, reference.getName(), template)) {
                waiting.computeIfAbsent(
                                key(pod.getMetadata().getNamespace(), template), ignored -> new LinkedHashSet<>())
                        .add(pod);
            }
        }
    }

    private boolean createClaim(Pod pod, String reference, String templateName) {
        String namespace = pod.getMetadata().getNamespace();
        ResourceClaimTemplate template = cluster.get(new ResourceClaimTemplateBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(templateName)
                .endMetadata()
                .build());
        if (template == null) {
            return false;
        }
        var metadata = template.getSpec().getMetadata();
        ResourceClaim claim = new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(pod.getMetadata().getName() + "-" + reference)
                .withLabels(metadata == null ? Map.of() : metadata.getLabels())
                .withAnnotations(metadata == null ? Map.of() : metadata.getAnnotations())
                .withOwnerReferences(reference(pod))
                .endMetadata()
                .withSpec(template.getSpec().getSpec().edit().build())
                .build();
        if (cluster.get(claim) != null) {
            return false;
        }
        cluster.create(claim);
        Pod stored = Objects.requireNonNull(cluster.get(pod));
        cluster.updateStatus(
                stored,
                new PodBuilder(stored)
                        .editStatus()
                        .addNewResourceClaimStatus()
                        .withName(reference)
                        .withResourceClaimName(claim.getMetadata().getName())
                        .endResourceClaimStatus()
                        .endStatus()
                        .build());
        return true;
    }

    private static OwnerReference reference(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .build();
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }
}
