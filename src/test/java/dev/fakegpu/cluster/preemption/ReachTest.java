package dev.fakegpu.cluster.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.preemption.Victim;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReachTest {

    private static final AllocatorOptions OPTIONS = new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of());

    private static Slice slice(String pool, String nodes) {
        ResourceSlice slice = ClusterYaml.object("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %1$s}
                spec: {driver: gpu.example.com, pool: {name: %1$s, generation: 1, resourceSliceCount: 1}, %2$s, devices: [{name: gpu}]}
                """.formatted(pool, nodes));
        return SliceReader.read(slice);
    }

    private static AllocatedDevice held(String pool, String claim) {
        return new AllocatedDevice(new DeviceId("gpu.example.com", pool, "gpu"), ref(claim), null);
    }

    private static ClaimRef ref(String claim) {
        return new ClaimRef("default", claim, claim);
    }

    private static Victim pod(String name, String... claims) {
        Set<ClaimRef> used = Set.copyOf(Stream.of(claims).map(ReachTest::ref).toList());
        return new Victim(0, false, List.of(new Victim.Member(name, 0, Instant.MAX, used)));
    }

    @Test
    void victimsAreOnTheNodeOrHoldWhatItCanAccess() {
        var context = new AllocationContext(
                new SliceIndex(
                        List.of(
                                slice("n1", "nodeName: n1"),
                                slice(
                                        "rack",
                                        "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: [a]}]}]}"),
                                slice("all", "allNodes: true")),
                        OPTIONS),
                Map.of(),
                new AllocatedDevices(
                        List.of(held("n1", "local"), held("rack", "of-rack"), held("all", "of-all")), GroupPolicy.LIVE),
                Selectors.shared(),
                OPTIONS);
        Victim plain = pod("plain");
        Victim local = pod("local", "local");
        Victim ofRack = pod("of-rack", "of-rack");
        Victim ofAll = pod("of-all", "of-all", "local");
        Map<Victim, String> nodes = Map.of(plain, "n2", local, "n1", ofRack, "n3", ofAll, "n1");

        var reach = new Reach(context, List.of(ofAll, ofRack, plain, local), victim -> Stream.of(nodes.get(victim)));

        assertThat(reach.of(new NodeInfo("n1", Map.of("rack", "a")))).containsExactly(ofAll, ofRack, local);
        assertThat(reach.of(new NodeInfo("n2", Map.of("rack", "b")))).containsExactly(ofAll, plain);
        assertThat(reach.of(new NodeInfo("n3", Map.of()))).containsExactly(ofAll, ofRack);
        assertThat(reach.of(new NodeInfo("n4", Map.of()))).containsExactly(ofAll);
    }
}
