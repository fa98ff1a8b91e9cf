package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.Slice;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The fields of ResourceSlices that an API server stores. Other fields are not sent; otherwise the stored slice would never equal the
 * desired one, and would be written again and again. Upstream's helper adopts the server's response for the same reason
 * ({@code resourceslice/resourceslicecontroller.go}).
 *
 * @param unknown the fields that the server's version does not know
 * @param dropped the fields that the server drops because their feature gate is off
 */
public record ServedFields(Set<SliceField> unknown, Set<SliceField> dropped) {

    /** The initial assumption: all fields are stored. */
    public static final ServedFields ALL = new ServedFields(Set.of(), Set.of());

    public ServedFields {
        unknown = inOrder(unknown);
        dropped = inOrder(dropped);
    }

    public boolean serves(SliceField field) {
        return !unknown.contains(field) && !dropped.contains(field);
    }

    /** A copy with more dropped fields. */
    public ServedFields andDropped(Set<SliceField> more) {
        var all = EnumSet.noneOf(SliceField.class);
        all.addAll(dropped);
        all.addAll(more);
        all.removeAll(unknown);
        return new ServedFields(unknown, all);
    }

    /** The slice without the fields that the server does not store. */
    public Slice strip(Slice slice) {
        Slice stripped = slice;
        for (SliceField field : missing(List.of(slice))) {
            stripped = field.without(stripped);
        }
        return stripped;
    }

    /** The fields that these slices use and that the server does not store. */
    public Set<SliceField> missing(List<Slice> slices) {
        var missing = EnumSet.noneOf(SliceField.class);
        Stream.of(SliceField.values())
                .filter(field -> !serves(field))
                .filter(field -> slices.stream().anyMatch(field::isUsedBy))
                .forEach(missing::add);
        return Collections.unmodifiableSet(missing);
    }

    /** The fields that were sent but not stored. */
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
