package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.simulate.Observation;
import dev.fakegpu.simulate.ScenarioStage;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.testing.Patience;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A real cluster as the stage of a scenario. The stage only waits for the expectations of a scenario, and neither for the cluster to settle
 * nor for the scenario's times, except for the second after which new objects are younger. At the end, everything that it created is
 * removed.
 */
final class ClusterStage implements ScenarioStage, AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TEMPLATE_REFERENCE = "resource.kubernetes.io/pod-claim-name";

    /** Objects that the garbage collector, the kubelet or the operator removes after those of the scenario. */
    private static final List<String> REMOVED_BY_OTHERS = List.of("Pod", "ResourceClaim", "ResourceSlice");

    /** The kinds of objects that controllers and the operator create, too. */
    private static final List<String> MADE_BY_OTHERS =
            List.of("Namespace", "Node", "Pod", "DeviceClass", "ResourceClaim", "ResourceSlice");

    private final KubernetesClient client;

    /** The created objects by kind, namespace and name. */
    private final Map<List<String>, HasMetadata> made = new LinkedHashMap<>();

    private final long start = System.nanoTime();

    /** When the youngest object was created, in seconds as the API server writes them. */
    private Instant youngest = Instant.EPOCH;

    ClusterStage(KubernetesClient client) {
        this.client = client;
        client.v1().events().inAnyNamespace().list().getItems().stream()
                .map(event -> event.getMetadata().getNamespace())
                .distinct()
                .forEach(
                        namespace -> client.v1().events().inNamespace(namespace).delete());
    }

    @Override
    public void apply(JsonNode object) {
        ObjectNode copy = object.deepCopy();
        String kind = copy.path("kind").asText();
        var resource = client.getKubernetesSerialization().unmarshal(copy.toString(), GenericKubernetesResource.class);
        if (isNamespaced(kind) && resource.getMetadata().getNamespace() == null) {
            resource.getMetadata().setNamespace("default");
        }
        made.put(List.of(kind, namespace(resource), resource.getMetadata().getName()), resource);
        var stored = client.resource(resource);
        if (stored.get() == null) {
            youngest = created(stored.create());
        } else {
            resource.getMetadata().setResourceVersion(null);
            stored.patch(PatchContext.of(PatchType.JSON_MERGE), json(resource));
        }
    }

    @Override
    public boolean delete(ObjectName name) {
        var resource = resource(name);
        boolean exists = resource.get() != null;
        resource.delete();
        return exists;
    }

    @Override
    public boolean change(ObjectName name, JsonNode patch) {
        var resource = resource(name);
        if (resource.get() == null) {
            return false;
        }
        ObjectNode ofSpec = patch.deepCopy();
        JsonNode ofStatus = ofSpec.remove("status");
        if (!ofSpec.isEmpty()) {
            resource.patch(PatchContext.of(PatchType.JSON_MERGE), ofSpec.toString());
        }
        if (ofStatus != null) {
            String status = JSON.createObjectNode().set("status", ofStatus).toString();
            resource.subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), status);
        }
        return true;
    }

    @Override
    public void settle(Duration longest) {
        // Later expectations wait.
    }

    /** Later expectations wait; but an object that is created next must be younger than earlier ones, even on a fast machine. */
    @Override
    public void pass(Duration time) {
        var probe = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("clock")
                .endMetadata()
                .build();
        Awaitility.await()
                .until(() -> created(client.resource(probe).dryRun().create()).isAfter(youngest));
    }

    private static Instant created(HasMetadata object) {
        return Instant.parse(object.getMetadata().getCreationTimestamp());
    }

    @Override
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Override
    public Observation observe(Predicate<Observation> isExpected) {
        var last = new AtomicReference<>(observe());
        try {
            Awaitility.await().atMost(Patience.LIMIT).until(() -> {
                last.set(observe());
                return isExpected.test(last.get());
            });
        } catch (ConditionTimeoutException e) {
            return last.get(); // the caller reports the differences
        }
        return last.get();
    }

    private Observation observe() {
        Stream<String> ofScenario = made.keySet().stream().map(key -> key.get(0));
        List<HasMetadata> objects = Stream.concat(MADE_BY_OTHERS.stream(), ofScenario)
                .distinct()
                .flatMap(kind -> stored(type(kind)))
                .toList();
        List<Event> events = client.v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> event.getMessage() != null)
                .sorted(Comparator.comparing(
                        event -> Long.parseLong(event.getMetadata().getResourceVersion())))
                .toList();
        return Observation.ofStored(objects, events);
    }

    private <T extends HasMetadata> Stream<HasMetadata> stored(Class<T> type) {
        return client.resources(type).inAnyNamespace().list().getItems().stream()
                .map(ClusterStage::renamed);
    }

    /** A simulation names claims from templates after their pod and reference, without random characters at the end. */
    private static HasMetadata renamed(HasMetadata object) {
        var annotations = object.getMetadata().getAnnotations();
        List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        if (object instanceof ResourceClaim
                && annotations != null
                && annotations.containsKey(TEMPLATE_REFERENCE)
                && !owners.isEmpty()) {
            object.getMetadata().setName(owners.get(0).getName() + "-" + annotations.get(TEMPLATE_REFERENCE));
        }
        return object;
    }

    private Resource<? extends HasMetadata> resource(ObjectName name) {
        var resources = client.resources(type(name.kind()));
        return isNamespaced(name.kind())
                ? resources.inNamespace(name.namespace()).withName(name.name())
                : resources.withName(name.name());
    }

    private static Class<? extends HasMetadata> type(String kind) {
        return ApiObjects.type(kind);
    }

    private static boolean isNamespaced(String kind) {
        return Namespaced.class.isAssignableFrom(type(kind));
    }

    private static String namespace(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
    }

    private String json(HasMetadata object) {
        return client.getKubernetesSerialization().asJson(object);
    }

    /** Pods are deleted first, because otherwise claims could not be released, and then the rest in the reverse order. */
    @Override
    public void close() {
        var rest = new ArrayList<>(made.values());
        Collections.reverse(rest);
        rest.stream().filter(object -> object.getKind().equals("Pod")).forEach(this::remove);
        rest.forEach(this::remove);
        Awaitility.await().untilAsserted(() -> {
            assertThat(REMOVED_BY_OTHERS.stream().flatMap(kind -> stored(type(kind))))
                    .isEmpty();
            assertThat(rest.stream().filter(object -> client.resource(object).get() != null))
                    .isEmpty();
        });
    }

    private void remove(HasMetadata object) {
        client.resource(object)
                .withGracePeriod(object.getKind().equals("Pod") ? 0L : 1L)
                .delete();
    }
}
