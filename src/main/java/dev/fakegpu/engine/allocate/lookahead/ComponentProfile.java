package dev.fakegpu.engine.allocate.lookahead;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes what a {@link CounterComponent} can serve from what its devices consume. Components whose devices consume the same share a
 * profile. Immutable.
 */
final class ComponentProfile {

    /** With more states than this, each kind is counted by itself, as if it had the whole component. */
    private static final int MAX_STATES = 64;

    /** The profile of a device that depends on no other one. */
    static final ComponentProfile ALONE =
            new ComponentProfile(List.of(new Member(List.of(), List.of(), List.of(), List.of())), 0, 0);

    private final List<Member> members;
    private final int columns;
    private final int[][] columnsOf;
    private final long[][] amountsOf;
    private final int[] lastUse;
    private final boolean[] isLastUse;

    /** What a device consumes. Columns and sets are numbered within the component. */
    record Member(List<Integer> columns, List<Long> amounts, List<Integer> sets, List<List<String>> groups) {

        /** A copy whose equal groups are the same objects, so that {@link SearchState#join} need not compare them. */
        private Member interned(Map<List<String>, List<String>> known) {
            return new Member(
                    columns,
                    amounts,
                    sets,
                    groups.stream()
                            .map(each -> known.computeIfAbsent(each, same -> same))
                            .toList());
        }
    }

    ComponentProfile(List<Member> members, int columns, int sets) {
        Map<List<String>, List<String>> groups = new HashMap<>();
        this.members = members.stream().map(member -> member.interned(groups)).toList();
        this.columns = columns;
        columnsOf = members.stream()
                .map(member -> member.columns().stream().mapToInt(i -> i).toArray())
                .toArray(int[][]::new);
        amountsOf = members.stream()
                .map(member -> member.amounts().stream().mapToLong(i -> i).toArray())
                .toArray(long[][]::new);
        lastUse = lastUse(columns + sets);
        isLastUse = new boolean[members.size()];
        for (int member : lastUse) {
            isLastUse[member] = true;
        }
    }

    /** For each value of a state, the last member that uses it. */
    private int[] lastUse(int values) {
        var last = new int[values];
        for (int i = 0; i < members.size(); i++) {
            for (int column : columnsOf[i]) {
                last[column] = i;
            }
            for (int set : members.get(i).sets()) {
                last[columns + set] = i;
            }
        }
        return last;
    }

    /**
     * What is left of the component's counter sets: first the free amount of each column, then the number of each set's
     * {@link SearchState#groups group state}.
     */
    static final class State {
        private final long[] values;
        private final int hash;

        State(long[] values) {
            this.values = values;
            hash = Arrays.hashCode(values);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof State that && Arrays.equals(values, that.values);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** What a member of a component can serve, by its index in {@link CounterComponent#devices}. */
    interface Uses {

        /** The frontier of a member; nothing if the member is not available. */
        ParetoFrontier of(int member);

        /** Whether the member is already in use, so that using it again consumes no counters. */
        boolean isCharged(int member);
    }

    /**
     * What the component can serve as a whole.
     *
     * @param most the number of devices of each kind to count up to
     * @param search computes the transitions between group states
     */
    ParetoFrontier frontier(State state, Uses uses, long most, SearchState search) {
        ParetoFrontier together = together(state, uses, most, search);
        if (together != null) {
            return together;
        }
        long alone = KindCounts.NOTHING;
        for (int kind = 0; kind < KindCounts.KINDS; kind++) {
            long mostOfKind = KindCounts.with(KindCounts.NOTHING, kind, KindCounts.get(most, kind));
            if (mostOfKind != KindCounts.NOTHING) {
                ParetoFrontier ofKind = together(state, uses, mostOfKind, search);
                alone += ofKind == null ? withoutCounters(uses, mostOfKind) : ofKind.most();
            }
        }
        return ParetoFrontier.of(alone);
    }

    /**
     * Whether a greedy choice serves everything that is wanted: the scarcest kinds first, and of the devices the last ones first, which are
     * the small ones in most pools. If so, this takes much less time than the frontier, which is then nothing but {@code wanted}.
     *
     * @param kindsOfMember the kinds that each member can serve, none of which can be used more than once
     */
    boolean servesGreedily(State state, int[] kindsOfMember, long wanted, SearchState search) {
        var kinds = KindCounts.nonZeroKinds(wanted);
        var unused = kindsOfMember.clone();
        State left = state;
        while (kinds != 0) {
            int kind = scarcest(kinds, unused);
            kinds &= ~(1 << kind);
            left = taken(KindCounts.get(wanted, kind), kind, unused, left, search);
            if (left == null) {
                return false;
            }
        }
        return true;
    }

    private static int scarcest(int kinds, int[] kindsOfMember) {
        int scarcest = -1;
        int fewest = Integer.MAX_VALUE;
        for (int rest = kinds; rest != 0; rest &= rest - 1) {
            int kind = Integer.numberOfTrailingZeros(rest);
            int members = 0;
            for (int ofMember : kindsOfMember) {
                members += ofMember >>> kind & 1;
            }
            if (members < fewest) {
                fewest = members;
                scarcest = kind;
            }
        }
        return scarcest;
    }

    /** The state after as many members have been taken; null if there are not enough. */
    private @Nullable State taken(int count, int kind, int[] unused, State state, SearchState search) {
        State left = state;
        int missing = count;
        for (int member = members.size() - 1; missing > 0 && member >= 0; member--) {
            if ((unused[member] >>> kind & 1) != 0 && mayTake(member, left, search)) {
                var after = left.values.clone();
                if (take(member, after, search)) {
                    left = new State(after);
                    unused[member] = 0;
                    missing--;
                }
            }
        }
        return missing == 0 ? left : null;
    }

    /** The frontier; null if there are too many states. */
    private @Nullable ParetoFrontier together(State state, Uses uses, long most, SearchState search) {
        Map<State, ParetoFrontier> reached = new HashMap<>();
        reached.put(state, ParetoFrontier.ofNothing());
        boolean forgets = false;
        for (int i = 0; i < members.size(); i++) {
            forgets |= isLastUse[i];
            ParetoFrontier use = uses.of(i).upTo(most);
            if (!use.isNothing()) {
                reached = withMember(i, use, uses.isCharged(i), reached, forgets, most, search);
                forgets = false;
            }
            if (reached.size() > MAX_STATES) {
                return null;
            }
        }
        ParetoFrontier all = ParetoFrontier.empty();
        reached.values().forEach(all::addAll);
        return all;
    }

    /** @param forgets whether no later member uses some value that states still have */
    private Map<State, ParetoFrontier> withMember(
            int member,
            ParetoFrontier use,
            boolean charged,
            Map<State, ParetoFrontier> reached,
            boolean forgets,
            long most,
            SearchState search) {
        Map<State, ParetoFrontier> without = forgets ? new HashMap<>() : reached;
        var with = new ArrayList<
                Map.Entry<State, ParetoFrontier>>(); // merged at the end, so that no state uses the member twice
        reached.forEach((state, served) -> {
            if (charged || mayTake(member, state, search)) {
                search.checkLimit(served.size() * use.size());
                ParetoFrontier more = served.plus(use, most);
                if (!served.coversAll(more)) {
                    var after = state.values.clone();
                    if (charged || take(member, after, search)) {
                        with.add(Map.entry(new State(after), more));
                    }
                }
            }
            if (forgets) {
                merge(without, forget(member, state), served);
            }
        });
        with.forEach(each -> merge(without, forgets ? forget(member, each.getKey()) : each.getKey(), each.getValue()));
        return without;
    }

    /** @param served may be changed, so it must not be used elsewhere afterward */
    private static void merge(Map<State, ParetoFrontier> into, State state, ParetoFrontier served) {
        ParetoFrontier known = into.putIfAbsent(state, served);
        if (known != null) {
            known.addAll(served);
        }
    }

    /**
     * False only if the member fits neither now nor later. Most members that do not fit are refused by their first counter set or
     * one counter.
     */
    boolean mayTake(int member, State state, SearchState search) {
        var values = state.values;
        int[] ofColumns = columnsOf[member];
        for (int i = 0; i < ofColumns.length; i++) {
            if (values[ofColumns[i]] < amountsOf[member][i]) {
                return false;
            }
        }
        Member taken = members.get(member);
        return taken.sets().isEmpty()
                || search.join(
                                (int) values[columns + taken.sets().get(0)],
                                taken.groups().get(0))
                        != SearchState.REFUSED;
    }

    private boolean take(int member, long[] values, SearchState search) {
        int[] ofColumns = columnsOf[member];
        for (int i = 0; i < ofColumns.length; i++) {
            values[ofColumns[i]] -= amountsOf[member][i];
            if (values[ofColumns[i]] < 0) {
                return false;
            }
        }
        return join(members.get(member), values, search);
    }

    private boolean join(Member member, long[] values, SearchState search) {
        for (int i = 0; i < member.sets().size(); i++) {
            int place = columns + member.sets().get(i);
            values[place] = search.join((int) values[place], member.groups().get(i));
            if (values[place] == SearchState.REFUSED) {
                return false;
            }
        }
        return true;
    }

    /** Makes states equal that differ only in values that later members do not use. */
    private State forget(int member, State state) {
        var values = state.values;
        for (int i = 0; i < values.length; i++) {
            if (lastUse[i] <= member && values[i] != 0) {
                values = values == state.values ? values.clone() : values;
                values[i] = 0;
            }
        }
        return values == state.values ? state : new State(values);
    }

    private long withoutCounters(Uses uses, long most) {
        long all = KindCounts.NOTHING;
        for (int i = 0; i < members.size(); i++) {
            all = KindCounts.plus(all, uses.of(i).upTo(most).most(), most);
        }
        return all;
    }
}
