package dev.fakegpu.cluster.whatif;

import dev.fakegpu.cluster.quota.ForbiddenBy;
import dev.fakegpu.dra.DeviceId;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of trying a pod or claim.
 *
 * @param kind {@code pod} or {@code claim}
 * @param why the reason for trying it
 * @param node the node where it would be placed; null if there is none
 * @param devices the devices that it would get, without those of claims that are already allocated
 * @param otherNodes the number of other nodes on which it would also have fit
 * @param reason a code for why it is not placed; empty if it is
 * @param sentence the same reason as text
 * @param preempts the pods of lower priority that would have to be preempted for it, as {@code namespace/name}
 * @param needsPod whether it is a claim that gets no devices until a pod uses it; the result assumes that one does
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

    /** Why an object is tried. */
    public enum Why {
        NEW,
        EVICTED,
        PENDING,
        /** It ran, and goes because of the changes. */
        RUNNING
    }

    /** The object that was tried. */
    public record Subject(String kind, String namespace, String name, Why why) {

        /** @param devices the devices, without those of claims that are already allocated */
        public Attempt placed(String node, List<DeviceId> devices, int otherNodes) {
            return new Attempt(kind, namespace, name, why, node, devices, otherNodes, "", "", List.of(), false);
        }

        public Attempt refused(String reason, String sentence) {
            return refused(reason, sentence, List.of());
        }

        /** @param preempts the pods of lower priority that would have to be preempted, as {@code namespace/name} */
        public Attempt refused(String reason, String sentence, List<String> preempts) {
            return new Attempt(kind, namespace, name, why, null, List.of(), 0, reason, sentence, preempts, false);
        }

        /** @param sentence the message of the API server */
        public Attempt forbidden(ForbiddenBy by, String sentence) {
            return refused(by.name(), sentence);
        }
    }

    public Attempt {
        devices = List.copyOf(devices);
        preempts = List.copyOf(preempts);
    }

    /** Returns the result for a claim that is tried as if a pod used it. */
    public Attempt ifUsed() {
        return new Attempt(kind, namespace, name, why, node, devices, otherNodes, reason, sentence, preempts, true);
    }

    public boolean isPlaced() {
        return node != null;
    }

    /** Whether creating it would be refused. */
    public boolean isForbidden() {
        return Arrays.stream(ForbiddenBy.values()).anyMatch(by -> by.name().equals(reason));
    }
}
