package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;

/**
 * A resource of which a node has too little left for a pod.
 *
 * @param total what the node has for pods
 */
record Shortage(String resource, BigDecimal requested, BigDecimal free, Quantity total) {

    /** In kube-scheduler's words. */
    String message() {
        return FitMessages.insufficient(resource);
    }

    /** For where the node is named. */
    String details() {
        return "%s: %s requested, %s of %s free".formatted(message(), amount(requested), amount(free), total);
    }

    /** For where nodes are counted, of which none has more left. */
    String amounts(BigDecimal overhead, int nodes) {
        return "%s requested%s, %s%s free"
                .formatted(
                        amount(requested),
                        overhead.signum() == 0 ? "" : " including " + amount(overhead) + " overhead",
                        nodes > 1 ? "at most " : "",
                        amount(free));
    }

    /** The one of the node that has more left. */
    Shortage less(Shortage other) {
        return free.compareTo(other.free) >= 0 ? this : other;
    }

    private Quantity amount(BigDecimal value) {
        return total.withValue(value.max(BigDecimal.ZERO));
    }
}
