package dev.fakegpu.e2e.soak;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Looks for leftovers: slices, simulated nodes and Leases of deleted objects, claims and reservations of deleted pods, and unused
 * allocations. Removals take a while, and longer if there is no operator.
 */
final class Leftovers {

    private final KubernetesClient client;
    private final Duration tolerance;
    private final Map<String, Long> since = new HashMap<>();
    private final Set<String> violations = new TreeSet<>();

    Leftovers(KubernetesClient client, Duration tolerance) {
        this.client = client;
        this.tolerance = tolerance;
    }

    /** Remembers current leftovers, and reports those that are older than tolerated. */
    synchronized void look(List<String> others) {
        var now = new ArrayList<>(others);
        now.addAll(found());
        since.keySet().retainAll(now);
        long time = System.nanoTime();
        for (String each : now) {
            if (time - since.computeIfAbsent(each, ignored -> time) > tolerance.toNanos()) {
                violations.add(each + " for more than " + tolerance.toSeconds() + " s");
            }
        }
    }

    /** Starts again, after a time in which nothing could be removed. */
    synchronized void forgive() {
        since.clear();
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /** The current leftovers. Owners are listed after their dependents, so that an owner that exists is found. */
    List<String> found() {
        var claims =
                client.resources(ResourceClaim.class).inAnyNamespace().list().getItems();
        var slices = client.resources(ResourceSlice.class).list().getItems();
        var leases = client.resources(Lease.class)
                .inNamespace("kube-node-lease")
                .list()
                .getItems();
        var nodes = client.nodes().list().getItems();
        Set<String> pods = set(
                client.pods().inAnyNamespace().list().getItems(),
                each -> each.getMetadata().getUid());
        Set<String> nodeNames =
                set(client.nodes().list().getItems(), each -> each.getMetadata().getName());
        Set<String> fakeGpus = set(
                client.resources(FakeGpu.class).list().getItems(),
                each -> each.getMetadata().getUid());

        var found = new ArrayList<String>();
        slices.forEach(slice -> slice(slice, nodeNames, fakeGpus, found));
        nodes.stream()
                .filter(node -> node.getMetadata().getLabels().containsKey(Labels.SIMULATED))
                .filter(node -> isOrphaned(node, "FakeGpu", fakeGpus))
                .forEach(node -> found.add(title(node) + " is left of a FakeGpu that is gone"));
        leases.stream()
                .filter(lease -> !nodeNames.contains(lease.getMetadata().getName()))
                .forEach(lease -> found.add(title(lease) + " is left of a node that is gone"));
        claims.forEach(claim -> claim(claim, pods, found));
        return found;
    }

    private static void slice(ResourceSlice slice, Set<String> nodes, Set<String> fakeGpus, List<String> found) {
        if (isOrphaned(slice, "FakeGpu", fakeGpus)) {
            found.add(title(slice) + " is left of a FakeGpu that is gone");
        }
        String node = slice.getSpec().getNodeName();
        if (node != null && !nodes.contains(node)) {
            found.add(title(slice) + " is left of a node that is gone");
        }
    }

    private static void claim(ResourceClaim claim, Set<String> pods, List<String> found) {
        if (isOrphaned(claim, "Pod", pods)) {
            found.add(title(claim) + " is left of a pod that is gone");
        }
        if (claim.getStatus() == null || claim.getStatus().getAllocation() == null) {
            return;
        }
        var consumers = claim.getStatus().getReservedFor();
        consumers.stream()
                .filter(consumer -> consumer.getResource().equals("pods") && !pods.contains(consumer.getUid()))
                .forEach(consumer ->
                        found.add(title(claim) + " is reserved for a pod that is gone, " + consumer.getName()));
        boolean isStandalone = claim.getMetadata().getLabels().containsKey(Labels.ALLOCATE);
        if (consumers.isEmpty() && !isStandalone) {
            found.add(title(claim) + " is allocated and nobody uses it");
        }
    }

    private static boolean isOrphaned(HasMetadata object, String kind, Set<String> uids) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(owner -> owner.getKind().equals(kind))
                .map(OwnerReference::getUid)
                .anyMatch(uid -> !uids.contains(uid));
    }

    private static <T extends HasMetadata> Set<String> set(List<T> objects, Function<T, String> what) {
        return objects.stream().map(what).collect(Collectors.toSet());
    }

    private static String title(HasMetadata object) {
        var metadata = object.getMetadata();
        return "%s %s%s (%s)"
                .formatted(
                        object.getKind(),
                        metadata.getNamespace() == null ? "" : metadata.getNamespace() + "/",
                        metadata.getName(),
                        metadata.getUid());
    }
}
