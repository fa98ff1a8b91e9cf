package dev.fakegpu.engine.cel.library;

import dev.fakegpu.engine.cel.value.Failure;
import java.util.regex.Pattern;

/**
 * Finds the characters that RE2/J looks up one by one when it compiles a regular expression that ignores case. For each character, RE2/J
 * follows the other cases in its own tables and in Java's until it is back at the first. Java knows upper case forms of a few characters
 * that RE2/J's tables do not have, and RE2/J then never ends.
 */
final class FoldedCharacters {

    /** From CYRILLIC SMALL LETTER ROUNDED VE to CYRILLIC SMALL LETTER UNBLENDED UK, which Unicode 9 introduced. */
    private static final int FIRST_ENDLESS = 0x1c80;

    private static final int LAST_ENDLESS = 0x1c88;

    private static final Pattern IGNORES_CASE = Pattern.compile("\\(\\?[a-zA-Z]*i");
    private static final int HEXADECIMAL = 16;

    private final String regex;
    private long number;
    private int at;

    private FoldedCharacters(String regex) {
        this.regex = regex;
    }

    /**
     * An upper bound of the number of characters that are looked up because they are in ranges.
     *
     * @throws Failure if compiling the expression would not end
     */
    static long of(String regex) {
        return IGNORES_CASE.matcher(regex).find() ? new FoldedCharacters(regex).counted() : 0;
    }

    /** Treats every dash as that of a range. Outside of classes, dashes are rarely followed by a character beyond ASCII. */
    private long counted() {
        int last = 0;
        while (at < regex.length()) {
            boolean isRange = regex.charAt(at) == '-' && at > 0 && at + 1 < regex.length();
            if (isRange) {
                at++;
            }
            int next = next();
            int first = isRange ? Math.min(last, next) : next;
            if (first <= LAST_ENDLESS && next >= FIRST_ENDLESS) {
                throw new Failure("Illegal regex: it ignores the case of characters for which that is not supported");
            }
            number += next - first;
            last = next;
        }
        return number;
    }

    /** A character, or the character that an escape stands for; 0 if it stands for none. */
    private int next() {
        int c = regex.codePointAt(at);
        at += Character.charCount(c);
        if (c != '\\' || at == regex.length()) {
            return c;
        }
        boolean isCode = regex.charAt(at) == 'x' && at + 1 < regex.length();
        return isCode ? code() : escaped();
    }

    private int escaped() {
        int c = regex.codePointAt(at);
        at += Character.charCount(c);
        return c < 0x80 ? 0 : c;
    }

    /** Reads {@code \\x{10FFFF}} or {@code \\x7F}. */
    private int code() {
        boolean inBraces = regex.charAt(at + 1) == '{';
        int begin = at + (inBraces ? 2 : 1);
        int end = begin;
        int code = 0;
        while (end < regex.length()
                && Character.digit(regex.charAt(end), HEXADECIMAL) >= 0
                && (inBraces || end < begin + 2)) {
            code = Math.min(
                    HEXADECIMAL * code + Character.digit(regex.charAt(end), HEXADECIMAL), Character.MAX_CODE_POINT);
            end++;
        }
        at = end + (inBraces && end < regex.length() ? 1 : 0);
        return code;
    }
}
