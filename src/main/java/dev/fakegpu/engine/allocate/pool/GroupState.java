package dev.fakegpu.engine.allocate.pool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which devices may join a counter set (KEP-5963, "Scheduler Changes"): the rolling intersection of the compatibility groups of the
 * devices on it. Devices without groups may only be combined with each other, which an intersection cannot express, so this is a
 * state of its own.
 * Immutable. Upstream: {@code structured/internal/experimental/compatibility_groups.go}.
 */
public sealed interface GroupState {

    /** No device is on the counter set. */
    GroupState FREE = new Free();

    /** Devices without groups are on the counter set. */
    GroupState PLAIN = new Plain();

    /** Whether a device that declares these groups may join; the groups may be empty. */
    boolean admits(Collection<String> groups);

    /**
     * The state after a device with these groups joined. A device that {@link #admits} refuses may be there because another allocator
     * put it there: with groups, it narrows a grouped state, even down to no groups; otherwise it changes nothing.
     */
    GroupState place(Collection<String> groups);

    /** See {@link #FREE}. */
    record Free() implements GroupState {
        @Override
        public boolean admits(Collection<String> groups) {
            return true;
        }

        @Override
        public GroupState place(Collection<String> groups) {
            return groups.isEmpty() ? PLAIN : new Grouped(Set.copyOf(groups));
        }
    }

    /** See {@link #PLAIN}. */
    record Plain() implements GroupState {
        @Override
        public boolean admits(Collection<String> groups) {
            return groups.isEmpty();
        }

        @Override
        public GroupState place(Collection<String> groups) {
            return this;
        }
    }

    /**
     * Devices with groups are on the counter set.
     *
     * @param common the groups that all of them declare, sorted; if empty, no device may join
     */
    record Grouped(Set<String> common) implements GroupState {
        public Grouped {
            common = Collections.unmodifiableSet(new TreeSet<>(common));
        }

        @Override
        public boolean admits(Collection<String> groups) {
            for (String group : groups) {
                if (common.contains(group)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public GroupState place(Collection<String> groups) {
            if (groups.isEmpty() || groups.containsAll(common)) {
                return this;
            }
            List<String> remaining = new ArrayList<>(common);
            remaining.retainAll(groups);
            return new Grouped(Set.copyOf(remaining));
        }
    }
}
