package dev.fakegpu.engine.allocate;

import dev.fakegpu.engine.allocate.lookahead.SearchState;
import dev.fakegpu.engine.allocate.pool.GroupState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Numbers the {@link GroupState}s that occur during the forward check, and caches the transitions between them. */
final class GroupTransitions {

    private final Map<GroupState, Integer> numbers = new HashMap<>();
    private final List<Transitions> byNumber = new ArrayList<>();

    /** The states that follow one state, by the groups of the device that joins: equal lists need not be the same key. */
    private record Transitions(GroupState state, Map<List<String>, Integer> next) {}

    int number(GroupState state) {
        return numbers.computeIfAbsent(state, added -> {
            byNumber.add(new Transitions(added, new IdentityHashMap<>()));
            return byNumber.size() - 1;
        });
    }

    /** The state after a device with these groups has joined; {@link SearchState#REFUSED} if it must not. */
    int join(int number, List<String> groups) {
        Transitions from = byNumber.get(number);
        Integer known = from.next().get(groups);
        if (known == null) {
            known = from.state().admits(groups) ? number(from.state().place(groups)) : SearchState.REFUSED;
            from.next().put(groups, known);
        }
        return known;
    }
}
