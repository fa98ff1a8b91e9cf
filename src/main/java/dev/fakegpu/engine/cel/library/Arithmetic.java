package dev.fakegpu.engine.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.fakegpu.engine.cel.value.AccumulatedList;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Steps;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/** The arithmetic operators for numbers, strings, bytes, lists and times. An integer overflow is a {@link Failure}. */
final class Arithmetic {

    /** The valid range of timestamps, the years 1 to 9999, in seconds. */
    private static final long MIN_SECOND = -62_135_596_800L;

    private static final long MAX_SECOND = 253_402_300_799L;

    private Arithmetic() {}

    static Object add(Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            return checked(() -> Math.addExact(a, b));
        }
        if (left instanceof UnsignedLong a && right instanceof UnsignedLong b) {
            return unsigned(a.bigIntegerValue().add(b.bigIntegerValue()));
        }
        if (left instanceof Double a && right instanceof Double b) {
            return a + b;
        }
        if (left instanceof String a && right instanceof String b) {
            Steps.text((long) a.length() + b.length());
            return a + b;
        }
        if (left instanceof CelByteString a && right instanceof CelByteString b) {
            Steps.text((long) a.size() + b.size());
            return a.concat(b);
        }
        if (left instanceof List<?> a && right instanceof List<?> b) {
            return concatenated(a, b);
        }
        return addTimes(left, right);
    }

    private static Object concatenated(List<?> left, List<?> right) {
        if (left instanceof AccumulatedList accumulated) {
            Steps.take(right.size());
            accumulated.addAll(right);
            return accumulated;
        }
        Steps.take((long) left.size() + right.size());
        var all = new ArrayList<Object>(left.size() + right.size());
        all.addAll(left);
        all.addAll(right);
        return Collections.unmodifiableList(all);
    }

    private static Object addTimes(Object left, Object right) {
        if (left instanceof Duration a && right instanceof Duration b) {
            return checkedDuration(() -> Math.addExact(a.toNanos(), b.toNanos()));
        }
        if (left instanceof Duration a && right instanceof Instant b) {
            return inRange(b.plus(a));
        }
        if (left instanceof Instant a && right instanceof Duration b) {
            return inRange(a.plus(b));
        }
        throw Failure.noSuchOverload("_+_");
    }

    static Object subtract(Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            return checked(() -> Math.subtractExact(a, b));
        }
        if (left instanceof UnsignedLong a && right instanceof UnsignedLong b) {
            return unsigned(a.bigIntegerValue().subtract(b.bigIntegerValue()));
        }
        if (left instanceof Double a && right instanceof Double b) {
            return a - b;
        }
        if (left instanceof Duration a && right instanceof Duration b) {
            return checkedDuration(() -> Math.subtractExact(a.toNanos(), b.toNanos()));
        }
        if (left instanceof Instant a && right instanceof Duration b) {
            return inRange(a.minus(b));
        }
        if (left instanceof Instant a && right instanceof Instant b) {
            return checkedDuration(() -> Duration.between(b, a).toNanos());
        }
        throw Failure.noSuchOverload("_-_");
    }

    static Object multiply(Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            return checked(() -> Math.multiplyExact(a, b));
        }
        if (left instanceof UnsignedLong a && right instanceof UnsignedLong b) {
            return unsigned(a.bigIntegerValue().multiply(b.bigIntegerValue()));
        }
        if (left instanceof Double a && right instanceof Double b) {
            return a * b;
        }
        throw Failure.noSuchOverload("_*_");
    }

    static Object divide(Object left, Object right) {
        if (left instanceof Double a && right instanceof Double b) {
            return a / b;
        }
        if (left instanceof Long a && right instanceof Long b) {
            requireDivisor(b, "division");
            return whole(BigInteger.valueOf(a).divide(BigInteger.valueOf(b)));
        }
        if (left instanceof UnsignedLong a && right instanceof UnsignedLong b) {
            requireDivisor(b.longValue(), "division");
            return a.dividedBy(b);
        }
        throw Failure.noSuchOverload("_/_");
    }

    static Object modulo(Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            requireDivisor(b, "modulus");
            if (a == Long.MIN_VALUE && b == -1) {
                throw new Failure("integer overflow");
            }
            return a % b;
        }
        if (left instanceof UnsignedLong a && right instanceof UnsignedLong b) {
            requireDivisor(b.longValue(), "modulus");
            return a.mod(b);
        }
        throw Failure.noSuchOverload("_%_");
    }

    private static void requireDivisor(long divisor, String operation) {
        if (divisor == 0) {
            throw new Failure(operation + " by zero");
        }
    }

    static Object negate(Object value) {
        if (value instanceof Long number) {
            return checked(() -> Math.negateExact(number));
        }
        if (value instanceof Double number) {
            return -number;
        }
        if (value instanceof Duration duration) {
            return checkedDuration(() -> Math.negateExact(duration.toNanos()));
        }
        throw Failure.noSuchOverload("-_");
    }

    static Object whole(BigInteger value) {
        if (value.bitLength() >= Long.SIZE) {
            throw new Failure("integer overflow");
        }
        return value.longValue();
    }

    static Object unsigned(BigInteger value) {
        if (value.signum() < 0 || value.bitLength() > Long.SIZE) {
            throw new Failure("unsigned integer overflow");
        }
        return UnsignedLong.valueOf(value);
    }

    static Instant inRange(Instant time) {
        requireInRange(time.getEpochSecond());
        return time;
    }

    /** The time that is this many seconds after the beginning of 1970. */
    static Instant time(long seconds) {
        requireInRange(seconds);
        return Instant.ofEpochSecond(seconds);
    }

    private static void requireInRange(long seconds) {
        if (seconds < MIN_SECOND || seconds > MAX_SECOND) {
            throw new Failure("timestamp overflow");
        }
    }

    private static Object checked(LongSupplier operation) {
        try {
            return operation.getAsLong();
        } catch (ArithmeticException e) {
            throw overflow(e);
        }
    }

    private static Object checkedDuration(LongSupplier nanoseconds) {
        try {
            return Duration.ofNanos(nanoseconds.getAsLong());
        } catch (ArithmeticException e) {
            throw overflow(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // A failure is an ordinary value; a cause would only add a stack trace.
    private static Failure overflow(ArithmeticException cause) {
        return new Failure("integer overflow");
    }
}
