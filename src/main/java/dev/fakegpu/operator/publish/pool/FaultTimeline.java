package dev.fakegpu.operator.publish.pool;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus.TimedFault;
import dev.fakegpu.api.FaultTiming;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.inventory.TimedFaults;
import dev.fakegpu.hardware.inventory.TimedFaults.PreparedOn;
import dev.fakegpu.hardware.inventory.TimedFaults.State;
import dev.fakegpu.util.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The timed faults of a FakeGpu with an accepted spec, evaluated at a given time: which faults have taken effect, and when the next one
 * will. The status of the FakeGpu records when each fault was applied, so that a restart of the operator does not reset it.
 */
public final class FaultTimeline {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .defaultPropertyInclusion(JsonInclude.Value.construct(NON_EMPTY, NON_EMPTY))
            .build();

    private final FakeGpu fakeGpu;
    private final Instant now;
    private final Map<String, TimedFault> recorded;
    private final TimedFaults.Result result;

    /** @param prepared supplies the FakeGpu's prepared devices; used only if a fault depends on preparation */
    FaultTimeline(FakeGpu fakeGpu, InventoryPlanner planner, Supplier<List<PreparedOn>> prepared, Instant now) {
        this.fakeGpu = fakeGpu;
        this.now = now.truncatedTo(ChronoUnit.MILLIS);
        this.recorded = recorded(fakeGpu);
        Map<String, Instant> appliedAt = new HashMap<>();
        recorded.forEach((name, fault) -> appliedAt.put(name, appliedAt(fault)));
        var spec = fakeGpu.getSpec();
        boolean needsPrepared = spec.faults().stream().anyMatch(TimedFaults::isSincePreparation);
        this.result = planner.withTimedFaults(
                spec, fakeGpu.getMetadata().getName(), this.now, appliedAt, needsPrepared ? prepared.get() : List.of());
    }

    /** The status entries of faults whose spec has not changed since, by name. */
    private static Map<String, TimedFault> recorded(FakeGpu fakeGpu) {
        var spec = fakeGpu.getSpec();
        Map<String, String> revisions = Stream.<FaultTiming>concat(
                        spec.faults().stream(), spec.nodes().nodeFaults().stream())
                .collect(Collectors.toMap(FaultTiming::name, FaultTimeline::revision));
        return fakeGpu.getStatus() == null
                ? Map.of()
                : fakeGpu.getStatus().faults().stream()
                        .filter(fault -> fault.revision().equals(revisions.get(fault.name())))
                        .collect(Collectors.toMap(TimedFault::name, Function.identity()));
    }

    /**
     * A time in the future was recorded before the clock was set back: the fault then takes effect after its full delay from now, but not
     * later.
     */
    private Instant appliedAt(TimedFault before) {
        Instant at = Instant.parse(before.appliedAt());
        return at.isAfter(now) ? now : at;
    }

    /** Depends only on the stored fields of the fault, so that an upgrade of the operator does not restart it. */
    private static String revision(FaultTiming fault) {
        try {
            return Sha256.hex(JSON.writeValueAsString(fault)).substring(0, 8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a fault that was read from JSON cannot be written", e);
        }
    }

    /** The FakeGpu with the changes that active faults make to its spec. */
    public FakeGpu withActiveFaults() {
        if (result.states().isEmpty()) {
            return fakeGpu;
        }
        var changed = new FakeGpu();
        changed.setMetadata(fakeGpu.getMetadata());
        changed.setSpec(result.spec());
        changed.setStatus(fakeGpu.getStatus());
        return changed;
    }

    /** The time at which the faults are evaluated. */
    public Instant now() {
        return now;
    }

    /** The timed faults in the order of the spec. */
    public List<State> states() {
        return result.states();
    }

    /** The faults that have taken effect since the status was written. */
    public List<State> newlyActive() {
        return result.states().stream()
                .filter(state -> state.hasTakenEffect() && recordedActivation(state) == null)
                .toList();
    }

    /** The time until another fault takes effect or ends; empty if none will without a change. */
    public Optional<Duration> untilNext() {
        return result.next().map(moment -> Duration.between(now, moment));
    }

    /** The faults to record in the status. */
    public List<TimedFault> status() {
        return result.states().stream().map(this::status).toList();
    }

    private TimedFault status(State state) {
        String name = state.fault().name();
        TimedFault before = recorded.get(name);
        return new TimedFault(
                name,
                revision(state.fault()),
                before == null ? now.toString() : appliedAt(before).toString(),
                state.hasTakenEffect() ? Objects.requireNonNullElse(recordedActivation(state), now.toString()) : null);
    }

    private @Nullable String recordedActivation(State state) {
        TimedFault before = recorded.get(state.fault().name());
        return before == null ? null : before.struckAt();
    }
}
