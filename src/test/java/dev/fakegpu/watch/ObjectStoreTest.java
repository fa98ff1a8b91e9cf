package dev.fakegpu.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    @Test
    void aLaterVersionFromTheInformerWins() {
        store.onAdd(node("uid-1", 5, "a"));
        store.written(node("uid-1", 9, "b"));
        store.onUpdate(node("uid-1", 9, "b"), node("uid-1", 10, "c"));
        assertThat(label()).isEqualTo("c");
    }

    /** etcd was restored from a snapshot, and the informer has listed anew. */
    @Test
    void whatTheInformerKnewBeforeIsForgottenWhenItGoesBack() {
        store.onAdd(node("uid-1", 5, "a"));
        store.written(node("uid-1", 9, "b"));
        store.onUpdate(node("uid-1", 5, "a"), node("uid-1", 9, "b"));

        store.onUpdate(node("uid-1", 9, "b"), node("uid-1", 4, "restored"));

        assertThat(label()).isEqualTo("restored");
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
    void anIndexFollowsWhatIsStored() {
        // Given
        store.onAdd(node("uid-1", 5, "a"));
        var byLabel =
                store.index(node -> Optional.of(node.getMetadata().getLabels().get("label")));
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

    private String label() {
        return store.get(null, "node-1").orElseThrow().getMetadata().getLabels().get("label");
    }

    private static Node node(String uid, long version, String label) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("node-1")
                .withUid(uid)
                .withResourceVersion(Long.toString(version))
                .addToLabels("label", label)
                .endMetadata()
                .build();
    }
}
