package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.NodeFaultSpec;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.hardware.inventory.field.QuantityReader;
import dev.fakegpu.hardware.inventory.field.Syntax;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the labels, capacity and faults that a FakeGpu specifies for its simulated nodes. */
final class SimulatedNodesCheck {

    private static final List<String> RESERVED = List.of("kubernetes.io", "k8s.io", "fakegpu.dev");

    /** Domains of Kubernetes whose labels are set by administrators and add-ons, not by the kubelet or this operator. */
    private static final List<String> FREE = List.of(
            "topology.kubernetes.io",
            "node-role.kubernetes.io",
            "node-restriction.kubernetes.io",
            "feature.node.kubernetes.io");

    private static final Pattern NATIVE_RESOURCE =
            Pattern.compile("cpu|memory|ephemeral-storage|pods|hugepages-[1-9][0-9]*[KMG]i");

    private SimulatedNodesCheck() {}

    /** @param faultNames the names of other faults, to which those of the nodes are added */
    static void check(
            String field, NodesSpec.Simulated simulated, String fakeGpu, Set<String> faultNames, Problems problems) {
        checkLabels(field + ".labels", simulated.labels(), problems);
        checkCapacity(field + ".capacity", simulated.capacity(), problems);
        for (int i = 0; i < simulated.faults().size(); i++) {
            String fault = field + ".faults[" + i + "]";
            FaultTimingCheck.checkName(fault, simulated.faults().get(i), faultNames, problems);
            checkFault(fault, simulated, simulated.faults().get(i), fakeGpu, problems);
        }
    }

    private static void checkFault(
            String field, NodesSpec.Simulated simulated, NodeFaultSpec fault, String fakeGpu, Problems problems) {
        problems.ifMissing(field + ".effect", fault.effect(), "NotReady, Gone, Cordoned or SlowKubelet");
        FaultTimingCheck.checkMoment(field, fault, problems);
        if (fault.effect() == NodeFaultSpec.Effect.SlowKubelet) {
            problems.unlessMatches(Syntax.FOR, field + ".delay", fault.delay());
        } else if (fault.delay() != null) {
            problems.add(field + ".delay", fault.delay(), "goes with effect SlowKubelet only", "no delay");
        }
        fault.nodes().stream()
                .filter(node -> simulated.count() != null && !simulated.hasName(fakeGpu, node))
                .findFirst()
                .ifPresent(node -> problems.add(
                        field + ".nodes",
                        node,
                        "is not a node of this FakeGpu",
                        "%s-node-0 to %s-node-%d".formatted(fakeGpu, fakeGpu, simulated.count() - 1)));
    }

    private static void checkLabels(String field, Map<String, String> labels, Problems problems) {
        labels.forEach((name, value) -> {
            problems.unlessMatches(Syntax.LABEL_NAME, field, name);
            problems.unlessMatches(Syntax.LABEL_VALUE, field + "[" + name + "]", value);
            if (isReserved(name)) {
                problems.add(
                        field,
                        name,
                        "is a label that belongs to Kubernetes or to this operator",
                        "labels outside of " + String.join(", ", RESERVED) + ", and those of "
                                + String.join(", ", FREE));
            }
        });
    }

    private static boolean isReserved(String label) {
        String domain = domain(label);
        return !FREE.contains(domain)
                && RESERVED.stream().anyMatch(owned -> domain.equals(owned) || domain.endsWith("." + owned));
    }

    /** The part before the slash; empty without a slash. */
    private static String domain(String name) {
        return name.substring(0, Math.max(0, name.indexOf('/')));
    }

    private static void checkCapacity(String field, Map<String, Quantity> capacity, Problems problems) {
        capacity.forEach((name, amount) -> {
            if (!NATIVE_RESOURCE.matcher(name).matches() && !isExtended(name)) {
                problems.add(
                        field,
                        name,
                        "is not a resource of nodes",
                        "cpu, memory, ephemeral-storage, pods, hugepages-<size>, or a name with a domain of its own such as"
                                + " example.com/dongle");
            }
            checkAmount(field + "[" + name + "]", name, amount, problems);
        });
    }

    /** The rules of {@code IsExtendedResourceName} in upstream's {@code core/v1/helper}. */
    private static boolean isExtended(String name) {
        return !domain(name).isEmpty()
                && !name.contains("kubernetes.io/")
                && !name.startsWith("requests.")
                && Syntax.LABEL_NAME.matches(name);
    }

    private static void checkAmount(String field, String name, @Nullable Quantity amount, Problems problems) {
        int before = problems.count();
        QuantityReader.check(field, amount, problems);
        boolean counted = name.equals("pods") || name.contains("/");
        if (problems.count() == before
                && counted
                && QuantityReader.of(amount).value().stripTrailingZeros().scale() > 0) {
            problems.add(
                    field,
                    QuantityReader.text(amount),
                    "is not an integer",
                    "an integer for pods and for names with a domain");
        }
    }
}
