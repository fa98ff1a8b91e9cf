package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;

/**
 * A resource of which a node has too little left for a pod.
 *
 * @param ofDevices how much of what is requested the devices of the pod take
 * @param total what the node has for pods
 * @param taken what devices take of it already
 */
record Shortage(
        String resource,
        BigDecimal requested,
        BigDecimal ofDevices,
        BigDecimal free,
        Quantity total,
        TakenByDevices taken) {

    /** In kube-scheduler's words. */
    String message() {
        return FitMessages.insufficient(resource);
    }

    /** For where the node is named. */
    String details() {
        return "%s: %s requested%s, %s of %s free%s"
                .formatted(
                        message(),
                        amount(requested),
                        including(ofDevices, "for devices"),
                        amount(free),
                        total,
                        taken("%s of them "));
    }

    /** For where nodes are counted, of which none has more left. */
    String amounts(BigDecimal overhead, int nodes) {
        return "%s requested%s%s, %s%s free%s"
                .formatted(
                        amount(requested),
                        including(ofDevices, "for devices"),
                        including(overhead, "overhead"),
                        nodes > 1 ? "at most " : "",
                        amount(free),
                        taken(nodes > 1 ? "there %s of " + total + " " : "%s of " + total + " "));
    }

    private String including(BigDecimal part, String what) {
        return part.signum() == 0 ? "" : " including " + amount(part) + " " + what;
    }

    /** @param beginning what is taken of what */
    private String taken(String beginning) {
        return taken.amount().signum() == 0
                ? ""
                : ", " + beginning.formatted(amount(taken.amount())) + "are used by " + taken.claims();
    }

    /** The one of the node that has more left. */
    Shortage less(Shortage other) {
        return free.compareTo(other.free) >= 0 ? this : other;
    }

    private Quantity amount(BigDecimal value) {
        return total.withValue(value.max(BigDecimal.ZERO));
    }
}
