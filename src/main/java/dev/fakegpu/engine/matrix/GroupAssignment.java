package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.Limits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The compatibility groups (KEP-5963) of kinds of devices of which some exclude each other, on one counter set.
 *
 * <p>Devices can be allocated together as long as one group is common to all of them. So no two kinds of a group may exclude each other, and
 * each set of kinds of which no two exclude each other needs a group in common. Therefore each of the largest such sets has a group of its
 * own: a group for two of them would allow kinds of the one together with kinds of the other that they exclude. No more groups are needed. If
 * a kind is in more than {@link Limits#GROUPS} of these sets, no choice of groups expresses the exclusions.
 *
 * @param groups in the order of their first kinds; none if nothing excludes anything, since devices without groups can be allocated together
 */
public record GroupAssignment(List<Group> groups) {

    /** Of more kinds there could be millions of groups. */
    public static final int MAX_KINDS = 20;

    /**
     * A group, and the kinds that have it.
     *
     * @param name of its kinds, or of its number if that would be too long
     */
    public record Group(String name, List<String> kinds) {}

    public GroupAssignment {
        groups = List.copyOf(groups);
    }

    /**
     * @param kinds names, each once; at most {@link #MAX_KINDS}
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
     * Adds the largest sets of compatible kinds that have all the chosen ones (Bron and Kerbosch 1973).
     *
     * @param candidates compatible with all the chosen ones
     * @param done compatible with all the chosen ones as well; the sets with them are collected already
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
