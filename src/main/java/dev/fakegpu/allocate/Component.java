package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterConsumption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Devices of a pool that depend on each other through counter sets, and on no other device: usually one GPU and its partitions. A
 * device that can be shared is a component of its own if it consumes no counters.
 */
final class Component {

    private final int pool;
    private final int[] devices;
    private final int[] columns;
    private final int[] sets;
    private final List<Member> members;
    private final int[] lastUseOfColumn;
    private final int[] lastUseOfSet;

    /** A device by what it takes, in columns and sets of the component. Equal members of equal components are interchangeable. */
    private record Member(List<Integer> columns, List<Long> amounts, List<Integer> sets, List<List<String>> groups) {}

    /** What tells apart components that behave differently. */
    record Shape(List<?> members) {}

    /** @param devices positions in the pool */
    Component(int pool, Pool.Usable usable, List<Integer> devices) {
        this.pool = pool;
        CounterTable table = usable.counters();
        columns = devices.stream()
                .flatMapToInt(device -> Arrays.stream(table.demand(device).columns()))
                .distinct()
                .sorted()
                .toArray();
        sets = devices.stream()
                .flatMapToInt(device -> Arrays.stream(table.demand(device).sets()))
                .distinct()
                .sorted()
                .toArray();
        this.devices = inOrderOfElimination(table, devices);
        members = Arrays.stream(this.devices)
                .mapToObj(device -> member(usable, device))
                .toList();
        lastUseOfColumn = new int[columns.length];
        lastUseOfSet = new int[sets.length];
        for (int i = 0; i < members.size(); i++) {
            for (int column : members.get(i).columns()) {
                lastUseOfColumn[column] = i;
            }
            for (int set : members.get(i).sets()) {
                lastUseOfSet[set] = i;
            }
        }
    }

    /**
     * Devices that compete for the same scarce counter stand together: a counter that no later device uses need not be remembered,
     * and the fewer have to be, the fewer states there are. The scarcest is the one with the fewest users.
     */
    private int[] inOrderOfElimination(CounterTable table, List<Integer> unordered) {
        Map<Integer, Integer> users = new HashMap<>();
        unordered.forEach(device ->
                Arrays.stream(table.demand(device).columns()).forEach(column -> users.merge(column, 1, Integer::sum)));
        Comparator<Integer> byScarcestCounter = Comparator.comparingInt(
                device -> Arrays.stream(table.demand(device).columns())
                        .boxed()
                        .filter(column -> users.getOrDefault(column, 0) < unordered.size())
                        .mapToInt(column -> column)
                        .min()
                        .orElse(Integer.MAX_VALUE));
        return unordered.stream()
                .sorted(byScarcestCounter)
                .mapToInt(device -> device)
                .toArray();
    }

    private Member member(Pool.Usable usable, int device) {
        CounterTable.Demand demand = usable.counters().demand(device);
        return new Member(
                Arrays.stream(demand.columns())
                        .map(column -> Arrays.binarySearch(columns, column))
                        .boxed()
                        .toList(),
                Arrays.stream(demand.amounts()).boxed().toList(),
                Arrays.stream(demand.sets())
                        .map(set -> Arrays.binarySearch(sets, set))
                        .boxed()
                        .toList(),
                usable.devices().get(device).device().consumesCounters().stream()
                        .map(CounterConsumption::compatibilityGroups)
                        .toList());
    }

    int pool() {
        return pool;
    }

    /** Positions in the pool, in the component's own order. */
    int[] devices() {
        return devices;
    }

    Shape shape() {
        return new Shape(members);
    }

    /** What is left of the component's counter sets. */
    record State(List<Long> free, List<GroupState> groups) {}

    State state(PoolBooks books) {
        long[] free = books.free();
        return new State(
                Arrays.stream(columns).mapToObj(column -> free[column]).toList(),
                Arrays.stream(sets).mapToObj(books::group).toList());
    }

    /** What a member of a component can serve, by its place in {@link #devices}. */
    interface Uses {

        /** Nothing at all if the member is not available. */
        Frontier of(int member);

        /** Whether the member is in use already, so that using it once more takes nothing of the counters. */
        boolean isCharged(int member);
    }

    /** Gives up after so many states; then more is taken to be possible than is. */
    private static final int MAX_STATES = 512;

    /**
     * What the component can serve together.
     *
     * @param most of each kind; more does not count
     */
    Frontier frontier(State state, Uses uses, long most, boolean checksGroups) {
        Map<State, Frontier> reached = new HashMap<>();
        reached.put(state, Frontier.ofNothing());
        for (int i = 0; i < members.size(); i++) {
            reached = withMember(i, reached, uses, most, checksGroups);
            if (reached.size() > MAX_STATES) {
                return withoutCounters(uses, most);
            }
        }
        Frontier all = Frontier.empty();
        reached.values().forEach(all::addAll);
        return all;
    }

    private Map<State, Frontier> withMember(
            int member, Map<State, Frontier> reached, Uses uses, long most, boolean checksGroups) {
        Frontier use = uses.of(member);
        Map<State, Frontier> next = new HashMap<>();
        reached.forEach((state, served) -> {
            merge(next, forget(member, state), served);
            if (!use.isNothing()) {
                State after = uses.isCharged(member) ? state : take(members.get(member), state, checksGroups);
                if (after != null) {
                    Frontier more = served.plus(use, most);
                    if (!served.coversAll(more)) {
                        merge(next, forget(member, after), more);
                    }
                }
            }
        });
        return next;
    }

    private static void merge(Map<State, Frontier> into, State state, Frontier served) {
        Frontier known = into.get(state);
        if (known == null) {
            into.put(state, served.copy());
        } else {
            known.addAll(served);
        }
    }

    private static @org.jspecify.annotations.Nullable State take(Member member, State state, boolean checksGroups) {
        List<Long> free = new ArrayList<>(state.free());
        for (int i = 0; i < member.columns().size(); i++) {
            int column = member.columns().get(i);
            long left = free.get(column) - member.amounts().get(i);
            if (left < 0) {
                return null;
            }
            free.set(column, left);
        }
        if (!checksGroups) {
            return new State(free, state.groups());
        }
        List<GroupState> groups = new ArrayList<>(state.groups());
        for (int i = 0; i < member.sets().size(); i++) {
            int set = member.sets().get(i);
            if (!groups.get(set).admits(member.groups().get(i))) {
                return null;
            }
            groups.set(set, groups.get(set).place(member.groups().get(i)));
        }
        return new State(free, groups);
    }

    /** States that differ only in what no later member uses are the same. */
    private State forget(int member, State state) {
        List<Long> free = new ArrayList<>(state.free());
        for (int column = 0; column < lastUseOfColumn.length; column++) {
            if (lastUseOfColumn[column] <= member) {
                free.set(column, 0L);
            }
        }
        List<GroupState> groups = new ArrayList<>(state.groups());
        for (int set = 0; set < lastUseOfSet.length; set++) {
            if (lastUseOfSet[set] <= member) {
                groups.set(set, GroupState.FREE);
            }
        }
        return new State(free, groups);
    }

    private Frontier withoutCounters(Uses uses, long most) {
        long all = Tally.NOTHING;
        for (int i = 0; i < members.size(); i++) {
            all = Tally.plus(all, uses.of(i).most(), most);
        }
        Frontier frontier = Frontier.empty();
        frontier.add(all);
        return frontier;
    }
}
