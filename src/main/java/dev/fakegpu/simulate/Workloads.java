package dev.fakegpu.simulate;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
import org.jspecify.annotations.Nullable;

/**
 * What kube-controller-manager makes of objects: pods of Deployments, ReplicaSets, StatefulSets and Jobs, named {@code <name>-<index>}, and
 * claims of pods' templates, named {@code <pod>-<reference>}. Real names end in random characters; these do not change from run to run.
 *
 * <p>A workload replaces the pods that it has in a cluster that was copied, all at once.
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

    /** UIDs of the pods of the cluster that was copied. */
    private final Set<String> copied;

    /** UIDs of the workloads that have come by. */
    private final Set<String> known = new HashSet<>();

    /** One sentence for each workload whose pods of the copied cluster were replaced. */
    private final List<String> replaced = new ArrayList<>();

    /** @param copied UIDs of the pods of the cluster that is copied */
    Workloads(MemoryCluster cluster, VirtualTime time, Set<String> copied) {
        this.cluster = cluster;
        this.copied = copied;
        this.time = time;
        cluster.addListener(this::changed);
    }

    private void changed(HasMetadata object) {
        if (object instanceof Pod pod) {
            changed.add(pod);
            if (PodState.hasEnded(pod) || PodState.isRunning(pod) || cluster.get(pod) == null) {
                owner(pod).ifPresent(changed::add);
            }
        } else if (isWorkload(object)) {
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

    private static boolean isWorkload(HasMetadata object) {
        return object instanceof Deployment
                || object instanceof ReplicaSet
                || object instanceof StatefulSet
                || object instanceof Job;
    }

    /** What was replaced, one sentence each. */
    List<String> replaced() {
        return List.copyOf(replaced);
    }

    /** @return whether anything was created or deleted */
    boolean run() {
        long before = cluster.changes();
        while (!changed.isEmpty()) {
            HasMetadata stored = cluster.get(changed.remove());
            if (stored != null && stored.getMetadata().getDeletionTimestamp() == null) {
                run(stored);
            }
        }
        return cluster.changes() > before;
    }

    private void run(HasMetadata stored) {
        if (stored instanceof Pod pod) {
            createClaims(pod);
            endInTime(pod);
            return;
        }
        if (known.add(stored.getMetadata().getUid()) && isWorkload(stored)) {
            replaceEarlierPods(stored);
        }
        if (stored instanceof Deployment deployment) {
            var spec = deployment.getSpec();
            scale(deployment, spec.getTemplate(), spec.getReplicas(), false);
        } else if (stored instanceof ReplicaSet replicaSet) {
            var spec = replicaSet.getSpec();
            scale(replicaSet, spec.getTemplate(), spec.getReplicas(), false);
        } else if (stored instanceof StatefulSet statefulSet) {
            var spec = statefulSet.getSpec();
            boolean isOrdered = !"Parallel".equals(spec.getPodManagementPolicy());
            scale(statefulSet, spec.getTemplate(), spec.getReplicas(), isOrdered);
        } else if (stored instanceof Job job) {
            run(job);
        }
    }

    /** Those of the workload of this name in the cluster that was copied. */
    private void replaceEarlierPods(HasMetadata workload) {
        List<Pod> earlier = cluster.list(Pod.class).stream()
                .filter(pod -> copied.contains(pod.getMetadata().getUid()))
                .filter(pod -> pod.getMetadata()
                        .getNamespace()
                        .equals(workload.getMetadata().getNamespace()))
                .filter(pod -> owners(pod).anyMatch(owner -> isEarlier(owner, workload)))
                .toList();
        earlier.forEach(cluster::deleteImmediately);
        if (!earlier.isEmpty()) {
            replaced.add("%s %s/%s: its %s of the cluster %s replaced, all at once"
                    .formatted(
                            workload.getKind(),
                            workload.getMetadata().getNamespace(),
                            workload.getMetadata().getName(),
                            earlier.size() == 1 ? "pod" : earlier.size() + " pods",
                            earlier.size() == 1 ? "is" : "are"));
        }
    }

    /** A Deployment's pods belong to its ReplicaSets, whose names end in a hash. */
    private static boolean isEarlier(OwnerReference owner, HasMetadata workload) {
        String name = workload.getMetadata().getName();
        if (workload instanceof Deployment && owner.getKind().equals("ReplicaSet")) {
            int hash = owner.getName().lastIndexOf('-');
            return hash > 0 && owner.getName().substring(0, hash).equals(name);
        }
        return owner.getKind().equals(workload.getKind()) && owner.getName().equals(name);
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

    /** The Job or StatefulSet that controls the pod, and creates others when it has changed. */
    private Optional<? extends HasMetadata> owner(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        return owners(pod)
                .flatMap(owner -> switch (owner.getKind()) {
                    case "Job" -> Stream.ofNullable(cluster.get(named(new Job(), namespace, owner.getName())));
                    case "StatefulSet" ->
                        Stream.ofNullable(cluster.get(named(new StatefulSet(), namespace, owner.getName())));
                    default -> Stream.<HasMetadata>empty();
                })
                .findFirst();
    }

    private static <T extends HasMetadata> T named(T object, String namespace, String name) {
        object.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        return object;
    }

    private static Stream<OwnerReference> owners(Pod pod) {
        return Stream.ofNullable(pod.getMetadata().getOwnerReferences()).flatMap(List::stream);
    }

    /** As many pods as it needs, not more than {@code spec.parallelism} at a time; those that failed count as done. */
    private void run(Job job) {
        var spec = job.getSpec();
        int parallelism = Objects.requireNonNullElse(spec.getParallelism(), 1);
        int completions = Objects.requireNonNullElse(spec.getCompletions(), parallelism);
        var active = new ArrayDeque<Pod>();
        var missing = new ArrayDeque<Pod>();
        for (int index = 0; ; index++) {
            Pod pod = pod(job, spec.getTemplate(), free(job, index));
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

    /** @param isOrdered whether the next pod is created only once the one before it runs */
    private void scale(HasMetadata owner, PodTemplateSpec template, @Nullable Integer replicas, boolean isOrdered) {
        int count = Objects.requireNonNullElse(replicas, 1);
        for (int index = 0; index < count; index++) {
            Pod pod = pod(owner, template, free(owner, index));
            Pod stored = cluster.get(pod);
            if (stored == null) {
                cluster.create(pod);
            }
            if (isOrdered && (stored == null || !isRunning(stored))) {
                break;
            }
        }
        for (int index = count; ; index++) {
            Pod surplus = cluster.get(pod(owner, template, free(owner, index)));
            if (surplus == null) {
                return;
            }
            cluster.delete(surplus);
        }
    }

    /** The index of a pod, where names that other pods have are left out: real names do not collide. */
    private int free(HasMetadata owner, int number) {
        int index = 0;
        for (int left = number; ; index++) {
            boolean isTaken = Optional.ofNullable(cluster.get(named(
                            new Pod(),
                            owner.getMetadata().getNamespace(),
                            owner.getMetadata().getName() + "-" + index)))
                    .filter(pod -> owners(pod)
                            .noneMatch(each -> owner.getMetadata().getUid().equals(each.getUid())))
                    .isPresent();
            if (!isTaken && left-- == 0) {
                return index;
            }
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
        ResourceClaimTemplate template = cluster.get(named(new ResourceClaimTemplate(), namespace, templateName));
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
