package dev.fakegpu.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeadroomTest {

    /** More with {@code -Pall}. */
    private static final int POOLS = Integer.getInteger("headroom.pools", 1_500);

    private static final Set<String> ALL = Set.of("node-1", "node-2");

    /** A claim for one device is exact everywhere; one for two devices is exact on each node, and nearly always on both together. */
    @Test
    void countsWhatBruteForceFinds() {
        int bounds = 0;
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
            long most = brute.most(ALL);
            assertThat(room.atOnce().atLeast()).as("%s", seed).isLessThanOrEqualTo(most);
            assertThat(room.atOnce().atMost()).as("%s", seed).isGreaterThanOrEqualTo(most);
            bounds += room.atOnce().isExact() ? 0 : 1;
            if (pools.request().count() == 1) {
                check(seed + " in all", room.atOnce(), most);
            }
        }
        assertThat(bounds).as("pools with bounds only").isLessThan(POOLS / 20);
    }

    /** What has no limit is counted to a certain number only, if several devices have to be allocated together. */
    private static void check(String what, Count actual, long most) {
        if (most == Count.UNLIMITED && !actual.isExact()) {
            assertThat(actual.atMost()).as(what).isEqualTo(Count.UNLIMITED);
            assertThat(actual.atLeast()).as(what).isGreaterThanOrEqualTo(Copies.MAX_COPIES);
        } else {
            assertThat(actual).as(what).isEqualTo(Count.exactly(most));
        }
    }
}
