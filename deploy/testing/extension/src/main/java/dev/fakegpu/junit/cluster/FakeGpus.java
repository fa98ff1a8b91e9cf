package dev.fakegpu.junit.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The FakeGpus of a cluster, which are only JSON here. */
public final class FakeGpus {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final ResourceDefinitionContext KIND = new ResourceDefinitionContext.Builder()
            .withGroup("fakegpu.dev")
            .withVersion("v1alpha1")
            .withKind("FakeGpu")
            .withPlural("fakegpus")
            .withNamespaced(false)
            .build();

    private final RunningCluster cluster;
    private final KubernetesClient client;

    public FakeGpus(RunningCluster cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    /** Whether an object is a FakeGpu. */
    public static boolean isFakeGpu(GenericKubernetesResource object) {
        return KIND.getKind().equals(object.getKind())
                && object.getApiVersion() != null
                && object.getApiVersion().startsWith(KIND.getGroup() + "/");
    }

    /** Creates a FakeGpu that does not exist. */
    public void create(GenericKubernetesResource fakeGpu) {
        Creation.create(resources().resource(fakeGpu));
    }

    /** Returns when the devices of all FakeGpus are published. */
    public void awaitReady(List<GenericKubernetesResource> fakeGpus) {
        for (GenericKubernetesResource fakeGpu : fakeGpus) {
            String name = fakeGpu.getMetadata().getName();
            boolean isReady = Wait.atMost(PATIENCE).until(() -> isReady(name));
            if (!isReady) {
                throw new ClusterException("FakeGpu " + name + " is not Ready after " + PATIENCE.toSeconds() + " s: "
                        + stored(name).map(FakeGpus::conditions).orElse("it is gone") + "\n" + cluster.operatorSaid());
            }
        }
    }

    /** Starts the deletion of a FakeGpu. */
    public void delete(GenericKubernetesResource fakeGpu) {
        resources().withName(fakeGpu.getMetadata().getName()).delete();
    }

    MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            resources() {
        return client.genericKubernetesResources(KIND);
    }

    /** Fails if the FakeGpu can never become ready. */
    private boolean isReady(String name) {
        cluster.assertRuns();
        Optional<GenericKubernetesResource> stored = stored(name);
        if (stored.isEmpty()) {
            return false;
        }
        condition(stored.get(), "Accepted")
                .filter(condition -> "False".equals(condition.get("status")))
                .ifPresent(refused -> {
                    throw new ClusterException("FakeGpu " + name + " is refused: " + refused.get("message"));
                });
        return condition(stored.get(), "Ready")
                .filter(condition -> "True".equals(condition.get("status")))
                .isPresent();
    }

    private Optional<GenericKubernetesResource> stored(String name) {
        return Optional.ofNullable(resources().withName(name).get());
    }

    private static Optional<Map<String, Object>> condition(GenericKubernetesResource fakeGpu, String type) {
        List<Map<String, Object>> conditions = fakeGpu.get("status", "conditions");
        return Objects.requireNonNullElse(conditions, List.<Map<String, Object>>of()).stream()
                .filter(condition -> type.equals(condition.get("type")))
                .findFirst();
    }

    private static String conditions(GenericKubernetesResource fakeGpu) {
        return String.valueOf((Object) fakeGpu.get("status", "conditions"));
    }
}
