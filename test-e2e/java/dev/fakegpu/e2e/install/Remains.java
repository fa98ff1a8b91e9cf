package dev.fakegpu.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * What is left of an installation.
 *
 * @param client an administrator's
 */
record Remains(KubernetesClient client) {

    /**
     * Waits until the garbage collector knows FakeGpus: what belongs to a deleted one is deleted, too. It looks for new kinds every 30 s. No
     * operator deletes a ConfigMap.
     */
    void awaitGarbageCollector() {
        var fakeGpus = new FakeGpuFixture(client);
        fakeGpus.create("collected", "{nodes: {names: [there-is-none]}, model: L40S}");
        var configMap = client.resource(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("of-a-fakegpu")
                .withOwnerReferences(FakeGpuOwner.reference(fakeGpus.stored("collected")))
                .endMetadata()
                .build());
        configMap.create();
        fakeGpus.delete("collected");
        Awaitility.await().until(() -> configMap.get() == null);
    }

    void assertNone() {
        assertThat(client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .list()
                        .getItems())
                .isEmpty();
        assertThat(client.rbac().clusterRoles().list().getItems())
                .extracting(role -> role.getMetadata().getName())
                .noneMatch(name -> name.startsWith("fakegpu"));
        Awaitility.await().untilAsserted(() -> assertThat(published()).isEmpty());
    }

    private Stream<String> published() {
        return Stream.<List<? extends HasMetadata>>of(
                        client.resources(ResourceSlice.class).list().getItems(),
                        client.resources(DeviceClass.class)
                                .withLabel(Labels.MANAGED_BY, Labels.OPERATOR)
                                .list()
                                .getItems(),
                        client.nodes().list().getItems())
                .flatMap(List::stream)
                .map(object -> object.getKind() + " " + object.getMetadata().getName());
    }
}
