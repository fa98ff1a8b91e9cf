package dev.fakegpu.simulate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.simulate.controller.Eviction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a simulation, and the reasons for it.
 *
 * @param claims sorted by namespace and name
 * @param pods sorted by namespace and name
 * @param problems sentences about what FakeGpus do not publish, and why
 * @param evictions evictions because of taints, in order of time; empty for a real cluster
 */
public record ClusterView(
        List<ClaimRow> claims, List<PodRow> pods, List<String> problems, List<EvictionRow> evictions) {

    static final String PREPARATION_FAILED = "FailedPrepareDynamicResources";
    static final String OTHER_SCHEDULER = "OtherScheduler";
    static final String NOT_SCHEDULED = "NotScheduled";
    static final String NODE_GONE = "NodeGone";
    static final String SCHEDULING_GATED = "SchedulingGated";

    public ClusterView {
        claims = List.copyOf(claims);
        pods = List.copyOf(pods);
        problems = List.copyOf(problems);
        evictions = List.copyOf(evictions);
    }

    ClusterView with(List<EvictionRow> others) {
        return new ClusterView(claims, pods, problems, others);
    }

    /**
     * A claim.
     *
     * @param devices the allocated devices by name; empty if the claim is not allocated
     * @param adminAccess the devices to which it has admin access and which it does not hold
     * @param results the request of each device
     * @param prepared the reason of the condition Ready of its first device, such as {@code Prepared}; null before preparation
     * @param pods the names of the pods that it is reserved for
     * @param otherConsumers other objects that it is reserved for
     * @param waiting why it is not allocated; null if it is allocated, or waits for its pod
     */
    public record ClaimRow(
            String namespace,
            String name,
            List<String> devices,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> adminAccess,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResultRow> results,
            @Nullable String pool,
            @Nullable String prepared,
            List<String> pods,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ClaimConsumer> otherConsumers,
            @Nullable Waiting waiting) {}

    /**
     * A device that a claim got.
     *
     * @param request the request of the claim, with the alternative after a slash if there are several
     * @param deviceClass the class of the request; null if the claim no longer has the request
     * @param share the number of the share of a shareable device, in the order of claims; null for other devices
     * @param consumed the consumed amounts of a shared device's capacity
     * @param adminAccess whether the claim has admin access to the device and does not hold it
     */
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record ResultRow(
            String request,
            @Nullable String deviceClass,
            String driver,
            String pool,
            String device,
            @Nullable Integer share,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> consumed,
            boolean adminAccess) {}

    /**
     * A pod.
     *
     * @param waiting why it does not run; null if it runs or has ended
     * @param rejected why its node rejected it; null if it did not
     */
    public record PodRow(
            String namespace,
            String name,
            String phase,
            @Nullable String node,
            @Nullable Waiting waiting,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Waiting rejected) {

        @JsonIgnore
        public boolean isRunning() {
            return phase.equals("Running");
        }

        /** Why it waits or was rejected; null if neither is the case. */
        @JsonIgnore
        public @Nullable Waiting obstacle() {
            return waiting == null ? rejected : waiting;
        }
    }

    /**
     * Why a pod or claim waits, or why a pod was rejected.
     *
     * @param reason a code for programs: the name of a {@link dev.fakegpu.engine.explain.finding.Reason}, or of another cause
     * @param sentence a sentence for people
     */
    public record Waiting(String reason, String sentence) {}

    /**
     * A pod that was evicted.
     *
     * @param seconds the time since the beginning of the simulation
     * @param reason the reason of the Event, such as {@code DeviceTaintManagerEviction}
     * @param sentence the taint, and the object that has it
     */
    public record EvictionRow(String namespace, String name, long seconds, String reason, String sentence) {

        /** @param start the beginning of the simulation */
        static EvictionRow of(Eviction eviction, Instant start) {
            return new EvictionRow(
                    eviction.namespace(),
                    eviction.pod(),
                    Duration.between(start, eviction.at()).toSeconds(),
                    eviction.reason(),
                    eviction.cause());
        }
    }

    public Optional<PodRow> pod(String namespace, String name) {
        return pods.stream()
                .filter(pod -> pod.namespace().equals(namespace) && pod.name().equals(name))
                .findFirst();
    }

    public Optional<ClaimRow> claim(String namespace, String name) {
        return claims.stream()
                .filter(claim ->
                        claim.namespace().equals(namespace) && claim.name().equals(name))
                .findFirst();
    }
}
