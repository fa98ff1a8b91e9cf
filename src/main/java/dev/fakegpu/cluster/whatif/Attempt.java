package dev.fakegpu.cluster.whatif;

import dev.fakegpu.cluster.quota.ForbiddenBy;
import dev.fakegpu.dra.DeviceId;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would become of a pod or claim.
 *
 * @param kind {@code pod} or {@code claim}
 * @param why why it was tried
 * @param node where it would be placed; null if nowhere
 * @param devices that it would get, without those of claims that are allocated already
 * @param otherNodes how many other nodes would have done when it was placed
 * @param reason a code that says why it is not placed; empty if it is
 * @param sentence the same for people
 * @param preempts the pods of lower priority that would have to go for it, as {@code namespace/name}
 * @param needsPod whether it is a claim that stays without devices for as long as no pod uses it; the rest is as if one did
 */
public record Attempt(
        String kind,
        String namespace,
        String name,
        Why why,
        @Nullable String node,
        List<DeviceId> devices,
        int otherNodes,
        String reason,
        String sentence,
        List<String> preempts,
        boolean needsPod) {

    /** Why something is tried. */
    public enum Why {
        NEW,
        EVICTED,
        PENDING,
        /** It ran, and goes because of the changes. */
        RUNNING
    }

    /** What was tried. */
    public record Subject(String kind, String namespace, String name, Why why) {

        /** @param devices without those of claims that are allocated already */
        public Attempt placed(String node, List<DeviceId> devices, int otherNodes) {
            return new Attempt(kind, namespace, name, why, node, devices, otherNodes, "", "", List.of(), false);
        }

        public Attempt refused(String reason, String sentence) {
            return refused(reason, sentence, List.of());
        }

        /** @param preempts the pods of lower priority that would have to go, as {@code namespace/name} */
        public Attempt refused(String reason, String sentence, List<String> preempts) {
            return new Attempt(kind, namespace, name, why, null, List.of(), 0, reason, sentence, preempts, false);
        }

        /** @param sentence the API server's */
        public Attempt forbidden(ForbiddenBy by, String sentence) {
            return refused(by.name(), sentence);
        }
    }

    public Attempt {
        devices = List.copyOf(devices);
        preempts = List.copyOf(preempts);
    }

    /** The same of a claim that is tried as if a pod used it. */
    public Attempt ifUsed() {
        return new Attempt(kind, namespace, name, why, node, devices, otherNodes, reason, sentence, preempts, true);
    }

    public boolean isPlaced() {
        return node != null;
    }

    /** Whether it would not be created. */
    public boolean isForbidden() {
        return Arrays.stream(ForbiddenBy.values()).anyMatch(by -> by.name().equals(reason));
    }
}
