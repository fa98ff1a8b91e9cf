package dev.fakegpu.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The remains of an installation.
 *
 * @param client a client with administrator access
 */
record Remains(KubernetesClient client) {

    /**
     * Waits until the garbage collector watches FakeGpus, because only the garbage collector completes deletions in the foreground. It
     * looks for new kinds every 30 s; before, it may or may not find the objects of a deleted FakeGpu.
     */
    void awaitGarbageCollector() {
        var fakeGpus = new FakeGpuFixture(client);
        fakeGpus.create("collected", "{nodes: {names: [there-is-none]}, model: L40S}");
        client.resources(FakeGpu.class)
                .withName("collected")
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
        fakeGpus.await(() -> assertThat(fakeGpus.find("collected")).isEmpty());
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
