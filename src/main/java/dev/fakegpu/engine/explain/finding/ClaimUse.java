package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimConsumer;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who uses a claim, and therefore what must be deleted before the claim is released.
 *
 * @param pods the names of the pods that use it, in the claim's namespace
 * @param others other objects that it is reserved for; they keep it from being released when the pods are deleted
 * @param ending why the claim will be released anyway, without names of pods and claims; null if it is in use
 * @param problem why the release takes long, in the words of the component that releases the claim; null if it does not
 */
public record ClaimUse(
        List<String> pods,
        List<ClaimConsumer> others,
        @Nullable String ending,
        @Nullable String problem) {

    /** The users of the claim are not known. */
    public static final ClaimUse UNKNOWN = new ClaimUse(List.of(), List.of(), null, null);

    /** The claim is allocated, but not reserved for any object. */
    public static final ClaimUse UNUSED = new ClaimUse(List.of(), List.of(), "used by no pod", null);

    private static final int MAX_LISTED = 3;

    public ClaimUse {
        pods = List.copyOf(pods);
        others = List.copyOf(others);
    }

    /** A claim that is used by a pod, or that will be or would be allocated for it. */
    public static ClaimUse by(String pod) {
        return new ClaimUse(List.of(pod), List.of(), null, null);
    }

    /** A text such as {@code pod "a", being deleted}; empty if nothing is known. */
    String text() {
        String users = users();
        return users.isEmpty()
                ? withoutNames()
                : users + (ending == null ? "" : ", " + ending) + (problem == null ? "" : ": " + problem);
    }

    /** A list such as {@code pods "a", "b", trainings.example.com "c"}; empty if there are no users. */
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
