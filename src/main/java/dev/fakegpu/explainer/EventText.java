package dev.fakegpu.explainer;

import dev.fakegpu.dra.NameScope;
import dev.fakegpu.dra.ScopedText;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.explain.Explanation;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * Reason and text of an event. All sentences of the explainer are here.
 *
 * @param text which is also logged
 */
record EventText(EventReason reason, ScopedText text) {

    private static final int MAX_NAMED = 3;

    /** For a pod of kube-scheduler. */
    static EventText devicesUnavailable(Explanation explanation, NameScope reader) {
        return new EventText(EventReason.DevicesUnavailable, ScopedText.of(reader, explanation::sentence));
    }

    /** For a pod of kube-scheduler. */
    static EventText companionAllocates(SortedSet<String> fakeGpus) {
        return wrongAllocator(
                fakeGpus,
                "given away by the companion: set schedulerName: fakegpu-scheduler in the pod, or spec.allocator:"
                        + " KubeScheduler in the FakeGpu");
    }

    /** For a pod of the companion. */
    static EventText kubeSchedulerAllocates(SortedSet<String> fakeGpus) {
        return wrongAllocator(
                fakeGpus,
                "given away by kube-scheduler: leave out schedulerName in the pod, or set spec.allocator: Companion in"
                        + " the FakeGpu");
    }

    /** For a claim that the companion allocates without a pod. */
    static EventText kubeSchedulerAllocatesForPods(SortedSet<String> fakeGpus) {
        return wrongAllocator(
                fakeGpus,
                "given away by kube-scheduler, which allocates for pods only: use the claim in a pod, or set"
                        + " spec.allocator: Companion in the FakeGpu");
    }

    /** For a claim without a pod and without the label. */
    static EventText waitForFirstConsumer() {
        return new EventText(
                EventReason.WaitForFirstConsumer,
                ScopedText.of(
                        "waiting for a pod that uses the claim; without one the companion allocates it if it, or its"
                                + " namespace, has the label fakegpu.dev/allocate=true"));
    }

    /** What users see. */
    String sentence() {
        return text.shown();
    }

    private static EventText wrongAllocator(SortedSet<String> fakeGpus, String help) {
        String named =
                fakeGpus.stream().limit(MAX_NAMED).map(name -> '"' + name + '"').collect(Collectors.joining(", "));
        String more = fakeGpus.size() > MAX_NAMED ? " and " + (fakeGpus.size() - MAX_NAMED) + " more" : "";
        return new EventText(
                EventReason.WrongAllocator, ScopedText.of("devices of FakeGpu " + named + more + " are " + help));
    }
}
