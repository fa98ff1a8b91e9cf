package dev.fakegpu.engine.explain;

import dev.fakegpu.engine.explain.finding.NameScope;
import java.util.function.Function;

/**
 * A text in two versions.
 *
 * @param shown the version for users of a namespace
 * @param full the version with all names, for the log
 */
public record ScopedText(String shown, String full) {

    /** Creates the versions for the reader and for the log. */
    public static ScopedText of(NameScope reader, Function<NameScope, String> text) {
        String full = text.apply(reader.unrestricted());
        return new ScopedText(reader.includesAll() ? full : text.apply(reader), full);
    }

    /** This text, followed by another. */
    public ScopedText append(ScopedText end) {
        return new ScopedText(shown + end.shown, full + end.full);
    }

    /** A text that names no objects of other users. */
    public static ScopedText of(String text) {
        return new ScopedText(text, text);
    }
}
