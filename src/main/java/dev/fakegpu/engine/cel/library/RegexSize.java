package dev.fakegpu.engine.cel.library;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Estimates an upper bound of the size of a regular expression with its counted repetitions expanded, without expanding them:
 * {@code a{1000}} has a thousand instructions.
 */
final class RegexSize {

    /** A class such as {@code \\pL} has a few hundred ranges. */
    private static final long OF_CLASS = 20;

    private final String regex;
    private final Deque<Long> outer = new ArrayDeque<>();
    private long size;
    private long last;
    private int at;

    private RegexSize(String regex) {
        this.regex = regex;
    }

    static long of(String regex) {
        return new RegexSize(regex).measured();
    }

    private long measured() {
        while (at < regex.length()) {
            char c = regex.charAt(at++);
            switch (c) {
                case '(' -> open();
                case ')' -> close();
                case '{' -> repeat();
                case '\\' -> escape();
                default -> add(1);
            }
        }
        while (!outer.isEmpty()) {
            close();
        }
        return size;
    }

    private void add(long more) {
        last = more;
        size = Math.min(size + more, Integer.MAX_VALUE);
    }

    private void open() {
        outer.push(size);
        size = 0;
    }

    private void close() {
        if (!outer.isEmpty()) {
            long group = size + 2;
            size = outer.pop();
            add(group);
        }
    }

    private void escape() {
        if (at < regex.length()) {
            char c = regex.charAt(at++);
            add("pPdDwWsS".indexOf(c) >= 0 ? OF_CLASS : 1);
        }
    }

    /** The larger number of a repetition. Braces that are not a repetition are literals. */
    private void repeat() {
        long most = 1;
        long number = 0;
        int end = at;
        while (end < regex.length() && (Character.isDigit(regex.charAt(end)) || regex.charAt(end) == ',')) {
            char c = regex.charAt(end++);
            number = c == ',' ? 0 : Math.min(10 * number + Character.digit(c, 10), Integer.MAX_VALUE);
            most = Math.max(most, number);
        }
        long repeated = last;
        size = Math.min(size - repeated + Math.min(repeated * most, Integer.MAX_VALUE), Integer.MAX_VALUE);
        last = Math.min(repeated * most, Integer.MAX_VALUE);
    }
}
