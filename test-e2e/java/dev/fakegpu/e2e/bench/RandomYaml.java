package dev.fakegpu.e2e.bench;

import java.util.List;
import java.util.Random;

/** YAML documents in many notations, including those that kubectl parses differently than most people expect. */
final class RandomYaml {

    private static final List<String> SCALARS = List.of(
            "n",
            "y",
            "yes",
            "No",
            "on",
            "OFF",
            "nO",
            "TRUE",
            "true",
            "False",
            "~",
            "null",
            "NULL",
            "nUll",
            "''",
            "\"\"",
            "010",
            "-010",
            "08",
            "0o17",
            "0x1F",
            "0xZ",
            "0b101",
            "1_0",
            "_1",
            "1_000.5",
            "1e3",
            "1E-2",
            "1e400",
            ".5",
            "5.",
            "+5",
            "-0",
            "0",
            "00",
            "0.0",
            "1.50",
            "2.0",
            "1:30",
            "190:20:30",
            "2024-01-02",
            "2024-01-02T03:04:05Z",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551616",
            ".inf",
            "-.Inf",
            ".nan",
            "1.2.3",
            "40Gi",
            "500m",
            "'y'",
            "\"010\"",
            "!!str no",
            "!!str 010",
            "!!int 3",
            "!!float 3",
            "!!bool yes",
            "!!null ''",
            "plain text",
            "a#b",
            "a #comment",
            "'it''s'",
            "\"tab\\there\"",
            "\"\\u00e9\\x41\"",
            "é",
            "-",
            "a: b",
            "'a: b'",
            "=",
            "<<",
            "a,b",
            "{}",
            "[]");

    private static final List<String> KEYS = List.of(
            "a",
            "b",
            "name",
            "y",
            "on",
            "No",
            "010",
            "1",
            "1.5",
            "1e3",
            "true",
            "'n'",
            "\"x y\"",
            "x-y",
            "example.com/gpu",
            "0x10");

    private final Random random;
    private int anchors;

    RandomYaml(long seed) {
        random = new Random(seed);
    }

    /** The value of a key, with line breaks and indentation. */
    String next() {
        anchors = 0;
        return mapping(1, "  ");
    }

    private String mapping(int depth, String indent) {
        var text = new StringBuilder();
        int size = 1 + random.nextInt(4);
        for (int i = 0; i < size; i++) {
            text.append('\n').append(indent).append(pick(KEYS)).append(':').append(value(depth, indent));
        }
        return text.toString();
    }

    private String value(int depth, String indent) {
        return switch (depth > 3 ? random.nextInt(6) : random.nextInt(12)) {
            case 0 -> "";
            case 1 -> block(indent);
            case 2 -> anchored();
            case 6 -> mapping(depth + 1, indent + "  ");
            case 7 -> list(depth, random.nextBoolean() ? indent : indent + "  ");
            case 8 -> " [" + pick(SCALARS) + ", " + pick(SCALARS) + "]";
            case 9 -> " {" + pick(KEYS) + ": " + pick(SCALARS) + ", " + pick(KEYS) + ": " + pick(SCALARS) + "}";
            default -> " " + pick(SCALARS);
        };
    }

    private String list(int depth, String indent) {
        var text = new StringBuilder();
        int size = 1 + random.nextInt(3);
        for (int i = 0; i < size; i++) {
            text.append('\n').append(indent).append('-').append(value(depth + 1, indent + "  "));
        }
        return text.toString();
    }

    private String block(String indent) {
        String header = pick(List.of("|", "|-", "|+", ">", ">-", "|2"));
        return " " + header + "\n" + indent + "  first line\n" + indent + "   second: 010\n"
                + (random.nextBoolean() ? "\n" : "") + indent + "  yes";
    }

    private String anchored() {
        if (anchors > 0 && random.nextBoolean()) {
            return " *a" + random.nextInt(anchors);
        }
        return " &a" + anchors++ + " " + pick(SCALARS);
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
