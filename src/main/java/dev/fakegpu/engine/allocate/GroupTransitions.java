package dev.fakegpu.engine.allocate;

import dev.fakegpu.engine.allocate.lookahead.SearchState;
import dev.fakegpu.engine.allocate.pool.GroupState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the {@link GroupState}s that occur during the forward check, and caches the transitions between them. */
final class GroupTransitions {

    private final List<GroupState> states = new ArrayList<>();
    private final Map<GroupState, Integer> numbers = new HashMap<>();
    private final Map<Transition, Integer> next = new HashMap<>();

    private record Transition(int state, List<String> groups) {}

    int number(GroupState state) {
        return numbers.computeIfAbsent(state, added -> {
            states.add(added);
            return states.size() - 1;
        });
    }

    /** The state after a device with these groups has joined; {@link SearchState#REFUSED} if it must not. */
    int join(int state, List<String> groups) {
        return next.computeIfAbsent(new Transition(state, groups), this::next);
    }

    private int next(Transition transition) {
        GroupState state = states.get(transition.state());
        return state.admits(transition.groups()) ? number(state.place(transition.groups())) : SearchState.REFUSED;
    }
}
