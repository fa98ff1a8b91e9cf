package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.validation.FieldError;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A ResourceSlice to check.
 *
 * @param spec the spec as written
 * @param slice the spec as read, with mixins resolved and invalid quantities replaced by 0
 * @param problems the problems of quantities and mixins
 * @param errors why the API server refuses it
 */
public record CheckedSlice(
        Source source, Owner owner, JsonNode spec, Slice slice, List<Problem> problems, List<FieldError> errors) {

    /**
     * The owner of a slice.
     *
     * @param words a description for use in a sentence
     */
    public record Owner(boolean isFakeGpu, String words) {}

    /**
     * A problem that was found while reading.
     *
     * @param path the path of the field
     */
    public record Problem(Kind kind, String path, String message) {

        /** What the problem is about. */
        public enum Kind {
            QUANTITY,
            MIXIN,
            /** An API server of the version does not have this field. */
            NEWER_FIELD,
            /** Schedulers omit this while the gate for mixins is off. */
            LEFT_OUT
        }
    }

    public CheckedSlice {
        problems = List.copyOf(problems);
        errors = List.copyOf(errors);
    }

    /** Returns this slice with further problems. */
    public CheckedSlice with(List<Problem> more) {
        var all = new ArrayList<>(problems);
        all.addAll(more);
        return new CheckedSlice(source, owner, spec, slice, all, errors);
    }

    PoolId pool() {
        return slice.pool();
    }

    Where at(String path) {
        return source.at(path);
    }

    List<CheckedDevice> devices() {
        return IntStream.range(0, slice.devices().size())
                .mapToObj(index -> new CheckedDevice(this, index))
                .toList();
    }
}
