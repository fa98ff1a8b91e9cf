package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.ObjectName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A scenario on a real control plane, in its own namespace. */
final class RealScenario implements AutoCloseable {

    private static final Duration RENEWAL = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final String namespace;
    private final List<HasMetadata> clusterWide = new CopyOnWriteArrayList<>();
    private final FakeGpuFixture fakeGpus;
    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor();

    RealScenario(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        this.fakeGpus = new FakeGpuFixture(client);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        renewals.scheduleAtFixedRate(this::renewLeases, RENEWAL.toSeconds(), RENEWAL.toSeconds(), TimeUnit.SECONDS);
    }

    /** Returns when new FakeGpus are ready, which work at the same time. */
    void play(List<PlayedAction> step) {
        step.forEach(this::play);
        step.stream()
                .flatMap(action ->
                        action instanceof PlayedAction.Create create ? Stream.of(create.object()) : Stream.of())
                .filter(object -> object.path("kind").asText().equals("FakeGpu"))
                .forEach(object ->
                        fakeGpus.awaitReady(object.at("/metadata/name").asText()));
    }

    private void play(PlayedAction action) {
        if (action instanceof PlayedAction.Create create) {
            create(create.object());
        } else if (action instanceof PlayedAction.Delete delete) {
            resource(delete.name()).delete();
        } else if (action instanceof PlayedAction.Change change) {
            resource(change.name())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), change.patch().toString());
        } else if (action instanceof PlayedAction.Pause pause) {
            long end = System.nanoTime() + pause.duration().toNanos();
            Awaitility.await().atMost(pause.duration().multipliedBy(2)).until(() -> System.nanoTime() - end >= 0);
        }
    }

    private void create(JsonNode json) {
        HasMetadata object = read(json);
        if (object instanceof FakeGpu) {
            fakeGpus.create(object.getMetadata().getName(), json.path("spec").toString());
            return;
        }
        client.resource(object).create();
        if (object.getMetadata().getNamespace() == null) {
            clusterWide.add(object);
        }
        if (object instanceof Node node) {
            client.resource(node).patchStatus();
            client.resource(lease(node.getMetadata().getName())).create();
            // The API server adds this taint, and kube-controller-manager removes it.
            Awaitility.await()
                    .until(() -> client.resource(node).get().getSpec().getTaints().stream()
                            .noneMatch(taint -> taint.getKey().equals("node.kubernetes.io/not-ready")));
        }
    }

    private HasMetadata read(JsonNode json) {
        return client.getKubernetesSerialization()
                .convertValue(json, ApiObjects.type(json.path("kind").asText()));
    }

    private Resource<? extends HasMetadata> resource(ObjectName name) {
        var all = client.resources(ApiObjects.type(name.kind()));
        return name.namespace().isEmpty()
                ? all.withName(name.name())
                : all.inNamespace(name.namespace()).withName(name.name());
    }

    private static Lease lease(String node) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("kube-node-lease")
                .withName(node)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(node)
                .withLeaseDurationSeconds(600)
                .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                .endSpec()
                .build();
    }

    /** Renews the Leases, without which nodes would not stay ready; independent of how long a step takes. */
    private void renewLeases() {
        try {
            clusterWide.stream()
                    .filter(Node.class::isInstance)
                    .forEach(node -> client.resource(lease(node.getMetadata().getName()))
                            .forceConflicts()
                            .serverSideApply());
        } catch (RuntimeException e) { // after an exception, the renewals would end
            System.err.println("Leases are not renewed: " + e.getMessage());
        }
    }

    /** The stored object with a JSON merge patch, as after {@code kubectl edit}; empty if it does not exist. */
    Optional<JsonNode> edited(ObjectName name, JsonNode patch) {
        return Optional.ofNullable(resource(name).get()).map(stored -> {
            ObjectNode json = ApiObjects.write(stored);
            ApiObjects.merge(json, patch);
            return json;
        });
    }

    /** The StatefulSets that wait for a pod before they create the next one. */
    List<JsonNode> incompleteSets() {
        return client.apps().statefulSets().inNamespace(namespace).list().getItems().stream()
                .filter(set -> set.getStatus().getReplicas() < set.getSpec().getReplicas())
                .<JsonNode>map(ApiObjects::write)
                .toList();
    }

    Map<String, List<String>> state() {
        return Placements.of(
                client.pods().inNamespace(namespace).list().getItems(),
                client.resources(ResourceClaim.class)
                        .inNamespace(namespace)
                        .list()
                        .getItems(),
                false);
    }

    /** The messages of kube-scheduler about waiting pods. */
    List<String> sentences() {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .flatMap(pod -> PodState.scheduled(pod).stream()
                        .filter(condition -> "False".equals(condition.getStatus()))
                        .map(condition -> pod.getMetadata().getName() + ": " + condition.getMessage()))
                .toList();
    }

    @Override
    public void close() {
        renewals.shutdown();
        clusterWide.stream()
                .filter(each -> !(each instanceof Node))
                .forEach(each -> client.resource(each).delete());
        client.resources(Namespace.class).withName(namespace).delete();
        try {
            // Otherwise pods could still take nodes of the next scenario.
            Awaitility.await()
                    .until(() -> client.pods()
                            .inNamespace(namespace)
                            .list()
                            .getItems()
                            .isEmpty());
        } finally {
            clusterWide.stream()
                    .filter(Node.class::isInstance)
                    .forEach(each -> client.resource(each).delete());
            fakeGpus.close();
        }
    }
}
