package dev.fakegpu.e2e.support;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The FakeGpus of a test and their published objects. Everything is removed at the end; if this is a registered extension, at the end of
 * each test.
 */
public final class FakeGpuFixture implements AutoCloseable, AfterEachCallback {

    private final KubernetesClient client;
    private final Set<String> names = new LinkedHashSet<>();
    private final List<HasMetadata> others = new ArrayList<>();

    public FakeGpuFixture(KubernetesClient client) {
        this.client = client;
    }

    // --- actions of users ---

    /** @param spec the content of {@code spec:}, as YAML in flow style */
    public void create(String name, String spec) {
        var manifest = """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: %s}
                spec: %s
                """.formatted(name, spec);
        names.add(name);
        client.resource(client.getKubernetesSerialization().unmarshal(manifest, GenericKubernetesResource.class))
                .create();
    }

    /** Applies a JSON merge patch to the spec. */
    public void patchSpec(String name, String patch) {
        client.resources(FakeGpu.class)
                .withName(name)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":" + patch + "}");
    }

    /** Applies a JSON merge patch to the status, which users do not do. */
    public void patchStatus(String name, String patch) {
        client.resources(FakeGpu.class)
                .withName(name)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":" + patch + "}");
    }

    public void delete(String name) {
        client.resources(FakeGpu.class).withName(name).delete();
    }

    /** Creates a node that is not simulated. */
    public void createNode(String name, Map<String, String> labels) {
        var node = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
        create(node);
    }

    /** @param value the value; null removes the label */
    public void labelNode(String name, String label, String value) {
        client.nodes()
                .withName(name)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"labels\":{\"%s\":%s}}}"
                                .formatted(label, value == null ? "null" : '"' + value + '"'));
    }

    /** Creates another object that is also removed at the end. */
    public <T extends HasMetadata> T create(T other) {
        T created = client.resource(other).create();
        others.add(created);
        return created;
    }

    // --- observations ---

    public FakeGpu stored(String name) {
        return client.resources(FakeGpu.class).withName(name).require();
    }

    public Optional<FakeGpu> find(String name) {
        return Optional.ofNullable(
                client.resources(FakeGpu.class).withName(name).get());
    }

    public FakeGpu awaitReady(String name) {
        return awaitCondition(name, "Ready", "True");
    }

    /** Waits until the newest spec has been processed and the condition has this status. */
    public FakeGpu awaitCondition(String name, String type, String status) {
        await(() -> {
            var stored = stored(name);
            assertThat(stored).isUpToDate().condition(type).hasStatus(status);
        });
        return stored(name);
    }

    public static Condition condition(FakeGpu fakeGpu, String type) {
        return fakeGpu.getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no condition " + type + " in " + fakeGpu.getStatus()));
    }

    /** The slices in the order of their names, which is the order of the layout. */
    public List<ResourceSlice> storedSlices(String name) {
        return client.resources(ResourceSlice.class).withLabel(Labels.FAKEGPU, name).list().getItems().stream()
                .sorted(Comparator.comparing(slice -> slice.getMetadata().getName()))
                .toList();
    }

    public List<Slice> slices(String name) {
        return storedSlices(name).stream().map(SliceReader::read).toList();
    }

    public List<Node> simulatedNodes(String name) {
        return client.nodes().withLabel(Labels.FAKEGPU, name).list().getItems();
    }

    public List<DeviceClass> storedDeviceClasses(String driver) {
        return client.resources(DeviceClass.class)
                .withLabel("fakegpu.dev/driver", driver)
                .list()
                .getItems();
    }

    /** Events about a cluster-scoped object are in {@code default}. */
    public List<Event> events(String name, String reason) {
        String uid = stored(name).getMetadata().getUid();
        return client.v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> uid.equals(event.getInvolvedObject().getUid()))
                .filter(event -> reason.equals(event.getReason()))
                .toList();
    }

    /** The resource versions, which any write changes. */
    public static Map<String, String> versions(Collection<? extends HasMetadata> objects) {
        var versions = new TreeMap<String, String>();
        objects.forEach(object -> versions.put(
                object.getMetadata().getName(), object.getMetadata().getResourceVersion()));
        return versions;
    }

    public void await(ThrowingRunnable assertion) {
        Awaitility.await().untilAsserted(assertion);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }

    /** Removes everything and checks that the FakeGpus left nothing behind. */
    @Override
    public void close() {
        names.forEach(this::delete);
        others.forEach(other -> client.resource(other).delete());
        names.forEach(this::awaitGone);
    }

    /** Waits until nothing of a deleted FakeGpu is left. */
    public void awaitGone(String name) {
        await(() -> {
            assertThat(find(name)).isEmpty();
            assertThat(storedSlices(name)).isEmpty();
            assertThat(simulatedNodes(name)).isEmpty();
        });
    }

    /** Waits until nothing of any deleted FakeGpu is left: the objects of a FakeGpu are deleted after it. */
    public void awaitNothingLeft() {
        await(() -> {
            assertThat(client.resources(ResourceSlice.class)
                            .withLabel(Labels.FAKEGPU)
                            .list()
                            .getItems())
                    .isEmpty();
            assertThat(client.nodes().withLabel(Labels.FAKEGPU).list().getItems())
                    .isEmpty();
        });
    }
}
