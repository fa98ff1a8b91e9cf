package dev.fakegpu.simulate;

import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.pending.Answer;
import dev.fakegpu.cluster.pending.ExplainSettings;
import dev.fakegpu.cluster.pending.PendingExplainer;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.simulate.ClusterView.Waiting;
import dev.fakegpu.simulate.memory.MemoryCluster;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gets the reason why a pod or claim waits from the simulated schedulers, or from the newest Event if they do not know it. For pods that
 * request devices of another scheduler, the reason says so, as in the explainer.
 */
final class SimulatedReasons implements ViewReader.Reasons {

    /** What schedulers report if they do not find devices that another scheduler allocates. */
    private static final Set<String> LACK =
            Set.of(Reason.NoDevices.name(), Reason.NoMatchingDevice.name(), Reason.DevicesTainted.name());

    /** Reasons of Events that do not explain why something waits. */
    private static final Set<String> SERVED = Set.of(EventReason.Scheduled.name(), EventReason.Started.name());

    private final SimulatedSchedulers schedulers;
    private final MemoryCluster cluster;
    private final PendingChanges pendingChanges;
    private final Map<String, Event> lastEvents = new HashMap<>();
    private @Nullable PendingExplainer explainer;

    /** @param pendingChanges what FakeGpus publish once devices are released */
    SimulatedReasons(
            SimulatedSchedulers schedulers,
            Collection<Event> events,
            MemoryCluster cluster,
            PendingChanges pendingChanges) {
        this.schedulers = schedulers;
        this.cluster = cluster;
        this.pendingChanges = pendingChanges;
        events.stream()
                .filter(event -> !SERVED.contains(event.getReason()))
                .forEach(event -> lastEvents.put(event.getInvolvedObject().getUid(), event));
    }

    @Override
    public boolean include(Pod pod) {
        return schedulers.include(pod);
    }

    @Override
    public Optional<Waiting> of(HasMetadata object) {
        String uid = object.getMetadata().getUid();
        return schedulers
                .pending(uid)
                .map(pending -> explained(object, pending.code())
                        .orElseGet(() -> new Waiting(pending.code(), withWayOut(object, pending.sentence()))))
                .or(() -> Optional.ofNullable(lastEvents.get(uid))
                        .map(event -> new Waiting(event.getReason(), event.getMessage())));
    }

    /** A better answer than that of the pod's scheduler, which reads neither templates nor devices of other allocators. */
    private Optional<Waiting> explained(HasMetadata object, String code) {
        Optional<Answer> answer = Optional.empty();
        if (object instanceof Pod pod && LACK.contains(code)) {
            answer = explainer().wrongAllocator(pod);
        } else if (object instanceof Pod pod
                && EventReason.ClaimsUnavailable.name().equals(code)) {
            answer = Optional.of(explainer()
                            .pod(
                                    pod.getMetadata().getNamespace(),
                                    pod.getMetadata().getName()))
                    .filter(each -> each.code().equals(code));
        }
        return answer.map(each -> new Waiting(each.code(), each.sentence()));
    }

    /** The hint of the explainer instead of kube-scheduler's message, which names the taint of simulated nodes, but not how to tolerate it. */
    private String withWayOut(HasMetadata object, String sentence) {
        return object instanceof Pod pod && sentence.contains(Labels.SIMULATED)
                ? explainer().simulatedNodes(pod).orElse(sentence)
                : sentence;
    }

    private PendingExplainer explainer() {
        if (explainer == null) { // created on first use, since that takes long
            explainer = new PendingExplainer(
                    new ClusterSnapshot(ClusterObjects.of(cluster.all().stream()
                            .filter(each ->
                                    !(each instanceof ResourceSlice slice && schedulers.isAlsoOfCompanion(slice)))
                            .toList())),
                    new ExplainSettings(GateSources.NONE, Optional.empty(), pendingChanges));
        }
        return explainer;
    }
}
