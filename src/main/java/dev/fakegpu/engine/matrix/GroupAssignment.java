package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.Limits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The compatibility groups (KEP-5963) for kinds of devices on one counter set, some of which exclude each other.
 *
 * <p>Devices can be allocated together as long as they all have one group in common. Therefore, two kinds of a group must not exclude each
 * other, and each set of kinds that do not exclude each other needs a common group. So each maximal set of this kind has its own group: a
 * group for two of them would also allow kinds of the one together with kinds of the other that they exclude. More groups are not needed.
 * If a kind is in more than {@link Limits#GROUPS} of these sets, groups cannot express the exclusions.
 *
 * @param groups the groups in the order of their first kinds; empty if nothing is excluded, since devices without groups can be allocated
 *     together
 */
public record GroupAssignment(List<Group> groups) {

    /** With more kinds, there could be millions of groups. */
    public static final int MAX_KINDS = 20;

    /**
     * A group and the kinds that have it.
     *
     * @param name a name made from its kinds, or from its number if that would be too long
     */
    public record Group(String name, List<String> kinds) {}

    public GroupAssignment {
        groups = List.copyOf(groups);
    }

    /**
     * Computes the groups.
     *
     * @param kinds the names of the kinds, without duplicates; at most {@link #MAX_KINDS}
     * @param exclusions sets of kinds, no two of which can be in use at the same time
     */
    public static GroupAssignment of(List<String> kinds, List<Set<String>> exclusions) {
        List<BitSet> compatible = IntStream.range(0, kinds.size())
                .mapToObj(kind -> compatible(kinds, kind, exclusions))
                .toList();
        var all = new BitSet();
        all.set(0, kinds.size());
        var sets = new ArrayList<BitSet>();
        collect(new BitSet(), all, new BitSet(), compatible, sets);
        return sets.size() == 1 ? new GroupAssignment(List.of()) : named(kinds, sets);
    }

    /** The groups that a kind has. */
    public List<String> of(String kind) {
        return groups.stream()
                .filter(group -> group.kinds().contains(kind))
                .map(Group::name)
                .toList();
    }

    private static BitSet compatible(List<String> kinds, int kind, List<Set<String>> exclusions) {
        var compatible = new BitSet();
        compatible.set(0, kinds.size());
        compatible.clear(kind);
        exclusions.stream()
                .filter(exclusion -> exclusion.contains(kinds.get(kind)))
                .flatMap(Set::stream)
                .forEach(other -> compatible.clear(kinds.indexOf(other)));
        return compatible;
    }

    /**
     * Adds the maximal sets of compatible kinds that contain all chosen kinds (Bron and Kerbosch 1973).
     *
     * @param candidates kinds that are compatible with all chosen ones
     * @param done kinds that are also compatible with all chosen ones; the sets that contain them have been added already
     */
    private static void collect(
            BitSet chosen, BitSet candidates, BitSet done, List<BitSet> compatible, List<BitSet> collected) {
        if (candidates.isEmpty() && done.isEmpty()) {
            collected.add(chosen);
        }
        for (int kind = candidates.nextSetBit(0); kind >= 0; kind = candidates.nextSetBit(kind + 1)) {
            BitSet others = compatible.get(kind);
            collect(with(chosen, kind), common(candidates, others), common(done, others), compatible, collected);
            candidates.clear(kind);
            done.set(kind);
        }
    }

    private static BitSet with(BitSet set, int kind) {
        var result = (BitSet) set.clone();
        result.set(kind);
        return result;
    }

    private static BitSet common(BitSet one, BitSet other) {
        var result = (BitSet) one.clone();
        result.and(other);
        return result;
    }

    private static GroupAssignment named(List<String> kinds, List<BitSet> sets) {
        List<List<String>> members = sets.stream()
                .map(set -> set.stream().mapToObj(kinds::get).toList())
                .toList();
        List<String> names = members.stream().map(set -> String.join("-", set)).toList();
        boolean usable = names.stream().allMatch(name -> name.length() <= Limits.LABEL)
                && new HashSet<>(names).size() == names.size();
        return new GroupAssignment(IntStream.range(0, members.size())
                .mapToObj(index -> new Group(usable ? names.get(index) : "group-" + (index + 1), members.get(index)))
                .toList());
    }
}
