package dev.fakegpu.evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Pods of one of the KEP's examples that arrived in one order.
 *
 * @param types the types of devices that the pods requested
 * @param expected which of them the KEP's rule admits
 * @param observed which of them kube-scheduler allocated
 */
record ArrivalOrder(String example, List<String> types, List<Boolean> expected, List<Boolean> observed) {

    boolean agrees() {
        return expected.equals(observed);
    }

    String allocated(List<Boolean> admitted) {
        return names(admitted, true);
    }

    String waiting() {
        return names(observed, false);
    }

    private String names(List<Boolean> admitted, boolean which) {
        var names = new ArrayList<String>();
        for (int i = 0; i < types.size(); i++) {
            if (admitted.get(i) == which) {
                names.add(types.get(i));
            }
        }
        return names.isEmpty() ? "-" : String.join(", ", names);
    }

    /** Plays every order of each example. */
    static List<ArrivalOrder> play(Lab lab) {
        var orders = new ArrayList<ArrivalOrder>();
        examples().forEach((example, sets) -> {
            Hardware hardware = sets.get(0).hardware();
            for (Pods pods : sets) {
                for (List<String> types : Orders.of(pods.types().toArray(String[]::new))) {
                    orders.add(play(lab, example, hardware, types));
                }
            }
        });
        return orders;
    }

    private record Pods(Hardware hardware, List<String> types) {}

    private static Map<String, List<Pods>> examples() {
        var examples = new LinkedHashMap<String, List<Pods>>();
        examples.put("Example 1", pods(Hardware.example1(), "mig-1g mig-1g", "mig-1g mig-1g mig-1g"));
        examples.put("Example 2", pods(Hardware.example2(), "mig-1g vgpu"));
        examples.put(
                "Example 3",
                pods(Hardware.example3(), "mig-1g vgpu", "mig-1g mig-1g", "vgpu vgpu", "mig-1g mig-1g vgpu vgpu"));
        examples.put("Example 4", pods(Hardware.example4(), "foo bar", "foo baz", "bar baz", "foo bar baz"));
        return examples;
    }

    private static List<Pods> pods(Hardware hardware, String... sets) {
        return Arrays.stream(sets)
                .map(types -> new Pods(hardware, List.of(types.split(" "))))
                .toList();
    }

    private static ArrivalOrder play(Lab lab, String example, Hardware hardware, List<String> types) {
        var experiment = lab.begin(hardware);
        var observed = new ArrayList<Boolean>();
        for (String type : types) {
            observed.add(experiment
                    .pod("pod-" + (char) ('a' + observed.size()), type)
                    .equals(Experiment.ALLOCATED));
        }
        var order = new ArrivalOrder(example, types, KepRule.admitted(hardware, types), List.copyOf(observed));
        System.out.printf(
                "  %s, %s: %s%n",
                example,
                types.stream().collect(Collectors.joining(", ")),
                order.agrees() ? "as the KEP says" : "differs: " + order.allocated(observed));
        return order;
    }
}
