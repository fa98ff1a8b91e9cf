package dev.fakegpu.engine.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.fakegpu.engine.cel.value.Cidr;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.IpAddress;
import dev.fakegpu.engine.cel.value.Numbers;
import dev.fakegpu.engine.cel.value.Steps;
import dev.fakegpu.engine.cel.value.TypeName;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code int(x)}, {@code string(x)} and the other conversions. Upstream: the method {@code ConvertToType} of each type in
 * {@code cel-go/common/types}.
 */
final class Conversions {

    private static final Pattern INTEGER = Pattern.compile("([+-]?)0*+(\\d*+)");

    /** The number of digits of the largest unsigned integer. Reading more digits would take quadratic time. */
    private static final int MOST_DIGITS = 20;

    private static final double TWO_TO_63 = 0x1p63;
    private static final double TWO_TO_64 = 0x1p64;

    private Conversions() {}

    private static Failure impossible(Object value, String type) {
        return new Failure("type conversion error from '" + TypeName.of(value) + "' to '" + type + "'");
    }

    static Object toInt(Object value) {
        if (value instanceof Long) {
            return value;
        }
        if (value instanceof UnsignedLong number) {
            return Arithmetic.whole(number.bigIntegerValue());
        }
        if (value instanceof Double number) {
            // Both ends are excluded, as in upstream, although the lower one would fit.
            if (!(number > -TWO_TO_63 && number < TWO_TO_63)) {
                throw new Failure("integer overflow");
            }
            return number.longValue();
        }
        if (value instanceof String text) {
            return Arithmetic.whole(integer(text, "int", "integer overflow"));
        }
        if (value instanceof Instant time) {
            return time.getEpochSecond();
        }
        if (value instanceof Duration duration) {
            return duration.toNanos();
        }
        throw impossible(value, "int");
    }

    private static BigInteger integer(String text, String type, String overflow) {
        Steps.parse(text);
        Matcher number = INTEGER.matcher(text);
        if (!number.matches() || text.length() == number.group(1).length()) {
            throw impossible(text, type);
        }
        String digits = number.group(2);
        if (digits.length() > MOST_DIGITS) {
            throw new Failure(overflow);
        }
        return new BigInteger(number.group(1) + (digits.isEmpty() ? "0" : digits));
    }

    static Object toUnsigned(Object value) {
        if (value instanceof UnsignedLong) {
            return value;
        }
        if (value instanceof Long number) {
            return Arithmetic.unsigned(BigInteger.valueOf(number));
        }
        if (value instanceof Double number) {
            if (!(number >= 0 && number < TWO_TO_64)) {
                throw new Failure("unsigned integer overflow");
            }
            return Numbers.toUnsigned(number);
        }
        if (value instanceof String text && !text.startsWith("+") && !text.startsWith("-")) {
            return Arithmetic.unsigned(integer(text, "uint", "unsigned integer overflow"));
        }
        throw impossible(value, "uint");
    }

    static Object toDouble(Object value) {
        if (Numbers.isNumber(value)) {
            return ((Number) value).doubleValue();
        }
        if (value instanceof String text) {
            return GoNumbers.parse(text);
        }
        throw impossible(value, "double");
    }

    static Object toText(Object value) {
        if (value instanceof String
                || value instanceof Long
                || value instanceof UnsignedLong
                || value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof Double number) {
            return GoNumbers.shortest(number);
        }
        if (value instanceof CelByteString bytes) {
            return decoded(bytes);
        }
        if (value instanceof Instant time) {
            return TimeFunctions.format(time);
        }
        if (value instanceof Duration duration) {
            return GoNumbers.shortestPlain(duration.toNanos() / 1e9) + "s";
        }
        if (value instanceof IpAddress || value instanceof Cidr) {
            return value.toString();
        }
        throw impossible(value, "string");
    }

    private static String decoded(CelByteString bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Failure("invalid UTF-8 in bytes, cannot convert to string");
        }
    }

    static Object toBytes(Object value) {
        if (value instanceof CelByteString) {
            return value;
        }
        if (value instanceof String text) {
            return CelByteString.of(text.getBytes(StandardCharsets.UTF_8));
        }
        throw impossible(value, "bytes");
    }

    static Object toBool(Object value) {
        if (value instanceof Boolean) {
            return value;
        }
        if (value instanceof String text) {
            if (List.of("1", "t", "T", "TRUE", "true", "True").contains(text)) {
                return true;
            }
            if (List.of("0", "f", "F", "FALSE", "false", "False").contains(text)) {
                return false;
            }
        }
        throw impossible(value, "bool");
    }

    static Object toDuration(Object value) {
        if (value instanceof Duration) {
            return value;
        }
        if (value instanceof String text) {
            return TimeFunctions.parseDuration(text);
        }
        throw impossible(value, "duration");
    }

    static Object toTimestamp(Object value) {
        if (value instanceof Instant) {
            return value;
        }
        if (value instanceof String text) {
            return TimeFunctions.parseTimestamp(text);
        }
        if (value instanceof Long seconds) {
            return Arithmetic.time(seconds);
        }
        throw impossible(value, "timestamp");
    }
}
