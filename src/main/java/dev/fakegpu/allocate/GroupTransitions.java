package dev.fakegpu.allocate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers for the states of counter sets that occur while a plan looks ahead, and for each what comes after it. Not for several
 * threads.
 */
final class GroupTransitions {

    static final int REFUSED = -1;

    private final List<GroupState> states = new ArrayList<>();
    private final Map<GroupState, Integer> numbers = new HashMap<>();
    private final Map<Joining, Integer> after = new HashMap<>();

    private record Joining(int state, List<String> groups) {}

    int number(GroupState state) {
        return numbers.computeIfAbsent(state, added -> {
            states.add(added);
            return states.size() - 1;
        });
    }

    /** The state after a device with these groups joined, {@link #REFUSED} if it may not. */
    int join(int state, List<String> groups) {
        return after.computeIfAbsent(new Joining(state, groups), this::after);
    }

    private int after(Joining joining) {
        GroupState state = states.get(joining.state());
        return state.admits(joining.groups()) ? number(state.place(joining.groups())) : REFUSED;
    }
}
