package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;

/**
 * A resource of which a node has too little left for a pod.
 *
 * @param ofDevices the part of the request that the pod's devices take
 * @param total the node's allocatable amount
 * @param taken what devices already take of it
 */
record Shortage(
        String resource,
        BigDecimal requested,
        BigDecimal ofDevices,
        BigDecimal free,
        Quantity total,
        TakenByDevices taken) {

    /** The message in the words of kube-scheduler. */
    String message() {
        return FitMessages.insufficient(resource);
    }

    /** The message with amounts, for texts that name the node. */
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

    /** The amounts for texts that count nodes, none of which has more left. */
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

    /** @param beginning says which part of which amount is taken */
    private String taken(String beginning) {
        return taken.amount().signum() == 0
                ? ""
                : ", " + beginning.formatted(amount(taken.amount())) + "are used by " + taken.claims();
    }

    /** The shortage of the node that has more left. */
    Shortage less(Shortage other) {
        return free.compareTo(other.free) >= 0 ? this : other;
    }

    /** In the notation of the node's amount. The "0" that a kubelet reports for huge pages that are not reserved has none; then in Mi. */
    private Quantity amount(BigDecimal value) {
        Quantity notation = total.signum() == 0 && PodRequests.isHugePages(resource) ? Quantity.ofMebibytes(0) : total;
        return notation.withValue(value.max(BigDecimal.ZERO));
    }
}
