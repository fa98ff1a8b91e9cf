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
 * @param spec as it is written
 * @param slice the same as it is read, with mixins resolved and invalid quantities replaced by 0
 * @param problems what was wrong with quantities and mixins
 * @param errors why the API server refuses it
 */
public record CheckedSlice(
        Source source, Owner owner, JsonNode spec, Slice slice, List<Problem> problems, List<FieldError> errors) {

    /**
     * To whom a slice belongs.
     *
     * @param words for a sentence
     */
    public record Owner(boolean isFakeGpu, String words) {}

    /**
     * What reading found.
     *
     * @param path of the field
     */
    public record Problem(Kind kind, String path, String message) {

        /** What the problem is about. */
        public enum Kind {
            QUANTITY,
            MIXIN,
            /** What schedulers leave out while the gate for mixins is off. */
            LEFT_OUT
        }
    }

    public CheckedSlice {
        problems = List.copyOf(problems);
        errors = List.copyOf(errors);
    }

    /** This with other problems, too. */
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
