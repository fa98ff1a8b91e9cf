package dev.fakegpu.cluster.check;

import dev.fakegpu.util.SafeText;
import java.util.Collection;
import java.util.stream.Collectors;

/** Formats parts of messages. */
final class Words {

    private static final int MAX_SHOWN = 80;

    private Words() {}

    /** Quotes a value from a file, which may contain anything. */
    static String quoted(String value) {
        return "\"" + SafeText.of(value, MAX_SHOWN) + "\"";
    }

    static String list(Collection<?> items) {
        return items.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
