package dev.fakegpu.junit;

import dev.fakegpu.junit.cluster.ClusterPool;
import dev.fakegpu.junit.cluster.ClusterSettings;
import dev.fakegpu.junit.cluster.Creation;
import dev.fakegpu.junit.cluster.FakeGpus;
import dev.fakegpu.junit.cluster.RunningCluster;
import dev.fakegpu.junit.cluster.TestRun;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/** The cluster of one test class: it is taken from the pool, gets a namespace and FakeGpus, and is given back at the end. */
@SuppressWarnings("deprecation") // JUnit before 5.13 closes only objects of this type
final class ClassCluster implements CloseableResource, AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ClassCluster.class.getName());
    private static final int NAME_LENGTH = 40;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RunningCluster cluster;
    private final KubernetesClient client;
    private final Manifests manifests;
    private final List<Runnable> undo = new ArrayList<>();

    private ClassCluster(RunningCluster cluster, KubernetesClient client, Manifests manifests) {
        this.cluster = cluster;
        this.client = client;
        this.manifests = manifests;
    }

    static ClassCluster open(Class<?> testClass, FakeGpuCluster wanted) {
        long begin = System.nanoTime();
        Manifests manifests = Manifests.of(wanted); // first, so that errors in it do not start a cluster
        ClusterSettings settings = Settings.of(wanted);
        RunningCluster cluster = ClusterPool.SHARED.take(settings);
        var opened = new ClassCluster(cluster, cluster.newClient(namespace(testClass)), manifests);
        try {
            opened.fill();
            LOG.log(
                    Level.INFO,
                    "the cluster of {0} is ready after {1} ms",
                    testClass.getSimpleName(),
                    String.valueOf((System.nanoTime() - begin) / NANOS_PER_MILLI));
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    GpuCluster handle() {
        return new GpuCluster(cluster, client, GpuCluster.PATIENCE);
    }

    private void fill() {
        create(TestRun.THIS.mark(new NamespaceBuilder()
                .withNewMetadata()
                .withName(client.getNamespace())
                .endMetadata()
                .build()));
        List<GenericKubernetesResource> fakeGpus = manifests.fakeGpus();
        fakeGpus.forEach(TestRun.THIS::mark);
        var resources = new FakeGpus(cluster);
        fakeGpus.forEach(fakeGpu -> {
            resources.create(fakeGpu);
            undo.add(() -> resources.delete(fakeGpu));
        });
        resources.awaitReady(fakeGpus);
        manifests.others(client.getNamespace()).forEach(this::create);
    }

    private void create(HasMetadata object) {
        Creation.create(client.resource(object));
        undo.add(() -> client.resource(object).delete());
    }

    /** Only starts the removal of what it created; the next class waits until that is complete. */
    @Override
    public void close() {
        try {
            undo.forEach(Runnable::run);
        } finally {
            client.close();
            ClusterPool.SHARED.giveBack(cluster);
        }
    }

    /** Combines the class name with a random part, since a namespace of an earlier run may still be terminating. */
    private static String namespace(Class<?> testClass) {
        String name = testClass
                .getSimpleName()
                .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^-", "");
        return name.substring(0, Math.min(NAME_LENGTH, name.length())).replaceAll("-$", "") + "-"
                + UUID.randomUUID().toString().substring(0, 5);
    }
}
