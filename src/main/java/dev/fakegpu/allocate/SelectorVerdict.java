package dev.fakegpu.allocate;

/** What the selectors of a request and its class say about a device. */
public sealed interface SelectorVerdict {

    /** All of them match. */
    record Selected() implements SelectorVerdict {}

    /** The first selector that does not match; those after it were not asked. */
    record Rejected(Origin origin, String expression) implements SelectorVerdict {}

    /** The first selector that fails; those before it matched. */
    record Failed(Origin origin, int index, String message) implements SelectorVerdict {}

    /** Where a selector stands. */
    enum Origin {
        CLASS,
        REQUEST
    }
}
