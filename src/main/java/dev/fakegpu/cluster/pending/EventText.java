package dev.fakegpu.cluster.pending;

import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.QueuePosition;
import dev.fakegpu.cluster.fit.QueuePosition.Waiting;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.kube.events.EventReason;
import java.util.List;
import java.util.SortedSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reason and the text of an event. All sentences of the explainer are in this class.
 *
 * @param code the code of the cause, for programs: the name of a {@link dev.fakegpu.engine.explain.finding.Reason} if it is about devices,
 *     otherwise that of the event's reason
 * @param text the text, which is also logged
 * @param hasRelease whether it would fit if claims released their devices
 */
public record EventText(EventReason reason, String code, ScopedText text, boolean hasRelease) {

    /** The {@code spec.schedulerName} of pods that do not set it. */
    public static final String DEFAULT_SCHEDULER = "default-scheduler";

    private static final int MAX_NAMED = 3;

    private static final String RETRIED =
            "; kube-scheduler reports SchedulerError and tries again after at most 10s, even if nothing changes";

    EventText(EventReason reason, ScopedText text) {
        this(reason, reason.name(), text, false);
    }

    /** The text for a pod of another scheduler than the companion. */
    static EventText devicesUnavailable(MissingDevices missing, NameScope reader) {
        Explanation explanation = missing.explanation();
        return new EventText(
                EventReason.DevicesUnavailable,
                explanation.reason().name(),
                ScopedText.of(reader, scope -> missing.sentence(scope, Explanation.MAX_SENTENCE)),
                explanation.hasRelease());
    }

    /**
     * Adds what kube-scheduler does after an attempt that ended with an error. No plugin has rejected the pod then, so no event has to wake
     * it. Upstream: {@code handleSchedulingFailure} in {@code schedule_one.go}, {@code determineSchedulingHintForInFlightPod} in {@code
     * scheduling_queue.go}, and the default of {@code podMaxBackoffSeconds}.
     */
    public static String retried(String sentence) {
        return sentence + RETRIED;
    }

    /** The message of a scheduler's condition about such an attempt, with the beginning of kube-scheduler's message. */
    public static String failed(String sentence) {
        return SchedulerWords.DEVICES_FAILED + sentence;
    }

    /** The text for a pod of kube-scheduler that fits no node, if there are no devices either. */
    public static EventText noNode(List<String> fakeGpuProblems) {
        return new EventText(
                EventReason.DevicesUnavailable,
                ScopedText.of(joined("no node fits the pod, and no device is published for it", fakeGpuProblems)));
    }

    /** The text for a pod of kube-scheduler that lacks the toleration for simulated nodes. */
    static EventText simulatedNodesNotTolerated() {
        return new EventText(
                EventReason.DevicesUnavailable,
                Code.NoNodeFits.name(),
                ScopedText.of(
                        ("simulated nodes have the taint %1$s, which the pod does not tolerate: add tolerations: [{key: %1$s,"
                                        + " operator: Exists}] to the pod, or set spec.nodes.simulated.taint: None in the FakeGpu")
                                .formatted(Labels.SIMULATED)),
                false);
    }

    /**
     * The text for a pod that kube-scheduler refused for lack of devices although some are free.
     *
     * @param free the node where they are free
     */
    static EventText notRetried(Explanation free) {
        return new EventText(EventReason.NotRetried, ScopedText.of(refusedAlthoughFree(free)));
    }

    /** The text for such a pod if kube-scheduler would report the same with the gate off, and the state of the gate is unknown. */
    static EventText gateMayBeOff(Explanation free) {
        return new EventText(
                EventReason.GroupsIgnored,
                ScopedText.of(refusedAlthoughFree(free)
                        + "; if it refuses the pod again, its feature gate DRADeviceCompatibilityGroups may be off, so that"
                        + " it ignores slices with compatibility groups: then set"
                        + " FAKEGPU_KUBE_SCHEDULER_COMPATIBILITY_GROUPS=Off for the operator, or"
                        + " FAKEGPU_KUBE_SCHEDULER_METRICS_URL so that it reads the gate, or"
                        + " spec.compatibilityGroups.publish: Never in the FakeGpu"));
    }

    /** {@code EventsToRegister} of upstream's plugin DynamicResources, and the queue's {@code DefaultPodMaxInUnschedulablePodsDuration}. */
    private static String refusedAlthoughFree(Explanation free) {
        return ("its devices are free (%s), but kube-scheduler could not allocate them in its last attempt; it"
                        + " tries again when a ResourceSlice or DeviceClass is created or changed (not when one is deleted), and"
                        + " after 5 minutes")
                .formatted(free.sentence());
    }

    /** @param problem the extended resource and its problem */
    public static EventText notServed(String problem) {
        return new EventText(EventReason.DevicesUnavailable, ScopedText.of(problem));
    }

    /** @param problems the claims and their problems */
    public static EventText claimsUnavailable(List<String> problems) {
        return new EventText(EventReason.ClaimsUnavailable, ScopedText.of(String.join("; ", problems)));
    }

    /** The text for a pod without a scheduler. */
    public static EventText noScheduler(String name) {
        return new EventText(
                EventReason.NoScheduler,
                ScopedText.of(
                        ("no scheduler has tried to schedule the pod: its schedulerName is \"%s\", the companion's is \"%s\", and"
                                        + " kube-scheduler's usually \"%s\"")
                                .formatted(name, Labels.SCHEDULER_NAME, DEFAULT_SCHEDULER)));
    }

    /** @param fakeGpus the FakeGpus that have devices on the nodes that were tried; not empty */
    public static String notForTheCompanion(SortedSet<String> fakeGpus) {
        return "other schedulers allocate the devices of FakeGpu " + named(fakeGpus) + " (spec.allocator)";
    }

    public static String joined(String first, List<String> others) {
        return Stream.concat(Stream.of(first), others.stream()).collect(Collectors.joining("; "));
    }

    /** The text for a pod of kube-scheduler. */
    public static EventText companionAllocates(SortedSet<String> fakeGpus) {
        return wrongAllocator(
                fakeGpus,
                "allocated by the companion: set schedulerName: fakegpu-scheduler in the pod, or spec.allocator:"
                        + " KubeScheduler in the FakeGpu");
    }

    /** The text for a pod of the companion. */
    public static EventText kubeSchedulerAllocates(SortedSet<String> fakeGpus) {
        return wrongAllocator(
                fakeGpus,
                "allocated by kube-scheduler: remove schedulerName from the pod, or set spec.allocator: Companion in"
                        + " the FakeGpu");
    }

    /**
     * The text for a pod of the companion.
     *
     * @param classes the classes that select only devices of other drivers
     */
    static EventText devicesOfOthers(SortedSet<String> classes) {
        return new EventText(
                EventReason.WrongAllocator,
                ScopedText.of(
                        "the devices of class " + named(classes) + " belong to no FakeGpu, and the companion does not"
                                + " allocate those of other drivers: remove schedulerName from the pod"));
    }

    /** The text for a claim that the companion allocates without a pod. */
    public static EventText kubeSchedulerAllocatesForPods(SortedSet<String> fakeGpus) {
        return wrongAllocator(
                fakeGpus,
                "allocated by kube-scheduler, which allocates for pods only: use the claim in a pod, or set"
                        + " spec.allocator: Companion in the FakeGpu");
    }

    /** The text for a claim without a pod and without the label. */
    public static EventText waitForFirstConsumer() {
        return new EventText(
                EventReason.WaitForFirstConsumer,
                ScopedText.of(
                        "waiting for a pod that uses the claim; the companion allocates it without one if the claim or its"
                                + " namespace has the label fakegpu.dev/allocate=true"));
    }

    /** The text for a claim without a pod that requests devices that the companion does not allocate. */
    public static EventText noConsumer() {
        return new EventText(
                EventReason.WaitForFirstConsumer,
                ScopedText.of("waiting for a pod that uses the claim: kube-scheduler allocates for pods only"));
    }

    /** Returns this text with what was not considered, if it is about missing devices. */
    public EventText noting(List<String> notConsidered) {
        return reason == EventReason.DevicesUnavailable ? map(sentence -> joined(sentence, notConsidered)) : this;
    }

    /** The text with all names. */
    public String full() {
        return text.full();
    }

    /** Returns this event with both versions of the text changed. */
    public EventText map(UnaryOperator<String> change) {
        return new EventText(
                reason, code, new ScopedText(change.apply(text.shown()), change.apply(text.full())), hasRelease);
    }

    /**
     * Returns this event for a pod that may not be the first one waiting for the devices.
     *
     * @param all all pods that wait for the same devices, in order
     */
    public EventText behind(Waiting pod, List<Waiting> all, NameScope reader) {
        return hasRelease
                ? QueuePosition.of(pod, all.stream())
                        .map(position -> new EventText(
                                reason,
                                code,
                                text.append(ScopedText.of(reader, scope -> position.clause(pod, scope))),
                                true))
                        .orElse(this)
                : this;
    }

    /** The text that users see. */
    public String sentence() {
        return text.shown();
    }

    private static EventText wrongAllocator(SortedSet<String> fakeGpus, String help) {
        return new EventText(
                EventReason.WrongAllocator, ScopedText.of("devices of FakeGpu " + named(fakeGpus) + " are " + help));
    }

    private static String named(SortedSet<String> names) {
        int more = names.size() - MAX_NAMED;
        return names.stream().limit(MAX_NAMED).map(name -> '"' + name + '"').collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
