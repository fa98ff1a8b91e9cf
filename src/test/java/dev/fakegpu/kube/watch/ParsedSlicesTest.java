package dev.fakegpu.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ParsedSlicesTest {

    private final ObjectStore<ResourceSlice> stored = new ObjectStore<>();
    private final ParsedSlices reads = new ParsedSlices(stored);

    @Test
    void aVersionIsParsedOnce() {
        // Given
        stored.onAdd(slice("1"));
        var first = reads.asStored(slice("1"));

        // When
        stored.onUpdate(slice("1"), slice("2"));
        var second = reads.asStored(slice("2"));

        // Then
        assertThat(reads.asStored(slice("2"))).isSameAs(second).isNotSameAs(first);
        assertThat(second).isEqualTo(SliceReader.read(slice("2")));
    }

    @Test
    void aVersionThatIsNoLongerStoredIsParsedButNotCached() {
        // Given
        stored.onAdd(slice("2"));
        var newest = reads.asStored(slice("2"));

        // When
        var old = reads.asStored(slice("1"));

        // Then
        assertThat(reads.asStored(slice("1"))).isNotSameAs(old);
        assertThat(reads.asStored(slice("2"))).isSameAs(newest);
    }

    @Test
    void forgetsADeletedSlice() {
        // Given
        stored.onAdd(slice("1"));
        var before = reads.asStored(slice("1"));

        // When
        stored.onDelete(slice("1"), false);

        // Then
        assertThat(reads.asStored(slice("1"))).isNotSameAs(before);
    }

    @Test
    void groupsOfTheAnnotationAreNotInTheStoredSlice() {
        // Given
        stored.onAdd(slice("1"));

        // When
        var itself = reads.asStored(slice("1"));
        var withGroups = reads.withGroups(slice("1"));

        // Then
        assertThat(itself.devices()).noneMatch(Device::usesCompatibilityGroups);
        assertThat(withGroups.devices()).allMatch(Device::usesCompatibilityGroups);
    }

    private static ResourceSlice slice(String version) {
        var slice = TestObjects.slice("{name: slice, uid: uid, resourceVersion: '%s'}".formatted(version), """
                spec:
                  driver: gpu.example.com
                  nodeName: node
                  pool: {name: pool, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0, consumesCounters: [{counterSet: counters}]}]
                """);
        slice.getMetadata().setAnnotations(Map.of(GroupsAnnotation.KEY, """
                {"pool": "pool", "generation": 1, "devices": {"gpu-0": {"counters": ["mig"]}}}"""));
        return slice;
    }
}
