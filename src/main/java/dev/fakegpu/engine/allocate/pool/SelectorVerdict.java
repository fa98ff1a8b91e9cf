package dev.fakegpu.engine.allocate.pool;

/** The result of evaluating the selectors of a request and its class on a device. */
public sealed interface SelectorVerdict {

    /** All selectors match. */
    record Selected() implements SelectorVerdict {}

    /** The first selector that does not match; later ones are not evaluated. */
    record Rejected(Origin origin, String expression) implements SelectorVerdict {}

    /** The first selector that fails; the selectors before it matched. */
    record Failed(Origin origin, int index, String message) implements SelectorVerdict {}

    /** The origin of a selector. */
    enum Origin {
        CLASS,
        REQUEST
    }
}
