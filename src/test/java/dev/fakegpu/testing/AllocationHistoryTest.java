package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/** Tests that the checker of long runs finds violations, and reports nothing else. */
class AllocationHistoryTest {

    private final AllocationHistory history = new AllocationHistory();

    @Test
    void acceptsDevicesThatAreHeldOneAfterTheOther() {
        slices(1);

        allocate("a/one", "mig-0");
        history.claim("a/one", null);
        allocate("b/two", "mig-0");

        assertThat(history.violations()).isEmpty();
        assertThat(history.allocated()).isEqualTo(2);
        assertThat(history.released()).isEqualTo(1);
    }

    @Test
    void reportsADeviceThatIsHeldTwice() {
        slices(1);

        allocate("a/one", "mig-0");
        allocate("b/two", "mig-0");
        history.claim("a/one", null);

        assertThat(history.violations())
                .containsExactly("gpu.example.com/node/mig-0 is held by a/one and by b/two (since 7)");
    }

    @Test
    void reportsAnUnpublishedDeviceThatIsHeldTwice() {
        allocate("a/one", "mig-0");
        allocate("b/two", "mig-0");

        assertThat(history.violations()).hasSize(1);
    }

    @Test
    void reportsGroupsThatExcludeEachOther() {
        slices(1);

        allocate("a/one", "mig-0");
        allocate("b/two", "vgpu-0");

        assertThat(history.violations())
                .containsExactly(
                        "b/two has no group in common with the others on gpu.example.com/node/counters" + " (since 7)");
    }

    @Test
    void reportsExceededCounters() {
        slices(1);

        allocate("a/one", "mig-0");
        allocate("b/two", "mig-1");
        assertThat(history.violations()).isEmpty();
        allocate("c/three", "mig-2");

        assertThat(history.violations())
                .containsExactly("counter gpu.example.com/node/counters/slices is exceeded by 1 (since 7)");
    }

    @Test
    void reportsExceededCapacityAndSharesThatAreHeldTwice() {
        slices(1);

        share("a/one", "share-1", 6);
        share("b/two", "share-2", 4);
        assertThat(history.violations()).isEmpty();
        share("c/three", "share-2", 1);

        assertThat(history.violations())
                .containsExactlyInAnyOrder(
                        "gpu.example.com/node/shared/share-2 is held by b/two and by c/three (since 7)",
                        "capacity gpu.example.com/node/shared/memory is exceeded by 1 (since 7)");
    }

    @Test
    void aPoolThatIsBeingReplacedIsCheckedWhenItIsComplete() {
        slices(2);
        allocate("a/one", "mig-0");
        allocate("b/two", "vgpu-0");
        assertThat(history.violations()).isEmpty();

        slices(1);

        assertThat(history.violations()).hasSize(1);
    }

    @Test
    void reportsHeldDevicesThatAreNotPublished() {
        slices(1);

        allocate("a/one", "gone");

        assertThat(history.violations()).isEmpty();
        assertThat(history.unpublished())
                .containsExactly("a/one holds gpu.example.com/node/gone, which is not published");
        history.slice("slice", null);
        assertThat(history.unpublished()).isEmpty();
    }

    private void slices(int count) {
        history.slice("slice", Serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: slice, resourceVersion: "3"}
                spec:
                  driver: gpu.example.com
                  pool: {name: node, generation: 1, resourceSliceCount: %d}
                  sharedCounters: [{name: counters, counters: {slices: {value: "2"}}}]
                  devices:
                  - name: mig-0
                    consumesCounters:
                    - {counterSet: counters, compatibilityGroups: [mig], counters: {slices: {value: "1"}}}
                  - name: mig-1
                    consumesCounters:
                    - {counterSet: counters, compatibilityGroups: [mig], counters: {slices: {value: "1"}}}
                  - name: mig-2
                    consumesCounters:
                    - {counterSet: counters, compatibilityGroups: [mig], counters: {slices: {value: "1"}}}
                  - name: vgpu-0
                    consumesCounters:
                    - {counterSet: counters, compatibilityGroups: [vgpu], counters: {slices: {value: "1"}}}
                  - name: shared
                    allowMultipleAllocations: true
                    capacity: {memory: {value: "10"}}
                """.formatted(count), ResourceSlice.class));
    }

    private void allocate(String claim, String device) {
        allocation(claim, "{request: gpu, driver: gpu.example.com, pool: node, device: %s}".formatted(device));
    }

    private void share(String claim, String id, int memory) {
        allocation(
                claim,
                "{request: gpu, driver: gpu.example.com, pool: node, device: shared, shareID: %s, consumedCapacity: {memory: \"%d\"}}"
                        .formatted(id, memory));
    }

    private void allocation(String claim, String result) {
        history.claim(claim, Serialization.unmarshal("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: claim, resourceVersion: "7"}
                spec: {}
                status: {allocation: {devices: {results: [%s]}}}
                """.formatted(result), ResourceClaim.class));
    }
}
