package dev.fakegpu.util;

import java.util.Comparator;

/** Compares names with the numbers in them by value: {@code worker-2} comes before {@code worker-10}. */
public final class NaturalOrder {

    /** Returns 0 only for equal names. */
    public static final Comparator<String> OF_NAMES =
            ((Comparator<String>) NaturalOrder::compare).thenComparing(Comparator.naturalOrder());

    private NaturalOrder() {}

    private static int compare(String one, String other) {
        int left = 0;
        int right = 0;
        while (left < one.length() && right < other.length()) {
            int difference;
            if (isDigit(one.charAt(left)) && isDigit(other.charAt(right))) {
                int leftEnd = endOfNumber(one, left);
                int rightEnd = endOfNumber(other, right);
                difference = compareNumbers(one.substring(left, leftEnd), other.substring(right, rightEnd));
                left = leftEnd;
                right = rightEnd;
            } else {
                difference = Character.compare(one.charAt(left++), other.charAt(right++));
            }
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(one.length() - left, other.length() - right);
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private static int endOfNumber(String name, int start) {
        int end = start;
        while (end < name.length() && isDigit(name.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Compares digits as text, since a number may be longer than any integer type. */
    private static int compareNumbers(String one, String other) {
        String left = withoutZeros(one);
        String right = withoutZeros(other);
        return left.length() == right.length() ? left.compareTo(right) : Integer.compare(left.length(), right.length());
    }

    private static String withoutZeros(String number) {
        int start = 0;
        while (start < number.length() - 1 && number.charAt(start) == '0') {
            start++;
        }
        return number.substring(start);
    }
}
