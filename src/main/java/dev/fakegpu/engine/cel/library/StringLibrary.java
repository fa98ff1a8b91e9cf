package dev.fakegpu.engine.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Steps;
import dev.fakegpu.engine.cel.value.TypeName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntBiFunction;

/** CEL's extension functions for strings, version 2. Positions count code points. Upstream: {@code cel-go/ext/strings.go}. */
final class StringLibrary extends FunctionLibrary {

    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType INT = SimpleType.INT;
    private static final CelType TEXTS = ListType.create(SimpleType.STRING);

    StringLibrary() {
        member("charAt", "string_char_at_int", TEXT, TEXT, INT, StringLibrary::charAt);
        searches();
        changes();
        parts();
        member("format", "string_format", TEXT, TEXT, ListType.create(SimpleType.DYN), TextFormat::format);
        global("strings.quote", "strings_quote", TEXT, TEXT, StringLibrary::quote);
    }

    private void searches() {
        member(
                "indexOf",
                "string_index_of_string",
                INT,
                TEXT,
                TEXT,
                (String text, String part) -> indexOf(text, part, 0));
        member(
                "indexOf",
                "string_index_of_string_int",
                INT,
                types(TEXT, TEXT, INT),
                args -> indexOf((String) args[0], (String) args[1], (Long) args[2]));
        member(
                "lastIndexOf",
                "string_last_index_of_string",
                INT,
                TEXT,
                TEXT,
                (String text, String part) -> lastIndexOf(text, part));
        member(
                "lastIndexOf",
                "string_last_index_of_string_int",
                INT,
                types(TEXT, TEXT, INT),
                args -> lastIndexOf((String) args[0], (String) args[1], (Long) args[2]));
    }

    private void changes() {
        member("lowerAscii", "string_lower_ascii", TEXT, TEXT, (String text) -> withCase(text, 'A', 'Z', 32));
        member("upperAscii", "string_upper_ascii", TEXT, TEXT, (String text) -> withCase(text, 'a', 'z', -32));
        member(
                "replace",
                "string_replace_string_string",
                TEXT,
                types(TEXT, TEXT, TEXT),
                args -> replace((String) args[0], (String) args[1], (String) args[2], -1));
        member(
                "replace",
                "string_replace_string_string_int",
                TEXT,
                types(TEXT, TEXT, TEXT, INT),
                args -> replace((String) args[0], (String) args[1], (String) args[2], (Long) args[3]));
        member("trim", "string_trim", TEXT, TEXT, StringLibrary::trim);
    }

    private void parts() {
        member(
                "split",
                "string_split_string",
                TEXTS,
                TEXT,
                TEXT,
                (String text, String separator) -> split(text, separator, -1));
        member(
                "split",
                "string_split_string_int",
                TEXTS,
                types(TEXT, TEXT, INT),
                args -> split((String) args[0], (String) args[1], (Long) args[2]));
        member(
                "substring",
                "string_substring_int",
                TEXT,
                TEXT,
                INT,
                (String text, Long start) -> substring(text, start, length(text)));
        member(
                "substring",
                "string_substring_int_int",
                TEXT,
                types(TEXT, INT, INT),
                args -> substring((String) args[0], (Long) args[1], (Long) args[2]));
        member("join", "list_join", TEXT, TEXTS, (List<?> parts) -> join(parts, ""));
        member("join", "list_join_string", TEXT, TEXTS, TEXT, StringLibrary::join);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static Failure outOfRange(long index) {
        return new Failure("index out of range: " + index);
    }

    private static String charAt(String text, long index) {
        int length = length(text);
        if (index < 0 || index > length) {
            throw outOfRange(index);
        }
        return index == length ? "" : substring(text, index, index + 1);
    }

    private static String substring(String text, long start, long end) {
        int length = length(text);
        if (start > end || start < 0 || end > length) {
            throw outOfRange(start > length || start < 0 ? start : end);
        }
        int from = text.offsetByCodePoints(0, (int) start);
        return text.substring(from, text.offsetByCodePoints(from, (int) (end - start)));
    }

    private static long indexOf(String text, String part, long offset) {
        return find(text, part, offset, text::indexOf);
    }

    private static long lastIndexOf(String text, String part) {
        int length = length(text);
        if (part.isEmpty()) {
            return length;
        }
        return text.length() < part.length() ? -1 : lastIndexOf(text, part, length - 1L);
    }

    private static long lastIndexOf(String text, String part, long offset) {
        return find(text, part, offset, text::lastIndexOf);
    }

    /**
     * @param search searches from an index in UTF-16 units, like {@link String#indexOf(String, int)}; {@code offset} and the result are
     *     code points
     */
    private static long find(String text, String part, long offset, ToIntBiFunction<String, Integer> search) {
        if (offset < 0) {
            throw outOfRange(offset);
        }
        int length = length(text);
        if (part.isEmpty()) {
            return Math.min(offset, length);
        }
        if (offset >= length) {
            return -1;
        }
        Steps.search(text, part);
        int found = search.applyAsInt(part, text.offsetByCodePoints(0, (int) offset));
        return found < 0 ? -1 : text.codePointCount(0, found);
    }

    private static String withCase(String text, char first, char last, int shift) {
        var result = new StringBuilder(text);
        for (int i = 0; i < result.length(); i++) {
            char c = result.charAt(i);
            if (c >= first && c <= last) {
                result.setCharAt(i, (char) (c + shift));
            }
        }
        return result.toString();
    }

    /** Replaces an empty {@code old}, which matches before, between and after all code points. */
    private static String replace(String text, String old, String replacement, long limit) {
        Steps.search(text, old);
        var result = new StringBuilder();
        int from = 0;
        for (long count = 0; limit < 0 || count < limit; count++) {
            int searchFrom = old.isEmpty() && count > 0 ? nextCodePoint(text, from) : from;
            int found = searchFrom > text.length() ? -1 : text.indexOf(old, searchFrom);
            if (found < 0) {
                break;
            }
            Steps.text(replacement.length());
            result.append(text, from, found).append(replacement);
            from = found + old.length();
        }
        return result.append(text, from, text.length()).toString();
    }

    /** The index of the next code point; past the end after the last one. */
    private static int nextCodePoint(String text, int index) {
        return index >= text.length() ? text.length() + 1 : text.offsetByCodePoints(index, 1);
    }

    /** Go's definition of white space. */
    private static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean isSpace(char c) {
        return (c >= '\t' && c <= '\r') || c == '\u0085' || Character.isSpaceChar(c);
    }

    private static List<String> split(String text, String separator, long limit) {
        if (limit == 0) {
            return List.of();
        }
        var parts = new ArrayList<String>();
        if (separator.isEmpty()) {
            return splitCharacters(text, limit);
        }
        Steps.search(text, separator);
        int from = 0;
        int found = text.indexOf(separator);
        while (found >= 0 && (limit < 0 || parts.size() < limit - 1)) {
            parts.add(text.substring(from, found));
            from = found + separator.length();
            found = text.indexOf(separator, from);
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static List<String> splitCharacters(String text, long limit) {
        var parts = new ArrayList<String>();
        int from = 0;
        while (from < text.length() && (limit < 0 || parts.size() < limit - 1)) {
            int next = nextCodePoint(text, from);
            parts.add(text.substring(from, next));
            from = next;
        }
        if (from < text.length()) {
            parts.add(text.substring(from));
        }
        return parts;
    }

    private static String join(List<?> parts, String separator) {
        var result = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            if (!(parts.get(i) instanceof String text)) {
                throw new Failure("join: invalid input: " + TypeName.of(parts.get(i)));
            }
            Steps.take(1);
            Steps.text((long) separator.length() + text.length());
            result.append(i == 0 ? "" : separator).append(text);
        }
        return result.toString();
    }

    private static String quote(String text) {
        List<String> plain = Arrays.asList("\\", "\u0007", "\b", "\f", "\n", "\r", "\t", "\u000b", "\"");
        List<String> escaped = Arrays.asList("\\\\", "\\a", "\\b", "\\f", "\\n", "\\r", "\\t", "\\v", "\\\"");
        String result = text;
        for (int i = 0; i < plain.size(); i++) {
            result = result.replace(plain.get(i), escaped.get(i));
        }
        return "\"" + result + "\"";
    }
}
