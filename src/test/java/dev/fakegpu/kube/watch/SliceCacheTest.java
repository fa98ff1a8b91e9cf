package dev.fakegpu.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.TaintRule;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SliceCacheTest {

    private static final TaintRule RULE =
            new TaintRule(null, "pool-a", null, new DeviceTaint("drain", "", "NoExecute").ofRule("rule"));

    private final SliceCache cache = new SliceCache();

    @Test
    void anUnchangedSliceStaysTheSameObject() {
        // Given
        assertThat(refresh(List.of(), slice("pool-a", "1"), slice("pool-b", "1")))
                .containsExactlyInAnyOrder(a(), b());
        List<Slice> before = cache.slices();

        // When
        var changed = refresh(List.of(), slice("pool-a", "1"), slice("pool-b", "2"));

        // Then
        assertThat(changed).containsExactly(b());
        assertThat(cache.slices().get(0)).isSameAs(before.get(0));
        assertThat(cache.slices().get(1)).isNotSameAs(before.get(1));
    }

    @Test
    void aDeletedSliceChangesItsPool() {
        refresh(List.of(), slice("pool-a", "1"), slice("pool-b", "1"));
        assertThat(refresh(List.of(), slice("pool-a", "1"))).containsExactly(b());
    }

    @Test
    void rulesChangeOnlyThePoolsWhoseDevicesTheyTaint() {
        // Given
        refresh(List.of(), slice("pool-a", "1"), slice("pool-b", "1"));
        Slice untouched = cache.slices().get(1);

        // When
        var tainted = refresh(List.of(RULE), slice("pool-a", "1"), slice("pool-b", "1"));

        // Then
        assertThat(tainted).containsExactly(a());
        assertThat(cache.slices().get(0).devices().get(0).taints()).containsExactly(RULE.taint());
        assertThat(cache.slices().get(1)).isSameAs(untouched);

        // When nothing has changed, and when the rule is removed
        assertThat(refresh(List.of(RULE), slice("pool-a", "1"), slice("pool-b", "1")))
                .isEmpty();
        assertThat(refresh(List.of(), slice("pool-a", "1"), slice("pool-b", "1")))
                .containsExactly(a());

        // Then
        assertThat(cache.slices().get(0).devices().get(0).taints()).isEmpty();
    }

    @Test
    void readAgainReadsAllSlices() {
        refresh(List.of(), slice("pool-a", "1"));
        cache.readAgain();
        assertThat(refresh(List.of(), slice("pool-a", "1"))).containsExactly(a());
    }

    @Test
    void oneSliceIsReadWithoutTheOthers() {
        // Given
        refresh(List.of(RULE), slice("pool-a", "1"), slice("pool-b", "1"));
        Slice before = cache.slices().get(0);

        // When
        var unchanged = cache.refresh(slice("pool-a", "1"), SliceReader::read);
        var changed = cache.refresh(slice("pool-a", "2"), SliceReader::read);
        var gone = cache.remove(slice("pool-b", "1").getMetadata().getName());

        // Then
        assertThat(unchanged).isEmpty();
        assertThat(changed).hasValueSatisfying(change -> {
            assertThat(change.before()).isSameAs(before);
            assertThat(change.after()).isSameAs(cache.slices().get(0)).isNotSameAs(before);
            assertThat(cache.slices().get(0).devices().get(0).taints()).containsExactly(RULE.taint());
        });
        assertThat(gone).hasValueSatisfying(change -> assertThat(change.after()).isNull());
        assertThat(cache.slices()).hasSize(1);
    }

    private Set<PoolId> refresh(List<TaintRule> rules, ResourceSlice... stored) {
        return cache.refresh(Stream.of(stored), SliceReader::read, rules).stream()
                .flatMap(SliceCache.Change::pools)
                .collect(Collectors.toSet());
    }

    private static PoolId a() {
        return new PoolId("gpu.example.com", "pool-a");
    }

    private static PoolId b() {
        return new PoolId("gpu.example.com", "pool-b");
    }

    private static ResourceSlice slice(String pool, String version) {
        return TestObjects.slice(
                "{name: %1$s, uid: %1$s, resourceVersion: '%2$s'}".formatted(pool, version), """
                spec:
                  driver: gpu.example.com
                  pool: {name: %s, generation: 1, resourceSliceCount: 1}
                  allNodes: true
                  devices: [{name: gpu-0}]
                """.formatted(pool));
    }
}
