package dev.fakegpu.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults for lists and maps that a manifest omits. */
final class Defaults {
    private Defaults() {}

    /** An immutable copy; empty if the field is absent. */
    static <T> List<T> list(@Nullable List<T> field) {
        return field == null ? List.of() : List.copyOf(field);
    }

    /** The map itself, which keeps the order of the manifest; empty if the field is absent. */
    static <T> Map<String, T> map(@Nullable Map<String, T> field) {
        return field == null ? Map.of() : field;
    }
}
