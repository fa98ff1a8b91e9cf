package dev.fakegpu.evidence;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** The orders in which pods can arrive. */
final class Orders {

    private Orders() {}

    /** All different orders. */
    static List<List<String>> of(String... types) {
        var orders = new LinkedHashSet<List<String>>();
        add(orders, List.of(), List.of(types));
        return List.copyOf(orders);
    }

    private static void add(LinkedHashSet<List<String>> orders, List<String> first, List<String> rest) {
        if (rest.isEmpty()) {
            orders.add(first);
        }
        for (int i = 0; i < rest.size(); i++) {
            var next = new ArrayList<>(first);
            var others = new ArrayList<>(rest);
            next.add(others.remove(i));
            add(orders, next, others);
        }
    }
}
