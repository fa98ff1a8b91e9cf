package dev.fakegpu.engine.explain;

import java.util.Comparator;

/** The order in which people expect the names of nodes: {@code node-2} before {@code node-10}. */
public final class NodeNames {
    private NodeNames() {}

    /** Compares runs of digits as numbers and everything else by character. */
    public static final Comparator<String> ORDER = NodeNames::compare;

    private static int compare(String a, String b) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            int endOfA = endOfDigits(a, i);
            int endOfB = endOfDigits(b, j);
            boolean areNumbers = endOfA > i && endOfB > j;
            int order = areNumbers
                    ? compareNumbers(a.substring(i, endOfA), b.substring(j, endOfB))
                    : Character.compare(a.charAt(i), b.charAt(j));
            if (order != 0) {
                return order;
            }
            i = areNumbers ? endOfA : i + 1;
            j = areNumbers ? endOfB : j + 1;
        }
        int rest = Integer.compare(a.length() - i, b.length() - j);
        return rest == 0 ? a.compareTo(b) : rest; // 01 and 1 are equal numbers, but not equal names
    }

    private static int endOfDigits(String name, int start) {
        int end = start;
        while (end < name.length() && isDigit(name.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private static int compareNumbers(String a, String b) {
        String first = withoutZeros(a);
        String second = withoutZeros(b);
        return first.length() == second.length()
                ? first.compareTo(second)
                : Integer.compare(first.length(), second.length());
    }

    private static String withoutZeros(String digits) {
        int start = 0;
        while (start < digits.length() - 1 && digits.charAt(start) == '0') {
            start++;
        }
        return digits.substring(start);
    }
}
