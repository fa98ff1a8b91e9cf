package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignSlicesTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String OF_ITS_NODE = "[{apiVersion: v1, kind: Node, name: node-1, uid: Node-node-1}]";

    private final MemoryCluster cluster = new MemoryCluster(new VirtualTime(START));
    private final ForeignSlices foreign = removingAfter(Optional.of(Duration.ofMinutes(10)));

    @Test
    void slicesThatADriverLeftAreAnnouncedAndThenRemoved() {
        // Given
        node("node-1");
        plugin("gpu.example.com");
        slice("left", "node-1", OF_ITS_NODE);

        // When
        var announced = check(0);
        var early = check(599);
        var due = check(600);

        // Then
        assertThat(announced.left())
                .containsExactly("left (pool node-1, owner Node/node-1, will be removed at 2026-01-01T00:10:00Z)");
        assertThat(announced.next()).contains(Duration.ofMinutes(10));
        assertThat(early.left()).isEqualTo(announced.left());
        assertThat(due)
                .isEqualTo(new ForeignSlicesResult(
                        List.of(), List.of("left (pool node-1, owner Node/node-1)"), Optional.empty()));
        assertThat(cluster.list(ResourceSlice.class)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT-1S", "PT-1H", "PT1H"})
    void aClockThatIsSetChangesNothing(Duration jump) {
        node("node-1");
        plugin("gpu.example.com");
        slice("left", "node-1", OF_ITS_NODE);
        check(0);

        assertThat(check(599, jump).removed()).isEmpty();
        assertThat(check(600, jump).removed()).hasSize(1);
    }

    @Test
    void allSlicesOfAPoolAreRemoved() {
        node("node-1");
        plugin("gpu.example.com");
        slice("counters", "node-1", OF_ITS_NODE);
        slice("devices", "node-1", OF_ITS_NODE);

        check(0);

        assertThat(check(600).removed()).hasSize(2);
        assertThat(cluster.list(ResourceSlice.class)).isEmpty();
    }

    @Test
    void aDriverThatPublishesAgainKeepsItsSlices() {
        node("node-1");
        plugin("gpu.example.com");
        slice("left", "node-1", OF_ITS_NODE);
        check(0);
        check(600);
        slice("again", "node-1", OF_ITS_NODE);

        assertThat(check(601).left())
                .containsExactly(
                        "again (pool node-1, owner Node/node-1, published again after such a slice was removed)");
        assertThat(check(6_000).removed()).isEmpty();
    }

    @Test
    void slicesThatTheirNodeDoesNotOwnStay() {
        node("node-1");
        plugin("gpu.example.com");
        slice("nobodys", "node-1", "[]");
        slice("pods", "node-1", "[{apiVersion: v1, kind: Pod, name: driver, uid: Pod-driver}]");

        assertThat(check(0).left())
                .containsExactly("nobodys (pool node-1, without an owner)", "pods (pool node-1, owner Pod/driver)");
        assertThat(check(600).removed()).isEmpty();
    }

    @Test
    void slicesOfUnregisteredDriversStay() {
        node("node-1");
        plugin("other.example.com");
        slice("left", "node-1", OF_ITS_NODE);

        assertThat(check(0).next()).isEmpty();
        assertThat(check(600).left()).containsExactly("left (pool node-1, owner Node/node-1)");
    }

    @Test
    void withoutTheSettingNothingIsRemoved() {
        node("node-1");
        plugin("gpu.example.com");
        slice("left", "node-1", OF_ITS_NODE);
        var never = removingAfter(Optional.empty());

        assertThat(check(never, 0, Duration.ZERO).left()).containsExactly("left (pool node-1, owner Node/node-1)");
        assertThat(check(never, 600, Duration.ZERO).removed()).isEmpty();
    }

    @Test
    void slicesOfOtherNodesAreIgnored() {
        node("node-1");
        node("node-2");
        slice("left", "node-2", "[{apiVersion: v1, kind: Node, name: node-2, uid: Node-node-2}]");

        assertThat(check(0)).isEqualTo(ForeignSlicesResult.NONE);
    }

    private ForeignSlicesResult check(long seconds) {
        return check(seconds, Duration.ZERO);
    }

    private ForeignSlicesResult check(long seconds, Duration jump) {
        return check(foreign, seconds, jump);
    }

    private static ForeignSlicesResult check(ForeignSlices checked, long seconds, Duration jump) {
        var clock = new MutableClock(START.toString());
        clock.advance(Duration.ofSeconds(seconds));
        clock.jump(jump);
        return checked.check(fakeGpu(), clock.now(), clock.instant());
    }

    private ForeignSlices removingAfter(Optional<Duration> time) {
        return new ForeignSlices(cluster, cluster.stores(), time);
    }

    private void node(String name) {
        store("""
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                """.formatted(name));
    }

    private void plugin(String driver) {
        store("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: fakegpu-kubelet-plugin, name: plugin, labels: {app.kubernetes.io/name: fakegpu-kubelet-plugin}}
                spec: {containers: [{name: plugin, image: plugin}], nodeName: node-1, serviceAccountName: fakegpu-kubelet-plugin}
                status:
                  phase: Running
                  conditions:
                  - {type: Ready, status: "True"}
                  - {type: fakegpu.dev/DriversRegistered, status: "True", message: %s}
                """.formatted(driver));
    }

    private void slice(String name, String node, String owners) {
        store("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %1$s, ownerReferences: %3$s}
                spec:
                  driver: gpu.example.com
                  nodeName: %2$s
                  pool: {name: %2$s, generation: 1, resourceSliceCount: 1}
                """.formatted(name, node, owners));
    }

    private void store(String yaml) {
        HasMetadata object = ClusterYaml.objects(yaml).get(0);
        object.getMetadata().setResourceVersion("1");
        cluster.restore(object);
    }

    private static FakeGpu fakeGpu() {
        return TestObjects.fakeGpu(
                "{name: heir, uid: heir-uid}", "spec: {model: LATEST-GPU-MODEL, nodes: {names: [node-1]}}");
    }
}
