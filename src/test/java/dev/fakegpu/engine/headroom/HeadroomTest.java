package dev.fakegpu.engine.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeadroomTest {

    /** The profile {@code -Pall} sets a larger number. */
    private static final int POOLS = Integer.getInteger("headroom.pools", 400);

    private static final Set<String> ALL = Set.of("node-1", "node-2");

    @Test
    void countsWhatBruteForceFinds() {
        for (long seed = 0; seed < POOLS; seed++) {
            var pools = RandomPools.of(seed);
            var brute = new BruteForceRoom(pools);

            Room room = new Headroom(pools.context()).of(RandomPools.NODES, List.of(pools.claim()));

            for (Room.OfNode node : room.nodes()) {
                check(seed + " on " + node.node(), node.atOnce(), brute.most(Set.of(node.node())));
                assertThat(node.inOrder().atLeast())
                        .as("%s", seed)
                        .isLessThanOrEqualTo(node.atOnce().atLeast());
            }
            check(seed + " in all", room.atOnce(), brute.most(ALL));
        }
    }

    /** The first claim takes the device that both nodes can access, and leaves none for the other node. */
    @Test
    void claimsOfOnePodHaveToBeOnOneNode() {
        var pools = new RandomPools(
                List.of(),
                List.of(
                        device("gpu-0", "x", new NodeSelection.AllNodes()),
                        device("gpu-1", "x", new NodeSelection.NodeName("node-1")),
                        device("nic-0", "y", new NodeSelection.NodeName("node-1")),
                        device("nic-1", "y", new NodeSelection.NodeName("node-2"))),
                List.of(),
                claim("gpu", "x"),
                GroupsGate.ON);

        Room room = new Headroom(pools.context()).of(RandomPools.NODES, List.of(pools.claim(), claim("nic", "y")));

        assertThat(room.atOnce()).isEqualTo(Count.exactly(2));
        assertThat(room.inOrder()).isEqualTo(Count.exactly(1));
    }

    private static Device device(String name, String kind, NodeSelection nodes) {
        return new Device(name, Map.of("kind", AttributeValue.of(kind)), Map.of(), List.of(), List.of())
                .withNodes(nodes);
    }

    private static Claim claim(String name, String kind) {
        String selector = "device.attributes['gpu.example.com'].kind == '" + kind + "'";
        return new Claim(
                new ClaimRef("default", name, name),
                List.of(DeviceRequest.exactly("device", "gpu", List.of(selector), 1, List.of())),
                List.of(),
                List.of());
    }

    /** If several devices must be allocated together, unlimited room is counted only up to a maximum. */
    private static void check(String what, Count actual, long most) {
        if (most == Count.UNLIMITED && !actual.isExact()) {
            assertThat(actual.atMost()).as(what).isEqualTo(Count.UNLIMITED);
            assertThat(actual.atLeast()).as(what).isGreaterThanOrEqualTo(Copies.MAX_COPIES);
        } else {
            assertThat(actual).as(what).isEqualTo(Count.exactly(most));
        }
    }
}
