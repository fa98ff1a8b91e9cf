package dev.fakegpu.dra;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who uses a claim: what has to be deleted for the claim to be released.
 *
 * @param pods names of the pods that use it, in the claim's namespace
 * @param others what else it is reserved for, which keeps it from being released when the pods go
 * @param ending that the claim will be released anyway, and what that waits for, without names of pods and claims; null if it is in use
 * @param problem why that takes long, in the words of whoever has to release it; null if there is nothing to say
 */
public record ClaimUse(
        List<String> pods,
        List<ClaimConsumer> others,
        @Nullable String ending,
        @Nullable String problem) {

    /** Nothing is known. */
    public static final ClaimUse UNKNOWN = new ClaimUse(List.of(), List.of(), null, null);

    /** It is allocated, but not reserved for anybody. */
    public static final ClaimUse UNUSED = new ClaimUse(List.of(), List.of(), "used by no pod", null);

    private static final int MAX_LISTED = 3;

    public ClaimUse {
        pods = List.copyOf(pods);
        others = List.copyOf(others);
    }

    /** By a pod that will get, or would get, the claim's devices. */
    public static ClaimUse by(String pod) {
        return new ClaimUse(List.of(pod), List.of(), null, null);
    }

    /** Such as {@code pod "a", being deleted}; empty if nothing is known. */
    String text() {
        String users = users();
        return users.isEmpty()
                ? withoutNames()
                : users + (ending == null ? "" : ", " + ending) + (problem == null ? "" : ": " + problem);
    }

    /** Such as {@code pods "a", "b", trainings.example.com "c"}; empty if there are none. */
    public String users() {
        String named = listed(pods.stream().map(pod -> '"' + pod + '"').toList());
        String ofPods = pods.isEmpty() ? "" : (pods.size() == 1 ? "pod " : "pods ") + named;
        return ofPods
                + (pods.isEmpty() || others.isEmpty() ? "" : ", ")
                + listed(others.stream().map(ClaimConsumer::toString).toList());
    }

    private static String listed(List<String> names) {
        int more = names.size() - MAX_LISTED;
        return names.stream().limit(MAX_LISTED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    String withoutNames() {
        return ending == null ? "" : ending;
    }
}
