package dev.fakegpu.operator.schedule.cache;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.util.Moment;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Pods that preempt others. Their node and devices are reserved for them, and not given to pods of equal or lower priority, until they are
 * bound or their reservation expires. Upstream: {@code PodNominator} in {@code pkg/scheduler/backend/queue/nominator.go}, which knows only
 * nodes. Not thread-safe.
 */
public final class Nominations {

    private final Map<String, Nomination> byUid = new LinkedHashMap<>();
    private long changes;
    private String decidedAbout = "";
    private int priority;

    /**
     * A pod that gets its place when its victims are gone.
     *
     * @param devices the devices that it is going to get, by claim
     * @param awaited UIDs of its victims and of other pods that are terminating anyway
     * @param until when the reservation expires
     */
    public record Nomination(
            Pod pod, String node, Map<ClaimRef, List<AllocatedDevice>> devices, Set<String> awaited, Moment until) {
        public Nomination {
            devices = Map.copyOf(devices);
            awaited = Set.copyOf(awaited);
        }

        private int priority() {
            return Objects.requireNonNullElse(pod.getSpec().getPriority(), 0);
        }
    }

    public Optional<Nomination> of(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    public void add(Nomination nomination) {
        byUid.put(nomination.pod().getMetadata().getUid(), nomination);
        changes++;
    }

    /** @return whether the pod had a nomination */
    public boolean remove(String uid) {
        boolean isRemoved = byUid.remove(uid) != null;
        changes += isRemoved ? 1 : 0;
        return isRemoved;
    }

    /** @return whether any nomination expired */
    public boolean removeDue(Moment now) {
        boolean isRemoved = byUid.values().removeIf(each -> !each.until().isAfter(now));
        changes += isRemoved ? 1 : 0;
        return isRemoved;
    }

    public Optional<Moment> nextDue() {
        return byUid.values().stream().map(Nomination::until).min(Moment::compareTo);
    }

    /** Sets the pod or claim for which the following calls answer. */
    public void decideAbout(String uid, int itsPriority) {
        decidedAbout = uid;
        priority = itsPriority;
    }

    /** The nominations that take precedence over the current item. */
    private List<Nomination> before() {
        return byUid.isEmpty()
                ? List.of()
                : byUid.entrySet().stream()
                        .filter(each -> !each.getKey().equals(decidedAbout)
                                && each.getValue().priority() >= priority)
                        .map(Map.Entry::getValue)
                        .toList();
    }

    /** The pods with precedence over the current item that get a node. */
    public List<Pod> on(String node) {
        return byUid.isEmpty()
                ? List.of()
                : before().stream()
                        .filter(each -> each.node().equals(node))
                        .map(Nomination::pod)
                        .toList();
    }

    /** The state for the current item, which excludes devices that are reserved for items with precedence. */
    public AllocationContext beside(AllocationContext context) {
        List<Nomination> before = before();
        if (before.isEmpty()) {
            return context;
        }
        AllocatedDevices all = context.allocated().without(Set.of());
        before.forEach(each -> each.devices().forEach((claim, devices) -> {
            if (all.ofClaim(claim).isEmpty()) { // or it has got other devices in the meantime
                all.replace(claim, devices);
            }
        }));
        return new AllocationContext(context.slices(), context.classes(), all, context.selectors(), context.options());
    }

    /**
     * Returns a key for the requirements. If the current item has a nomination or others take precedence over it, its refusal says nothing
     * about other items with the same requirements.
     */
    public Object key(Object requirements) {
        List<Nomination> before = before();
        return before.isEmpty() && !byUid.containsKey(decidedAbout)
                ? requirements
                : List.of(
                        requirements,
                        changes,
                        before.stream()
                                .map(each -> each.pod().getMetadata().getUid())
                                .toList(),
                        byUid.containsKey(decidedAbout));
    }
}
