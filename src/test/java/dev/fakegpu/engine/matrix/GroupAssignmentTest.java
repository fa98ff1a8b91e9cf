package dev.fakegpu.engine.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares all ways in which up to six kinds can exclude each other with a search that only uses KEP-5963's allocation rule. Sets of kinds,
 * of groups, and of pairs of kinds that exclude each other are numbers with a bit for each.
 */
class GroupAssignmentTest {

    private static final List<String> KINDS = List.of("a", "b", "c", "d", "e", "f");
    private static final List<List<List<Integer>>> ORDERS = IntStream.rangeClosed(0, KINDS.size())
            .mapToObj(GroupAssignmentTest::orders)
            .toList();

    @Test
    void groupsAllowExactlyTheCompatibleSets() {
        for (int kinds = 1; kinds <= KINDS.size(); kinds++) {
            for (int pairs = 0; pairs < 1 << kinds * (kinds - 1) / 2; pairs++) {
                int[] groups = groups(kinds, assignment(kinds, pairs));
                for (int set = 1; set < 1 << kinds; set++) {
                    if (isAllowed(set, groups) != excludesNothing(set, pairs)) {
                        assertThat(groups)
                                .as("set %d of kinds, pairs %d", set, pairs)
                                .isEmpty();
                    }
                }
            }
        }
    }

    @Test
    void ifNoAssignmentIsFoundNoneExists() {
        int impossible = 0;
        for (int kinds = 1; kinds <= KINDS.size(); kinds++) {
            for (int pairs = 0; pairs < 1 << kinds * (kinds - 1) / 2; pairs++) {
                if (isFirstOfItsShape(kinds, pairs) && needsTooMany(assignment(kinds, pairs))) {
                    impossible++;
                    assertThat(canBeChosen(new int[kinds], 0, 0, pairs))
                            .as("%d kinds, pairs %d", kinds, pairs)
                            .isFalse();
                }
            }
        }
        assertThat(impossible).as("of 208 shapes").isEqualTo(99);
    }

    @Test
    void theSearchFindsGroupsWhereThereAreSome() {
        assertThat(canBeChosen(new int[3], 0, 0, pair(0, 2) | pair(1, 2))).isTrue();
    }

    @Test
    void namesThatWouldBeEqualAreNumbers() {
        var assignment = GroupAssignment.of(
                List.of("a-b", "c", "a", "b-c"),
                List.of(Set.of("a-b", "a"), Set.of("a-b", "b-c"), Set.of("c", "a"), Set.of("c", "b-c")));

        assertThat(assignment.groups())
                .containsExactly(
                        new GroupAssignment.Group("group-1", List.of("a-b", "c")),
                        new GroupAssignment.Group("group-2", List.of("a", "b-c")));
    }

    private static GroupAssignment assignment(int kinds, int pairs) {
        List<Set<String>> exclusions = IntStream.range(0, kinds)
                .boxed()
                .flatMap(one -> IntStream.range(0, one)
                        .filter(other -> (pairs & pair(one, other)) != 0)
                        .mapToObj(other -> Set.of(KINDS.get(one), KINDS.get(other))))
                .toList();
        return GroupAssignment.of(KINDS.subList(0, kinds), exclusions);
    }

    private static boolean needsTooMany(GroupAssignment assignment) {
        return KINDS.stream().anyMatch(kind -> assignment.of(kind).size() > Limits.GROUPS);
    }

    private static int[] groups(int kinds, GroupAssignment assignment) {
        return IntStream.range(0, kinds)
                .map(kind -> IntStream.range(0, assignment.groups().size())
                        .filter(group -> assignment.groups().get(group).kinds().contains(KINDS.get(kind)))
                        .map(group -> 1 << group)
                        .sum())
                .toArray();
    }

    /** A device is allocated if it has a group in common with all devices before it, or if none of them has groups. */
    private static boolean isAllowed(int set, int[] groups) {
        int common = groups[Integer.numberOfTrailingZeros(set)];
        boolean none = common == 0;
        for (int kind = 0; kind < groups.length; kind++) {
            if ((set & 1 << kind) != 0) {
                common &= groups[kind];
                if (none ? groups[kind] != 0 : common == 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean excludesNothing(int set, int pairs) {
        for (int one = 0; one < KINDS.size(); one++) {
            for (int other = 0; other < one; other++) {
                if ((set & 1 << one) != 0 && (set & 1 << other) != 0 && (pairs & pair(one, other)) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Tries zero, one and two groups for each kind.
     *
     * @param used the number of groups of the kinds before; a new group has the next number, since names do not matter
     */
    private static boolean canBeChosen(int[] groups, int kind, int used, int pairs) {
        if (kind == groups.length) {
            return true;
        }
        for (int one = -1; one <= used; one++) {
            int last = one < 0 ? one : Math.max(used, one + 1);
            for (int other = one; other <= last; other++) {
                groups[kind] = one < 0 ? 0 : 1 << one | 1 << other;
                if (isRight(groups, kind, pairs)
                        && canBeChosen(groups, kind + 1, Math.max(used, Math.max(one, other) + 1), pairs)) {
                    return true;
                }
            }
        }
        groups[kind] = 0;
        return false;
    }

    /** Checks all sets whose last kind is this one. */
    private static boolean isRight(int[] groups, int kind, int pairs) {
        for (int set = 1 << kind; set < 1 << kind + 1; set++) {
            if (isAllowed(set, groups) != excludesNothing(set, pairs)) {
                return false;
            }
        }
        return true;
    }

    private static int pair(int one, int other) {
        int high = Math.max(one, other);
        return 1 << high * (high - 1) / 2 + Math.min(one, other);
    }

    /** Whether no other order of the kinds results in a smaller number for the pairs. */
    private static boolean isFirstOfItsShape(int kinds, int pairs) {
        for (List<Integer> order : ORDERS.get(kinds)) {
            int reordered = 0;
            for (int one = 0; one < kinds; one++) {
                for (int other = 0; other < one; other++) {
                    if ((pairs & pair(order.get(one), order.get(other))) != 0) {
                        reordered |= pair(one, other);
                    }
                }
            }
            if (reordered < pairs) {
                return false;
            }
        }
        return true;
    }

    private static List<List<Integer>> orders(int kinds) {
        if (kinds == 0) {
            return List.of(List.of());
        }
        return orders(kinds - 1).stream()
                .flatMap(order -> IntStream.range(0, kinds).mapToObj(place -> {
                    var longer = new ArrayList<>(order);
                    longer.add(place, kinds - 1);
                    return List.copyOf(longer);
                }))
                .toList();
    }
}
