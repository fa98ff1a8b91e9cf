package dev.fakegpu.simulate.controller;

import dev.fakegpu.kube.manifest.JobSet;
import dev.fakegpu.kube.manifest.LeaderWorkerSet;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The simulated kube-controller-manager. It creates the pods of workloads and the claims of pods' templates, and taints nodes. Each changed
 * object is processed once, in the order of the changes. Not thread-safe.
 *
 * <p>A workload adopts its pods from a cluster that was copied.
 */
public final class ControllerManager {

    private final ControlledCluster cluster;
    private final Creations creations;
    private final OwnedPods pods;
    private final EarlierPods earlierPods;
    private final UpdateText updates;
    private final PodClaimMaker claims;
    private final PodGroupProtection groups;
    private final DeploymentController deployments;
    private final ReplicaController replicas;
    private final StatefulSetController statefulSets;
    private final DaemonSetController daemonSets;
    private final JobController jobs;
    private final CronJobController cronJobs;
    private final JobSetController jobSets;
    private final LeaderWorkerSetController leaderWorkerSets;
    private final Replacements replacements;
    private final PodEvictor evictor;
    private final NodeLifecycleController nodes;
    private final PodGarbageCollector garbage;
    private final Map<String, HasMetadata> changed = new LinkedHashMap<>();
    private boolean areNodesChanged;

    /** The UIDs of the workloads that have been processed, of the pods that have been processed, and of the copied pods. */
    private final Set<String> known;

    /** @param copied the UIDs of the pods of the copied cluster */
    public ControllerManager(ControlledCluster cluster, ControllerTime time, Set<String> copied) {
        this.cluster = cluster;
        known = new HashSet<>(copied);
        creations = new Creations(cluster, time);
        pods = new OwnedPods(cluster, creations);
        var templates = new Templates();
        var ours = new HashSet<>(copied);
        earlierPods = new EarlierPods(cluster, templates, ours);
        updates = new UpdateText(cluster, templates);
        claims = new PodClaimMaker(cluster, creations);
        groups = new PodGroupProtection(cluster);
        deployments = new DeploymentController(cluster, pods, templates);
        replicas = new ReplicaController(pods);
        statefulSets = new StatefulSetController(cluster, pods, templates, creations);
        daemonSets = new DaemonSetController(cluster, pods, templates);
        jobs = new JobController(cluster, time, pods, this::enqueue);
        cronJobs = new CronJobController(cluster, time, this::enqueue);
        jobSets = new JobSetController(cluster, time, pods);
        leaderWorkerSets = new LeaderWorkerSetController(cluster);
        replacements = new Replacements(cluster, pods, creations, ours);
        evictor = new PodEvictor(cluster, time, this::enqueue, this::delete);
        nodes = new NodeLifecycleController(cluster, time);
        garbage = new PodGarbageCollector(cluster, time, replacements, evictor::record);
        cluster.addListener(this::changed);
    }

    private void changed(HasMetadata object) {
        evictor.changed(object);
        creations.affected(object).forEach(this::again);
        if (object instanceof Pod pod) {
            jobs.changed(pod);
            leaderWorkerSets.changed(pod);
            replacements.changed(pod);
            enqueue(pod);
            enqueueOwners(pod);
            cluster.stores().podGroup(pod).ifPresent(this::enqueue);
            leaderWorkerSets.affected(pod).forEach(this::enqueue);
        } else if (object instanceof Node node) {
            areNodesChanged = true;
            garbage.changed(node);
            enqueue(node);
        } else if (object instanceof ResourceClaimTemplate || object instanceof ResourceClaim) {
            claims.waitingFor(object).forEach(this::enqueue);
        } else if (object instanceof PodGroup group) {
            enqueue(group);
        } else if (Owners.isWorkload(object)) {
            enqueue(object);
            enqueueOwners(object);
        }
    }

    /** Retries a creation that a quota has forbidden. */
    private void again(HasMetadata owner) {
        if (!(owner instanceof Pod pod && replacements.again(pod))) {
            enqueue(owner);
        }
    }

    private void enqueueOwners(HasMetadata object) {
        Owners.workload(cluster, object).ifPresent(owner -> {
            enqueue(owner);
            enqueueOwners(owner);
        });
    }

    private void enqueue(HasMetadata object) {
        var metadata = object.getMetadata();
        changed.put(object.getKind() + "/" + metadata.getNamespace() + "/" + metadata.getName(), object);
    }

    /** Starts CronJobs without a Job at once, regardless of their schedules. Returns one sentence for each. */
    public List<String> startCronJobs() {
        return cluster.list(CronJob.class).stream()
                .filter(cronJobs::startAtOnce)
                .map(cronJob -> "CronJob %s/%s: a Job is played at once, whatever its schedule says"
                        .formatted(
                                cronJob.getMetadata().getNamespace(),
                                cronJob.getMetadata().getName()))
                .toList();
    }

    /** One sentence for each update of a workload of the copied cluster. */
    public List<String> updates() {
        return earlierPods.updated().stream().flatMap(updates::of).toList();
    }

    /** Deletes an object as a user or a controller does. Pods of workloads are replaced, even if the workloads were not copied. */
    public void delete(HasMetadata object) {
        if (object instanceof Pod pod) {
            replacements.deleting(pod);
        }
        cluster.delete(object);
    }

    /** The next time when Jobs replace failed pods. */
    public Optional<Instant> nextReplacement() {
        return jobs.nextReplacement();
    }

    /** One sentence for each pod that is not replaced. */
    public List<String> notes() {
        return Stream.concat(replacements.notes().stream(), pods.notes().stream())
                .toList();
    }

    /** The pods that were evicted, in order of time. */
    public List<Eviction> evictions() {
        return evictor.evictions();
    }

    /**
     * Processes all changed objects.
     *
     * @return whether anything was created or deleted
     */
    public boolean run() {
        long before = cluster.changes();
        enqueueAffected();
        boolean hasMore = true;
        while (hasMore) {
            hasMore = runNext();
        }
        return cluster.changes() > before;
    }

    /**
     * Processes the next changed object.
     *
     * @return whether there was one
     */
    public boolean runNext() {
        if (changed.isEmpty()) {
            enqueueAffected();
        }
        if (changed.isEmpty()) {
            return false;
        }
        String first = changed.keySet().iterator().next();
        HasMetadata stored = cluster.get(changed.remove(first));
        if (stored instanceof PodGroup group) {
            groups.sync(group);
        } else if (stored instanceof Pod pod) {
            jobs.release(pod);
        }
        if (stored != null && stored.getMetadata().getDeletionTimestamp() == null) {
            sync(stored);
        }
        return true;
    }

    /** Enqueues all DaemonSets after a change of a node, and all pods after a change of a taint; too many to do it for each object. */
    private void enqueueAffected() {
        if (areNodesChanged) {
            areNodesChanged = false;
            cluster.list(DaemonSet.class).forEach(this::enqueue);
        }
        evictor.podsToCheck().forEach(this::enqueue);
    }

    private void sync(HasMetadata stored) {
        if (stored instanceof Pod pod) {
            claims.sync(pod);
            evictor.sync(pod);
            if (known.add(pod.getMetadata().getUid())) {
                garbage.created(pod);
            }
            return;
        } else if (stored instanceof Node node) {
            nodes.sync(node);
            return;
        } else if (stored instanceof PodGroup group) {
            claims.sync(group).forEach(this::enqueue);
            return;
        }
        if (known.add(stored.getMetadata().getUid())) {
            earlierPods.adopt(stored);
        }
        if (stored instanceof Deployment deployment) {
            deployments.sync(deployment);
        } else if (stored instanceof ReplicaSet replicaSet) {
            var spec = replicaSet.getSpec();
            replicas.sync(replicaSet, spec.getTemplate(), spec.getReplicas());
        } else if (stored instanceof ReplicationController controller) {
            var spec = controller.getSpec();
            replicas.sync(controller, spec.getTemplate(), spec.getReplicas());
        } else if (stored instanceof StatefulSet statefulSet) {
            statefulSets.sync(statefulSet);
        } else if (stored instanceof DaemonSet daemonSet) {
            daemonSets.sync(daemonSet);
        } else if (stored instanceof Job job) {
            jobs.sync(job);
        } else if (stored instanceof CronJob cronJob) {
            cronJobs.sync(cronJob);
        } else if (stored instanceof JobSet jobSet) {
            jobSets.sync(jobSet);
        } else if (stored instanceof LeaderWorkerSet set) {
            leaderWorkerSets.sync(set);
        }
    }
}
