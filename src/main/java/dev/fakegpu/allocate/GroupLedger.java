package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterConsumption;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The compatibility groups on the counter sets of one pool (KEP-5963). Upstream: {@code checkAndConsumeCompatibilityGroups} in
 * {@code allocator_experimental.go}.
 */
public final class GroupLedger implements Ledger {

    private final Gate gate;
    private final Map<String, GroupState> states = new HashMap<>();
    private final Deque<Change> changes = new ArrayDeque<>();

    /** Starts with the devices of the pool that are held. */
    public GroupLedger(Pool.Usable pool, Holdings holdings, Gate gate) {
        this.gate = gate;
        if (gate != Gate.UNAWARE) {
            for (Holdings.Member member : holdings.members(pool)) {
                member.groups().byCounterSet().forEach(this::join);
            }
        }
    }

    /**
     * With the gate off only devices without groups are left to be placed, and a single device with groups keeps them all off its
     * counter sets. So members without groups must not be what decides.
     */
    private void join(String counterSet, Collection<String> groups) {
        if (gate == Gate.ON || !groups.isEmpty()) {
            states.put(counterSet, state(counterSet).place(groups));
        }
    }

    public GroupState state(String counterSet) {
        return states.getOrDefault(counterSet, GroupState.FREE);
    }

    /** A device must be admitted by each of its counter sets. One that names a set twice has to be compatible with itself. */
    @Override
    public boolean tryPlace(PoolDevice device) {
        if (gate == Gate.UNAWARE) {
            return true;
        }
        int mark = mark();
        for (CounterConsumption entry : device.device().consumesCounters()) {
            GroupState before = state(entry.counterSet());
            List<String> groups = entry.compatibilityGroups();
            if (!before.admits(groups)) {
                undo(mark);
                return false;
            }
            changes.push(new Change(entry.counterSet(), before));
            states.put(entry.counterSet(), before.place(groups));
        }
        return true;
    }

    @Override
    public int mark() {
        return changes.size();
    }

    @Override
    public void undo(int mark) {
        while (changes.size() > mark) {
            Change change = changes.pop();
            states.put(change.counterSet(), change.before());
        }
    }

    private record Change(String counterSet, GroupState before) {}
}
