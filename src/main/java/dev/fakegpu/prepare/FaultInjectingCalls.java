package dev.fakegpu.prepare;

import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.ClaimReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** Injected faults on calls for whose answer a kubelet waits. For several threads; none keeps another waiting. */
public final class FaultInjectingCalls {

    /** How soon one that waits finds out that its fault was healed. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /**
     * A call for one claim.
     *
     * @param labels those of the claim
     * @param devices that it is about, as allocated
     */
    public record Call(Operation operation, ClaimRef claim, Map<String, String> labels, List<DeviceId> devices) {

        /** NodePrepareResources. */
        public static Call prepare(ResourceClaim claim, List<DeviceId> devices) {
            return new Call(
                    Operation.Prepare,
                    ClaimReader.ref(claim),
                    Objects.requireNonNullElse(claim.getMetadata().getLabels(), Map.of()),
                    devices);
        }

        /**
         * NodeUnprepareResources.
         *
         * @param stored the claim, unless it has vanished, and its labels with it
         */
        public static Call unprepare(ClaimRef claim, Optional<ResourceClaim> stored, List<DeviceId> devices) {
            return new Call(
                    Operation.Unprepare,
                    claim,
                    stored.map(found -> found.getMetadata().getLabels()).orElse(Map.of()),
                    devices);
        }
    }

    /** Who called. */
    @FunctionalInterface
    public interface Caller {

        /** Waits, and says whether the caller still does. */
        boolean waits(Duration time);
    }

    /**
     * What faults make of a call.
     *
     * @param problem the error that it is answered with
     * @param wrongDevices what is to blame if other devices are to be prepared than those allocated
     */
    public record Outcome(Optional<String> problem, Optional<String> wrongDevices) {
        public static final Outcome UNHARMED = new Outcome(Optional.empty(), Optional.empty());

        static Outcome failed(String problem) {
            return new Outcome(Optional.of(problem), Optional.empty());
        }
    }

    private final FaultInjector injector;

    public FaultInjectingCalls(Clock clock) {
        this.injector = new FaultInjector(clock);
    }

    /** Whether a fault could strike. */
    public static boolean areLikely(NodeInventory gpus, Call call) {
        return !faults(gpus, call).isEmpty();
    }

    /**
     * Comes back when the call is to be answered.
     *
     * @param gpus the node's GPUs and their faults as they are now
     */
    public Outcome answer(Call call, Supplier<NodeInventory> gpus, Caller caller) {
        while (true) {
            FaultOutcome answer = ask(call, faults(gpus.get(), call));
            if (!(answer instanceof FaultOutcome.Silence silence)) {
                return outcome(answer);
            }
            var wait = silence.remaining().compareTo(LOOK_AGAIN) < 0 ? silence.remaining() : LOOK_AGAIN;
            if (!caller.waits(wait)) {
                givenUp(call);
                return Outcome.failed("the kubelet has given up (%s)".formatted(silence.fault()));
            }
        }
    }

    private static List<InjectedFault> faults(NodeInventory gpus, Call call) {
        return gpus.faults(call.operation(), call.labels(), call.devices());
    }

    private static Outcome outcome(FaultOutcome answer) {
        if (answer instanceof FaultOutcome.Refused refused) {
            return Outcome.failed(refused.problem());
        }
        if (answer instanceof FaultOutcome.TimedOut timedOut) {
            return Outcome.failed(timedOut.problem());
        }
        return answer instanceof FaultOutcome.WrongDevices wrong
                ? new Outcome(Optional.empty(), Optional.of(wrong.fault()))
                : Outcome.UNHARMED;
    }

    private synchronized FaultOutcome ask(Call call, List<InjectedFault> faults) {
        return injector.call(call.operation(), call.claim(), faults);
    }

    private synchronized void givenUp(Call call) {
        injector.givenUp(call.operation(), call.claim());
    }

    /** For a claim that is unprepared: should it come back, its calls count anew. */
    public synchronized void forget(String claimUid) {
        injector.forget(claimUid);
    }
}
