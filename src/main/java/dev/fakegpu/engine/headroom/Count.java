package dev.fakegpu.engine.headroom;

import dev.fakegpu.engine.allocate.Diagnosis;

/**
 * A number that is exact if both bounds are equal.
 *
 * @param atLeast the number that was found
 * @param atMost the maximum that is possible; {@link #UNLIMITED} if nothing limits it
 */
public record Count(long atLeast, long atMost) {

    public static final long UNLIMITED = Diagnosis.UNLIMITED;

    public static final Count NONE = exactly(0);

    public static Count exactly(long number) {
        return new Count(number, number);
    }

    public boolean isExact() {
        return atLeast == atMost;
    }

    public Count plus(Count other) {
        return new Count(plus(atLeast, other.atLeast), plus(atMost, other.atMost));
    }

    static long plus(long one, long other) {
        return one > UNLIMITED - other ? UNLIMITED : one + other;
    }

    /** The number of groups of this size. */
    Count dividedBy(long size) {
        return new Count(divided(atLeast, size), divided(atMost, size));
    }

    private static long divided(long number, long size) {
        return number == UNLIMITED ? UNLIMITED : number / size;
    }

    /** A text such as {@code 7}, {@code 7 to 9}, {@code at least 7} or {@code unlimited}. */
    @Override
    public String toString() {
        if (isExact()) {
            return atLeast == UNLIMITED ? "unlimited" : Long.toString(atLeast);
        }
        return atMost == UNLIMITED ? "at least " + atLeast : atLeast + " to " + atMost;
    }
}
