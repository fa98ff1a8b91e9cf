package dev.fakegpu.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceInterner;
import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObjectStoreTest {

    private final ObjectStore<Node> store = new ObjectStore<>();

    @Test
    void aLaggingInformerDoesNotUndoOurOwnWrite() {
        // Given
        store.onAdd(node("uid-1", 5, "a"));
        store.written(node("uid-1", 9, "b"));

        // When
        store.onUpdate(node("uid-1", 5, "a"), node("uid-1", 7, "old"));

        // Then
        assertThat(label()).isEqualTo("b");
    }

    /** The response of a binding is not a pod, so the store keeps the previous version with the changes of the binding. */
    @Test
    void aLaggingInformerDoesNotUndoWhatWasAddedToTheSameVersion() {
        store.onAdd(node("uid-1", 5, "a"));
        store.written(node("uid-1", 7, "b"));
        store.written(node("uid-1", 7, "bound"));

        store.onUpdate(node("uid-1", 5, "a"), node("uid-1", 7, "b"));

        assertThat(label()).isEqualTo("bound");
    }

    @Test
    void aLaterVersionFromTheInformerWins() {
        store.onAdd(node("uid-1", 5, "a"));
        store.written(node("uid-1", 9, "b"));
        store.onUpdate(node("uid-1", 9, "b"), node("uid-1", 10, "c"));
        assertThat(label()).isEqualTo("c");
    }

    /** etcd was restored from a snapshot, and the informer has listed the objects again. */
    @Test
    void newerVersionsAreDroppedWhenTheInformerGoesBack() {
        store.onAdd(node("uid-1", 5, "a"));
        store.written(node("uid-1", 9, "b"));
        store.onUpdate(node("uid-1", 5, "a"), node("uid-1", 9, "b"));

        store.onUpdate(node("uid-1", 9, "b"), node("uid-1", 4, "restored"));

        assertThat(label()).isEqualTo("restored");
    }

    /** The order does not matter: an object that was read is more complete than one that was sent. */
    @Test
    void aReadObjectReplacesAnAssumedOneOfTheSameVersion() {
        var slices = new ObjectStore<ResourceSlice>();
        var sent = new Slice(
                "a", new PoolId("gpu.example.com", "a"), 1, 1, new NodeSelection.AllNodes(), List.of(), List.of());
        var metadata = new ObjectMetaBuilder()
                .withName("a")
                .withUid("uid")
                .withResourceVersion("5")
                .build();
        var assumed = CompactSlice.of(metadata, sent).asStoredWith(metadata);
        var read = CompactSlice.of(metadata, sent);

        slices.written(assumed);
        assertThat(slices.get(null, "a")).containsSame(assumed);
        slices.onAdd(read);
        assertThat(slices.get(null, "a")).containsSame(read);
        slices.written(assumed);
        assertThat(slices.get(null, "a")).containsSame(read);
    }

    @Test
    void aWriteDoesNotBringBackADeletedObject() {
        store.onAdd(node("uid-1", 5, "a"));
        store.onDelete(node("uid-1", 6, "a"), false);
        store.written(node("uid-1", 5, "late"));
        assertThat(store.get(null, "node-1")).isEmpty();
    }

    @Test
    void aNewObjectWithTheNameOfADeletedOneIsStored() {
        store.onAdd(node("uid-1", 5, "a"));
        store.onAdd(node("uid-2", 8, "b"));
        store.onDelete(node("uid-1", 6, "a"), false);
        assertThat(label()).isEqualTo("b");
    }

    @Test
    void anObjectIsFoundByEachOfItsKeys() {
        // Given
        var byLabels =
                store.index(node -> Set.copyOf(node.getMetadata().getLabels().values()));
        Node one = node("uid-1", 5, "a");
        one.getMetadata().setLabels(Map.of("label", "a", "other", "b"));
        store.onAdd(one);
        assertThat(byLabels.get("a")).hasSize(1);
        assertThat(byLabels.get("b")).hasSize(1);

        // When
        Node changed = node("uid-1", 6, "b");
        changed.getMetadata().setLabels(Map.of("label", "b", "other", "c"));
        store.onUpdate(one, changed);

        // Then
        assertThat(byLabels.get("a")).isEmpty();
        assertThat(byLabels.get("b")).containsExactly(changed);
        assertThat(byLabels.get("c")).containsExactly(changed);
    }

    @Test
    void anIndexFollowsWhatIsStored() {
        // Given
        store.onAdd(node("uid-1", 5, "a"));
        var byLabel = store.index(node -> Set.of(node.getMetadata().getLabels().get("label")));
        assertThat(byLabel.get("a")).as("stored before").hasSize(1);
        assertThat(byLabel.get("b")).isEmpty();

        // When, then
        store.written(node("uid-1", 6, "b"));
        assertThat(byLabel.get("a")).isEmpty();
        assertThat(byLabel.get("b"))
                .extracting(node -> node.getMetadata().getUid())
                .containsExactly("uid-1");

        store.onUpdate(node("uid-1", 5, "a"), node("uid-1", 5, "a"));
        assertThat(byLabel.get("a")).as("an old version").isEmpty();

        store.deleted(node("uid-1", 6, "b"));
        assertThat(byLabel.get("b")).isEmpty();
    }

    @Test
    void listenersAreCalledAfterTheStoreChanged() {
        List<String> seen = new ArrayList<>();
        store.addListener((before, after) -> seen.add(after == null ? "gone" : label()));
        store.onAdd(node("uid-1", 5, "a"));
        store.onUpdate(node("uid-1", 5, "a"), node("uid-1", 6, "b"));
        store.onDelete(node("uid-1", 6, "b"), false);
        assertThat(seen).containsExactly("a", "b", "gone");
    }

    @Test
    void anObjectIsLeftOutAsLongAsItCannotBeRead() {
        var readable = ObjectStore.<Node>ofReadable();

        readable.onAdd(unreadable(5));
        assertThat(readable.list()).isEmpty();
        assertThat(readable.leftOut()).hasSize(1);

        readable.onUpdate(unreadable(5), node("uid-1", 6, "a"));
        assertThat(readable.list()).hasSize(1);
        assertThat(readable.unreadable()).isEmpty();

        readable.onUpdate(node("uid-1", 6, "a"), unreadable(7));
        assertThat(readable.list()).isEmpty();
        assertThat(readable.leftOut()).hasSize(1);

        readable.onDelete(unreadable(7), false);
        assertThat(readable.unreadable()).isEmpty();
    }

    @Test
    void aSliceWithoutItsDevicesIsReplacedByTheSameVersionWithThem() {
        var slices = ObjectStore.<ResourceSlice>ofReadable();
        CompactSlice without = CompactSlice.withoutDevices(slice(5), SliceInterner.SHARED);
        without.getMetadata().setAdditionalProperty("fakegpu.dev/unreadable-fields", "its devices are not kept");
        CompactSlice complete = CompactSlice.of(slice(5), SliceInterner.SHARED);

        slices.onAdd(without);
        assertThat(slices.list()).isEmpty();

        slices.onUpdate(without, complete);
        assertThat(slices.list()).containsExactly(complete);
        assertThat(slices.leftOut()).isEmpty();

        List<ResourceSlice> gone = new ArrayList<>();
        slices.addListener((before, after) -> {
            assertThat(after).isNull();
            gone.add(before);
        });
        slices.onDelete(without, false); // the informer's version of the object
        assertThat(gone).containsExactly(complete);
        assertThat(slices.list()).isEmpty();
    }

    private static ResourceSlice slice(long version) {
        return TestObjects.slice(
                "{name: slice, uid: uid-1, resourceVersion: '%d'}".formatted(version),
                "spec: {driver: gpu.example.com, pool: {name: pool, generation: 1, resourceSliceCount: 1}}");
    }

    /** A reconciler may store an object that it read earlier. */
    @Test
    void anOlderVersionThatCannotBeReadDoesNotReplaceANewerOne() {
        var readable = ObjectStore.<Node>ofReadable();
        readable.onAdd(unreadable(5));
        readable.onUpdate(unreadable(5), node("uid-1", 6, "a"));

        readable.written(unreadable(5));

        assertThat(readable.list()).hasSize(1);
        assertThat(readable.unreadable()).isEmpty();
    }

    /** The reverse of the previous test. */
    @Test
    void anOlderVersionThatCanBeReadDoesNotReplaceANewerOne() {
        var readable = ObjectStore.<Node>ofReadable();
        readable.onAdd(node("uid-1", 5, "a"));
        readable.onUpdate(node("uid-1", 5, "a"), unreadable(6));

        readable.written(node("uid-1", 5, "a"));

        assertThat(readable.list()).isEmpty();
    }

    private static Node unreadable(long version) {
        var node = node("uid-1", version, "a");
        node.getMetadata().setAdditionalProperty("fakegpu.dev/unreadable-fields", "field spec cannot be read");
        return node;
    }

    private String label() {
        return store.get(null, "node-1").orElseThrow().getMetadata().getLabels().get("label");
    }

    private static Node node(String uid, long version, String label) {
        return TestObjects.node(
                "{name: node-1, uid: %s, resourceVersion: '%d', labels: {label: %s}}".formatted(uid, version, label));
    }
}
