package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explains the pods and claims of a snapshot, for any scheduler and for devices of any driver. Not thread-safe. */
public final class PendingExplainer {

    private final ClusterSnapshot snapshot;
    private final PodExplainer pods;
    private final ClaimExplainer claims;

    /**
     * For a single snapshot.
     *
     * @throws UnknownObjectException if the node in the settings does not exist, or the API server does not serve a required kind
     */
    public PendingExplainer(ClusterSnapshot snapshot, ExplainSettings settings) {
        this.snapshot = snapshot;
        requireServed(ObjectKind.SLICES);
        requireServed(ObjectKind.CLAIMS);
        settings.node().ifPresent(this::requireNode);
        var cluster = new ExplainedCluster(snapshot, settings);
        pods = new PodExplainer(cluster);
        claims = new ClaimExplainer(cluster, pods);
    }

    private void requireServed(ObjectKind kind) {
        boolean isServed = snapshot.objects().unseen().stream()
                .noneMatch(unseen -> unseen.kind() == kind && unseen.cause() == Unseen.Cause.NOT_SERVED);
        if (!isServed) {
            throw new UnknownObjectException(
                    "the API server does not serve %s in version v1, which Kubernetes has since 1.34"
                            .formatted(kind.resource()));
        }
    }

    private void requireNode(String name) {
        List<String> known =
                snapshot.nodes().stream().map(SchedulableNode::name).toList();
        if (snapshot.objects().isComplete(ObjectKind.NODES) && !known.contains(name)) {
            throw new UnknownObjectException("there is no node \"%s\"%s%s"
                    .formatted(
                            name, Suggestion.hint(name, known), UnknownObjectException.listed("; nodes are ", known)));
        }
    }

    /**
     * Explains a pod.
     *
     * @throws UnknownObjectException if there is no pod with this name
     */
    public Answer pod(String namespace, String name) {
        return snapshot.objects()
                .pod(namespace, name)
                .map(pods::explain)
                .orElseThrow(() -> unknown(ObjectKind.PODS, "pod", namespace, name));
    }

    /**
     * Explains a claim.
     *
     * @throws UnknownObjectException if there is no claim with this name
     */
    public Answer claim(String namespace, String name) {
        return snapshot.objects()
                .claim(namespace, name)
                .map(claims::explain)
                .orElseThrow(() -> unknown(ObjectKind.CLAIMS, "ResourceClaim", namespace, name));
    }

    /** Explains that the devices for a waiting pod are allocated by another scheduler than its own; empty if that is not the case. */
    public Optional<Answer> wrongAllocator(Pod pod) {
        return pods.wrongAllocator(pod);
    }

    /** What a pod that fits no node needs in order to fit simulated nodes; empty if that is not the case. */
    public Optional<String> simulatedNodes(Pod pod) {
        return pods.simulatedNodes(pod);
    }

    /** Explains the pods with a name in all namespaces. */
    public List<Answer> podsNamed(String name) {
        return named("pod", snapshot.objects().pods(), name, pods::explain);
    }

    /** Explains the claims with a name in all namespaces. */
    public List<Answer> claimsNamed(String name) {
        return named("ResourceClaim", snapshot.objects().claims(), name, claims::explain);
    }

    private static <T extends HasMetadata> List<Answer> named(
            String title, List<T> all, String name, Function<T, Answer> explain) {
        List<T> found = all.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .toList();
        if (found.isEmpty()) {
            throw new UnknownObjectException("there is no %s \"%s\" in any namespace%s"
                    .formatted(title, name, Suggestion.hint(name, UnknownObjectException.names(all))));
        }
        return found.stream().map(explain).toList();
    }

    /**
     * Explains the pods that wait for devices.
     *
     * @param namespace empty for all namespaces
     */
    public List<Answer> pendingPods(Optional<String> namespace) {
        return podsInTrouble(namespace).stream()
                .filter(answer -> answer.state() == State.PENDING)
                .toList();
    }

    /**
     * Explains the pods that wait for devices, then those whose devices cannot be prepared, then those whose hardware no longer works.
     *
     * @param namespace empty for all namespaces
     */
    public List<Answer> podsInTrouble(Optional<String> namespace) {
        return in(namespace, snapshot.objects().pods())
                .filter(pod -> pod.getSpec() != null)
                .map(pods::explain)
                .filter(answer -> answer.state().isTrouble() && !answer.code().equals(Code.NoDevicesRequested.name()))
                .sorted(Comparator.comparing(answer -> !answer.state().isStuck()))
                .toList();
    }

    /**
     * Explains the claims that wait for devices and that no pod names. Pods that have ended do not count if the companion allocates the
     * claim without a pod.
     *
     * @param namespace empty for all namespaces
     */
    public List<Answer> pendingClaims(Optional<String> namespace) {
        Set<String> used = claims(pod -> true);
        Set<String> usedNow = claims(pod -> !PodState.hasEnded(pod));
        return in(namespace, snapshot.objects().claims())
                .filter(claim -> !Allocations.isAllocated(claim))
                .filter(claim -> !(claims.isLabelled(claim) ? usedNow : used).contains(key(claim)))
                .map(claims::explain)
                .filter(answer -> answer.state() == State.PENDING)
                .toList();
    }

    private Set<String> claims(Predicate<Pod> of) {
        return snapshot.objects().pods().stream()
                .filter(of)
                .flatMap(pod -> PodClaims.names(pod).stream()
                        .map(name -> pod.getMetadata().getNamespace() + "/" + name))
                .collect(Collectors.toSet());
    }

    private static String key(ResourceClaim claim) {
        return claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName();
    }

    private static <T extends HasMetadata> Stream<T> in(Optional<String> namespace, List<T> objects) {
        return objects.stream()
                .filter(object -> namespace
                        .filter(only -> !only.equals(object.getMetadata().getNamespace()))
                        .isEmpty());
    }

    private UnknownObjectException unknown(ObjectKind kind, String title, String namespace, String name) {
        return UnknownObjectException.of(snapshot.objects(), kind, title, namespace, name);
    }
}
