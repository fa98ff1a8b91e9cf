package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** Repeatable random choices, and helpers that write them to JSON. */
public final class Dice {

    static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final SplittableRandom random;

    public Dice(long seed) {
        random = new SplittableRandom(seed);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** A random number in a range, including both ends. */
    int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    @SafeVarargs
    final <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }

    <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** A random selection of the values in order, each with the same probability. */
    <T> List<T> some(List<T> values, double probability) {
        return values.stream().filter(value -> chance(probability)).toList();
    }

    <T> List<T> shuffled(List<T> values) {
        var copy = new ArrayList<>(values);
        Collections.shuffle(copy, new Random(random.nextLong()));
        return copy;
    }

    static ObjectNode object() {
        return JSON.objectNode();
    }

    static ArrayNode strings(List<String> values) {
        ArrayNode array = JSON.arrayNode();
        values.forEach(array::add);
        return array;
    }

    static ArrayNode strings(String... values) {
        return strings(List.of(values));
    }
}
