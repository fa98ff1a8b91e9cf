package dev.fakegpu.junit.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The leftovers of a test class in its cluster: its FakeGpus and, if the cluster was started for tests, everything that could use devices
 * or names of the next class. CustomResourceDefinitions, roles and similar objects are kept.
 */
final class Leftovers {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Set<String> KEPT_NAMESPACES =
            Set.of("default", "kube-system", "kube-public", "kube-node-lease", "fakegpu-system");
    private static final String OPERATORS = "fakegpu.dev/driver";

    private final RunningCluster cluster;
    private final KubernetesClient client;

    Leftovers(RunningCluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    /** Removes the leftovers. Returns whether they are gone within a reasonable time. */
    boolean areRemoved() {
        try {
            cluster.assertRuns();
            return cluster.isOwn() ? isEmptied() : areMarkedGone();
        } catch (ClusterException | KubernetesClientException e) {
            return false;
        }
    }

    /** In an existing cluster, only what this JVM created is removed, because tests of another JVM may use the rest. */
    private boolean areMarkedGone() {
        var fakeGpus = new FakeGpus(cluster);
        made(fakeGpus).forEach(fakeGpus::delete);
        return Wait.atMost(LIMIT).until(() -> made(fakeGpus).isEmpty());
    }

    private static List<GenericKubernetesResource> made(FakeGpus fakeGpus) {
        return fakeGpus.resources().list().getItems().stream()
                .filter(TestRun.THIS::made)
                .toList();
    }

    private boolean isEmptied() {
        var fakeGpus = new FakeGpus(cluster).resources();
        fakeGpus.delete();
        client.namespaces().list().getItems().stream()
                .filter(Leftovers::isOfTests)
                .forEach(namespace -> client.resource(namespace).delete());
        client.resources(DeviceClass.class).list().getItems().stream()
                .filter(deviceClass -> !hasLabel(deviceClass, OPERATORS))
                .forEach(deviceClass -> client.resource(deviceClass).delete());
        client.configMaps().inNamespace("fakegpu-system").delete();
        List<Pod> pods = client.pods().inAnyNamespace().list().getItems();
        pods.forEach(pod -> client.resource(pod).withGracePeriod(0).delete());
        List<ResourceClaim> claims =
                client.resources(ResourceClaim.class).inAnyNamespace().list().getItems();
        claims.forEach(claim -> client.resource(claim).delete());
        return Wait.atMost(LIMIT)
                .until(() -> isNone(fakeGpus.list())
                        && isNone(client.resources(ResourceSlice.class).list())
                        && isNone(client.pods().inAnyNamespace().list())
                        && isNone(client.resources(ResourceClaim.class)
                                .inAnyNamespace()
                                .list())
                        && isNone(client.nodes().list()));
    }

    private static boolean isOfTests(Namespace namespace) {
        return !KEPT_NAMESPACES.contains(namespace.getMetadata().getName());
    }

    private static boolean hasLabel(HasMetadata object, String label) {
        return object.getMetadata().getLabels() != null
                && object.getMetadata().getLabels().containsKey(label);
    }

    private static boolean isNone(KubernetesResourceList<?> list) {
        return list.getItems().isEmpty();
    }
}
