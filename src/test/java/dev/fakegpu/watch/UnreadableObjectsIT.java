package dev.fakegpu.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.client.UnreadableFields;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.RewritingProxy;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Objects of every watched kind as another version of Kubernetes, or of the CRD, might have them. */
class UnreadableObjectsIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private static final String UNREADABLE = "unreadable";

    private static final Map<String, String> OBJECTS = Map.of(
            "Pod", "{apiVersion: v1, kind: Pod, metadata: {%s, namespace: unreadable}, spec: {containers: [{name: c, image: i}]}}",
            "Node", "{apiVersion: v1, kind: Node, metadata: {%s}}",
            "Namespace", "{apiVersion: v1, kind: Namespace, metadata: {%s}}",
            "ConfigMap",
                    "{apiVersion: v1, kind: ConfigMap, metadata: {%s, namespace: unreadable}, data: {a: b}}",
            "ResourceClaim",
                    "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {%s, namespace: unreadable}, spec: {}}",
            "ResourceSlice",
                    "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {%s}, "
                            + "spec: {driver: d.example.com, nodeName: n, pool: {name: p, generation: 1, resourceSliceCount: 1}}}",
            "DeviceClass", "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {%s}, spec: {}}",
            "DeviceTaintRule",
                    "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {%s}, "
                            + "spec: {deviceSelector: {driver: nobody.example.com}, taint: {key: a, effect: None}}}",
            "FakeGpu",
                    "{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, metadata: {%s}, "
                            + "spec: {driver: nobody.example.com, nodes: {names: [nowhere]}, model: L40S}}");

    private final KubernetesClient client = controlPlane.client();
    private final List<HasMetadata> created = new ArrayList<>();
    private final RewritingProxy proxy = new RewritingProxy(client, UnreadableObjectsIT::rewrite);
    private final ClusterWatch watch = new ClusterWatch(proxy.client(), UNREADABLE, "operator");

    @BeforeAll
    static void definitions() {
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
        KubernetesClient client = controlPlane.client();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(UNREADABLE)
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void close() {
        watch.close();
        proxy.close();
        created.forEach(object -> client.resource(object).withGracePeriod(0).delete());
    }

    @Test
    void neitherEndsTheWatchNorHidesOthersOfItsKind() {
        // Given
        OBJECTS.keySet().forEach(kind -> create(kind, UNREADABLE + "-1", true));
        OBJECTS.keySet().forEach(kind -> create(kind, "readable-1", false));

        // When
        watch.start();

        // Then
        await().untilAsserted(() -> assertThat(watch.isWatching()).isTrue());
        assertThat(watch.unreadable().counts()).isEqualTo(counts(1));

        // When
        OBJECTS.keySet().forEach(kind -> create(kind, UNREADABLE + "-2", true));
        OBJECTS.keySet().forEach(kind -> create(kind, "readable-2", false));

        // Then
        await().untilAsserted(() -> assertThat(watch.unreadable().counts()).isEqualTo(counts(2)));
        await().untilAsserted(() -> assertThat(watch.isWatching()).isTrue());
        for (ObjectStore<?> store : leavingOut()) {
            await().untilAsserted(
                            () -> assertThat(names(store)).contains("readable-1", "readable-2"));
            assertThat(names(store)).doesNotContain(UNREADABLE + "-1", UNREADABLE + "-2");
        }
        for (ObjectStore<?> store : List.of(watch.pods(), watch.nodes(), watch.claims(), watch.namespaces())) {
            await().untilAsserted(() -> assertThat(names(store))
                    .contains("readable-1", "readable-2", UNREADABLE + "-1", UNREADABLE + "-2"));
        }
        assertThat(watch.unreadable().list())
                .allSatisfy(object -> assertThat(UnreadableFields.of(object)).get().asString().contains("cannot be read"));
    }

    @Test
    void isKnownAgainWhenItCanBeRead() {
        // Given
        create("DeviceClass", UNREADABLE + "-1", true);
        watch.start();
        assertThat(names(watch.deviceClasses())).doesNotContain(UNREADABLE + "-1");

        // When
        client.resource(created.get(0)).edit(object -> {
            object.getMetadata().getLabels().remove(UNREADABLE);
            return object;
        });

        // Then
        await().untilAsserted(() -> assertThat(names(watch.deviceClasses())).contains(UNREADABLE + "-1"));
        assertThat(watch.unreadable().list()).isEmpty();
    }

    private List<ObjectStore<?>> leavingOut() {
        return List.of(
                watch.fakeGpus(), watch.slices(), watch.deviceClasses(), watch.taintRules(), watch.catalogFiles());
    }

    private static Map<String, Integer> counts(int number) {
        return OBJECTS.keySet().stream().collect(Collectors.toMap(kind -> kind, kind -> number));
    }

    private static List<String> names(ObjectStore<?> store) {
        return store.list().stream()
                .map(object -> object.getMetadata().getName())
                .toList();
    }

    private void create(String kind, String name, boolean unreadable) {
        String metadata = "name: %s, labels: {fakegpu.dev/catalog: 'true'%s}"
                .formatted(name, unreadable ? ", " + UNREADABLE + ": 'true'" : "");
        var yaml = new ByteArrayInputStream(("---\n" + OBJECTS.get(kind)).formatted(metadata).getBytes(StandardCharsets.UTF_8));
        for (HasMetadata object : client.load(yaml).items()) {
            try {
                created.add(client.resource(object).create());
            } catch (KubernetesClientException e) {
                throw new AssertionError(kind, e);
            }
        }
    }

    /** One field of another type. */
    private static void rewrite(ObjectNode object) {
        if (!object.path("metadata").path("labels").has(UNREADABLE)) {
            return;
        }
        if (object.path("data").isObject()) {
            object.put("data", "no map");
        } else if (object.path("metadata").path("name").asText().endsWith("1")) {
            object.put("spec", "no object");
        } else {
            object.withObject("/status").put("conditions", "no list");
            object.withObject("/metadata").put("ownerReferences", 7);
        }
    }
}
