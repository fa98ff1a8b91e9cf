package dev.fakegpu.engine.allocate.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ComponentProfileTest {

    private static final int COMPONENTS = 20_000;
    private static final int KINDS = 3;
    private static final int COLUMNS = 3;
    private static final int SETS = 2;
    private static final int ALL_GROUPS = 0b111;

    private final Random random = new Random(20261127);

    @Test
    void whatAGreedyChoiceServesIsTheWholeFrontier() {
        int greedily = 0;
        int onlyByTheFrontier = 0;
        for (int i = 0; i < COMPONENTS; i++) {
            List<ComponentProfile.Member> members = members();
            var profile = new ComponentProfile(members, COLUMNS, SETS);
            int[] kindsOfMember = members.stream()
                    .mapToInt(each -> random.nextInt(1 << KINDS))
                    .toArray();
            long wanted = wanted();
            ComponentProfile.State left = left();

            ParetoFrontier frontier = profile.frontier(left, uses(kindsOfMember), wanted, new Groups());

            if (profile.servesGreedily(left, kindsOfMember, wanted, new Groups())) {
                greedily++;
                assertThat(frontier.size()).isEqualTo(1);
                assertThat(frontier.most()).isEqualTo(wanted);
            } else if (frontier.covers(wanted)) {
                onlyByTheFrontier++;
            }
        }
        assertThat(greedily).isGreaterThan(COMPONENTS / 10);
        assertThat(onlyByTheFrontier).isPositive().isLessThan(greedily / 10);
    }

    private List<ComponentProfile.Member> members() {
        return IntStream.rangeClosed(0, random.nextInt(7))
                .mapToObj(i -> member())
                .toList();
    }

    private ComponentProfile.Member member() {
        List<Integer> columns = new ArrayList<>();
        List<Long> amounts = new ArrayList<>();
        List<Integer> sets = new ArrayList<>();
        List<List<String>> groups = new ArrayList<>();
        for (int column = 0; column < COLUMNS; column++) {
            if (random.nextBoolean()) {
                columns.add(column);
                amounts.add(1L + random.nextInt(3));
            }
        }
        for (int set = 0; set < SETS; set++) {
            if (random.nextBoolean()) {
                sets.add(set);
                groups.add(groups(1 + random.nextInt(ALL_GROUPS)));
            }
        }
        return new ComponentProfile.Member(columns, amounts, sets, groups);
    }

    private static List<String> groups(int bits) {
        return IntStream.range(0, 3)
                .filter(i -> (bits >>> i & 1) != 0)
                .mapToObj(Integer::toString)
                .toList();
    }

    private long wanted() {
        long wanted = KindCounts.NOTHING;
        for (int kind = 0; kind < KINDS; kind++) {
            wanted = KindCounts.with(wanted, kind, random.nextInt(3));
        }
        return wanted;
    }

    private ComponentProfile.State left() {
        long[] values = new long[COLUMNS + SETS];
        for (int i = 0; i < values.length; i++) {
            values[i] = i < COLUMNS ? random.nextInt(8) : ALL_GROUPS;
        }
        return new ComponentProfile.State(values);
    }

    private static ComponentProfile.Uses uses(int[] kindsOfMember) {
        return new ComponentProfile.Uses() {
            @Override
            public ParetoFrontier of(int member) {
                if (kindsOfMember[member] == 0) {
                    return ParetoFrontier.ofNothing();
                }
                ParetoFrontier one = ParetoFrontier.empty();
                for (int kind = 0; kind < KINDS; kind++) {
                    if ((kindsOfMember[member] >>> kind & 1) != 0) {
                        one.add(KindCounts.one(kind));
                    }
                }
                return one;
            }

            @Override
            public boolean isCharged(int member) {
                return false;
            }
        };
    }

    /** A counter set admits a device if the groups that all of its devices declare are not empty; its state is one bit for each of these. */
    private static final class Groups implements SearchState {

        @Override
        public int join(int groups, List<String> declared) {
            int common = groups
                    & declared.stream()
                            .mapToInt(each -> 1 << Integer.parseInt(each))
                            .sum();
            return common == 0 ? REFUSED : common;
        }

        @Override
        public void checkLimit(int combinations) {}

        @Override
        public CounterComponents components(int pool) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isShareable(int pool, int device) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long busy(int pool, int word) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isShared(int pool, int device) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long[] freeCounters(int pool) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int groups(int pool, int counterSet) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Shares shares(int pool, int device) {
            throw new UnsupportedOperationException();
        }
    }
}
