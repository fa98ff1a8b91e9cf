package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.NameScope;
import java.util.function.Function;

/**
 * A text in two versions.
 *
 * @param shown to users of a namespace
 * @param full with all names, for the log
 */
public record ScopedText(String shown, String full) {

    /** Words the text for the reader, and for the log. */
    public static ScopedText of(NameScope reader, Function<NameScope, String> text) {
        String full = text.apply(reader.unrestricted());
        return new ScopedText(reader.includesAll() ? full : text.apply(reader), full);
    }

    /** This text, followed by another one. */
    public ScopedText append(ScopedText end) {
        return new ScopedText(shown + end.shown, full + end.full);
    }

    /** A text that names nothing of other users. */
    public static ScopedText of(String text) {
        return new ScopedText(text, text);
    }
}
