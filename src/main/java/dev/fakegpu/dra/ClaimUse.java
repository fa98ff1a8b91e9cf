package dev.fakegpu.dra;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who uses a claim: what has to be deleted for the claim to be released.
 *
 * @param pods names of the pods that use it, in the claim's namespace
 * @param ending that the claim will be released anyway, and what that waits for, without names of pods and claims; null if it is in use
 * @param problem why that takes long, in the words of whoever has to release it; null if there is nothing to say
 */
public record ClaimUse(
        List<String> pods,
        @Nullable String ending,
        @Nullable String problem) {

    /** Nothing is known. */
    public static final ClaimUse UNKNOWN = new ClaimUse(List.of(), null, null);

    private static final int MAX_LISTED = 3;

    public ClaimUse {
        pods = List.copyOf(pods);
    }

    /** By a pod that will get, or would get, the claim's devices. */
    public static ClaimUse by(String pod) {
        return new ClaimUse(List.of(pod), null, null);
    }

    /** Such as {@code pod "a", being deleted}; empty if nothing is known. */
    String text() {
        if (pods.isEmpty()) {
            return withoutNames();
        }
        String named =
                pods.stream().limit(MAX_LISTED).map(pod -> '"' + pod + '"').collect(Collectors.joining(", "));
        int more = pods.size() - MAX_LISTED;
        return (pods.size() == 1 ? "pod " : "pods ")
                + named
                + (more > 0 ? " and " + more + " more" : "")
                + (ending == null ? "" : ", " + ending)
                + (problem == null ? "" : ": " + problem);
    }

    String withoutNames() {
        return ending == null ? "" : ending;
    }
}
