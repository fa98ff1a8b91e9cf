package dev.fakegpu.slices;

import dev.fakegpu.dra.Slice;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which fields of ResourceSlices an API server keeps. What it does not keep is not sent: otherwise a slice would differ from what
 * is wanted forever, and be written forever. Upstream's helper adopts what came back for the same reason
 * ({@code resourceslice/resourceslicecontroller.go}).
 *
 * @param unknown fields that its version does not have; server-side apply fails with them
 * @param dropped fields that it has, with the feature gate off
 */
public record ServedFields(Set<SliceField> unknown, Set<SliceField> dropped) {

    /** What is assumed until something else is seen. */
    public static final ServedFields ALL = new ServedFields(Set.of(), Set.of());

    public ServedFields {
        unknown = inOrder(unknown);
        dropped = inOrder(dropped);
    }

    public boolean serves(SliceField field) {
        return !unknown.contains(field) && !dropped.contains(field);
    }

    /** The same, with more that is dropped. */
    public ServedFields andDropped(Set<SliceField> more) {
        var all = EnumSet.noneOf(SliceField.class);
        all.addAll(dropped);
        all.addAll(more);
        all.removeAll(unknown);
        return new ServedFields(unknown, all);
    }

    /** What the server would store of a slice. */
    public Slice strip(Slice slice) {
        Slice stripped = slice;
        for (SliceField field : missing(List.of(slice))) {
            stripped = field.without(stripped);
        }
        return stripped;
    }

    /** What these slices use and the server does not keep. */
    public Set<SliceField> missing(List<Slice> slices) {
        var missing = EnumSet.noneOf(SliceField.class);
        Stream.of(SliceField.values())
                .filter(field -> !serves(field))
                .filter(field -> slices.stream().anyMatch(field::isUsedBy))
                .forEach(missing::add);
        return Collections.unmodifiableSet(missing);
    }

    /** The fields that were sent and are not in what was stored. */
    public static Set<SliceField> lost(Slice sent, Slice stored) {
        var lost = EnumSet.noneOf(SliceField.class);
        Stream.of(SliceField.values())
                .filter(field -> field.isUsedBy(sent) && !field.isUsedBy(stored))
                .forEach(lost::add);
        return Collections.unmodifiableSet(lost);
    }

    private static Set<SliceField> inOrder(Set<SliceField> fields) {
        var ordered = EnumSet.noneOf(SliceField.class);
        ordered.addAll(fields);
        return Collections.unmodifiableSet(ordered);
    }
}
