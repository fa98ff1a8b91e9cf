package dev.fakegpu.util;

/**
 * Makes text of users (selectors, names, messages) safe to show: it stays on one line, contains no invisible characters, and has a
 * maximum length. Everything that leaves this process for people to read goes through it where it leaves: events, conditions,
 * annotations, answers to the kubelet, and the log ({@link SafeLogFilter}).
 *
 * <p>A line break or tab becomes a space. Other control characters (such as ESC, which begins terminal commands), format characters
 * (which can reverse the order of text, Unicode's bidirectional controls) and unpaired surrogates become U+FFFD.
 */
public final class SafeText {

    /** Maximum length of an event's message in the API. */
    public static final int EVENT_MESSAGE = 1024;

    /** Maximum length that this program gives to a message of a condition, an annotation, or an answer to the kubelet. */
    public static final int CONDITION_MESSAGE = 2048;

    /** Maximum length of a message in the log, and of the message of each exception there. */
    public static final int LOG_MESSAGE = 4096;

    private static final char REPLACEMENT = '\uFFFD';
    private static final char ELLIPSIS = '…';

    private SafeText() {}

    /** @param limit of the result's length in UTF-16 units, at least 1; longer text ends with an ellipsis */
    public static String of(String text, int limit) {
        if (text.length() <= limit && text.codePoints().allMatch(SafeText::isSafe)) {
            return text;
        }
        var safe = new StringBuilder(Math.min(text.length(), limit + 1));
        for (int i = 0; i < text.length() && safe.length() <= limit; ) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            append(safe, codePoint);
        }
        return cut(safe, limit);
    }

    private static void append(StringBuilder safe, int codePoint) {
        if (isSafe(codePoint)) {
            safe.appendCodePoint(codePoint);
        } else if (!isBreak(codePoint)) {
            safe.append(REPLACEMENT);
        } else if (safe.isEmpty() || safe.charAt(safe.length() - 1) != ' ') {
            safe.append(' ');
        }
    }

    private static String cut(StringBuilder safe, int limit) {
        if (safe.length() > limit) {
            int end = limit - 1;
            safe.setLength(end > 0 && Character.isHighSurrogate(safe.charAt(end - 1)) ? end - 1 : end);
            safe.append(ELLIPSIS);
        }
        return safe.toString();
    }

    private static boolean isSafe(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static boolean isBreak(int codePoint) {
        return codePoint == '\u0085' || Character.isWhitespace(codePoint);
    }
}
