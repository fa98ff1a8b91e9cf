package dev.fakegpu.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClusterWatchIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();
    private final ClusterWatch watch = new ClusterWatch(client, "models", "operator");

    @BeforeAll
    static void namespaces() {
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
        await().until(() -> controlPlane.client().resources(FakeGpu.class).list() != null);
        for (String name : List.of("models", "operator")) {
            controlPlane.client().resource(namespace(name)).create();
        }
    }

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void hasListedEveryKindWhenStartReturns() {
        // Given
        assertThat(watch.isWatching()).isFalse();

        // When
        watch.start();

        // Then
        await().untilAsserted(() -> assertThat(watch.isWatching()).isTrue());
        assertThat(watch.namespaces().get(null, "models")).isPresent();
    }

    @Test
    void callsListenersWhenAnObjectChanges() {
        // Given
        var labels = new CopyOnWriteArrayList<String>();
        watch.namespaces().addListener((before, after) -> {
            if (after != null && after.getMetadata().getName().equals("changing")) {
                labels.add(after.getMetadata().getLabels().getOrDefault("team", "none"));
            }
        });
        watch.start();

        // When
        var created = client.resource(namespace("changing")).create();
        client.resource(created.edit()
                        .editMetadata()
                        .addToLabels("team", "a")
                        .endMetadata()
                        .build())
                .update();

        // Then
        await().untilAsserted(() -> assertThat(labels).startsWith("none").endsWith("a"));
    }

    @Test
    void selectsConfigMapsWithModelsAndTheOneWithSettings() {
        // Given
        client.resource(configMap("models", "with-label", Map.of(Labels.CATALOG, "true")))
                .create();
        client.resource(configMap("models", "without-label", Map.of())).create();
        client.resource(configMap("operator", ClusterWatch.SETTINGS, Map.of())).create();
        client.resource(configMap("operator", "other", Map.of(Labels.CATALOG, "true")))
                .create();

        // When
        watch.start();

        // Then
        assertThat(watch.catalogFiles().list())
                .extracting(file -> file.getMetadata().getName())
                .containsExactly("with-label");
        assertThat(watch.settings().list())
                .extracting(settings -> settings.getMetadata().getName())
                .containsExactly(ClusterWatch.SETTINGS);
    }

    private static Namespace namespace(String name) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    private static ConfigMap configMap(String namespace, String name, Map<String, String> labels) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }
}
