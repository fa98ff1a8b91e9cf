package dev.fakegpu.engine.allocate.pool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides which devices can join a counter set (KEP-5963, "Scheduler Changes"). This is the rolling intersection of the compatibility
 * groups of the devices on it. Devices without groups can be combined only with each other, which an intersection cannot express, so there
 * is a separate state for them. Immutable. Upstream: {@code structured/internal/experimental/compatibility_groups.go}.
 */
public sealed interface GroupState {

    /** There are no devices on the counter set. */
    GroupState FREE = new Free();

    /** There are devices without groups on the counter set. */
    GroupState PLAIN = new Plain();

    /** Whether a device with these groups can join; the groups can be empty. */
    boolean admits(Collection<String> groups);

    /**
     * The state after a device with these groups has joined. Another allocator may have placed a device that {@link #admits} refuses. If it
     * has groups, it narrows a grouped state, possibly to no groups; otherwise it changes nothing.
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
     * There are devices with groups on the counter set.
     *
     * @param common the groups that all of them declare, sorted; if there are none, no device can join
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
