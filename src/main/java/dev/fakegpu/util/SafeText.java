package dev.fakegpu.util;

/**
 * Makes text that users chose (selectors, names, messages) safe to show: the result is one line, contains no invisible characters, and has
 * a maximum length. All text that people read is converted where it leaves this process: in events, conditions, annotations, answers to the
 * kubelet, and the log ({@link SafeLogFilter}).
 *
 * <p>Line breaks and tabs become spaces. Other control characters (such as ESC, which begins terminal commands), format characters (such as
 * Unicode's bidirectional controls, which can reverse the order of text) and unpaired surrogates become U+FFFD.
 */
public final class SafeText {

    /** Maximum length of an event's message in the API. */
    public static final int EVENT_MESSAGE = 1024;

    /** Maximum length of what this program writes as the message of a condition, as an annotation, or as an answer to the kubelet. */
    public static final int CONDITION_MESSAGE = 2048;

    /** Maximum length of a message in the log, and of the message of each exception there. */
    public static final int LOG_MESSAGE = 4096;

    private static final char REPLACEMENT = '\uFFFD';
    private static final char ELLIPSIS = '…';

    private SafeText() {}

    /** @param limit maximum length of the result in UTF-16 units, at least 1; longer text ends with an ellipsis */
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
