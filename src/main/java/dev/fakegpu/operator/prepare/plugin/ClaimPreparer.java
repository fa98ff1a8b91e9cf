package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.operator.prepare.ClaimValidator;
import dev.fakegpu.operator.prepare.NodeInventory;
import dev.fakegpu.operator.prepare.fault.DriverCall;
import dev.fakegpu.operator.prepare.fault.FaultInjectingCalls;
import dev.fakegpu.operator.prepare.fault.FaultInjectingCalls.Caller;
import dev.fakegpu.operator.prepare.fault.FaultOutcome;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Prepares and unprepares claims on a node: the driver behind the sockets. Calls may be repeated, may overlap, and may reach several
 * plugins on one node. Every result is stored in the checkpoint before it is returned.
 */
final class ClaimPreparer {

    private static final Logger LOG = Logger.getLogger(ClaimPreparer.class);

    private final PluginPaths paths;
    private final ClusterAccess cluster;
    private final FaultInjectingCalls faults;
    private final ClaimNaming naming;
    private final CallListener listener;

    /** The UIDs of claims that the kubelet will unprepare before their pods end, even if they could not be prepared. */
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final AbandonedClaims abandoned;

    /**
     * @param naming which claims of others may be named in an answer
     * @param listener is notified of what is prepared
     * @param ticker measures how long a claim has been abandoned
     */
    ClaimPreparer(
            PluginPaths paths,
            ClusterAccess cluster,
            FaultInjectingCalls faults,
            ClaimNaming naming,
            CallListener listener,
            Ticker ticker) {
        this.paths = paths;
        this.cluster = cluster;
        this.faults = faults;
        this.naming = naming;
        this.listener = listener;
        this.abandoned = new AbandonedClaims(paths, cluster, listener, ticker);
    }

    /** The result for one claim. */
    sealed interface Answer {

        record Prepared(PreparedClaim claim) implements Answer {
            @Override
            public String toString() {
                return claim.results().stream()
                        .map(PreparedResult::label)
                        .collect(Collectors.joining(", ", "is prepared: ", ""));
            }
        }

        /**
         * The claim cannot be prepared.
         *
         * @param text the reason, for the kubelet and for the log
         */
        record Failed(ScopedText text) implements Answer {

            Failed(String problem) {
                this(ScopedText.of(problem));
            }

            String problem() {
                return text.shown();
            }

            /** Returns the text for the log. */
            @Override
            public String toString() {
                return "cannot be prepared: " + text.full();
            }
        }
    }

    /** An object read from the API server before the node is locked, or why it could not be read. */
    private record Read<T>(Optional<T> value, Optional<String> failure) {

        static <T> Read<T> nothing() {
            return new Read<>(Optional.empty(), Optional.empty());
        }
    }

    /**
     * Handles NodePrepareResources.
     *
     * @param caller the kubelet, which waits while injected faults delay the response; after it has given up, it unprepares the claims, so
     *     nothing more is prepared
     * @return a result for each claim, by UID
     * @throws IOException if the checkpoint cannot be read
     */
    Map<String, Answer> prepare(List<ClaimRef> claims, Caller caller) throws IOException {
        claims.stream().map(ClaimRef::uid).filter(ClaimUid::isValid).forEach(asked::add);
        var read = new LinkedHashMap<ClaimRef, Read<ResourceClaim>>();
        claims.forEach(claim -> read.put(claim, readClaim(claim)));
        Read<NodeInventory> inventory = claims.isEmpty() ? Read.nothing() : readInventory();
        var outcomes = awaitPrepareFaults(read, inventory, caller);
        var answers = new LinkedHashMap<String, Answer>();
        var writes = new ArrayList<Runnable>(); // sent to the API server after the node is unlocked
        try (var state = NodeState.open(paths)) {
            read.forEach((claim, found) -> answers.put(
                    claim.uid(),
                    prepare(
                            state,
                            claim,
                            found,
                            inventory,
                            outcomes.getOrDefault(claim.uid(), new FaultOutcome.NoFault()),
                            caller,
                            writes)));
            listener.prepared(state.checkpoint().devicesByType());
        }
        claims.forEach(claim -> LOG.infof("claim %s (%s) %s", claim, claim.uid(), answers.get(claim.uid())));
        writes.forEach(Runnable::run);
        return answers;
    }

    /**
     * Whether the kubelet will unprepare claims: those that are prepared, and those that it asked to prepare, even without success.
     *
     * @throws IOException if the checkpoint cannot be read
     */
    boolean awaitsUnpreparation() throws IOException {
        if (!asked.isEmpty()) {
            return true;
        }
        try (var state = NodeState.open(paths)) {
            return !state.checkpoint().claims().isEmpty();
        }
    }

    /** Called before the node is locked, so that a call delayed by a fault does not block others. */
    private Map<String, FaultOutcome> awaitPrepareFaults(
            Map<ClaimRef, Read<ResourceClaim>> claims, Read<NodeInventory> inventory, Caller caller)
            throws IOException {
        var outcomes = new LinkedHashMap<String, FaultOutcome>();
        if (inventory.value().isEmpty()) {
            return outcomes;
        }
        for (Read<ResourceClaim> read : claims.values()) {
            if (read.value().isEmpty()) {
                continue;
            }
            ResourceClaim claim = read.value().get();
            var call = DriverCall.prepare(
                    claim, AllocatedResults.of(claim, paths.driver()).devices());
            if (!inventory.value().get().faults(call).isEmpty() && !isPrepared(claim)) {
                outcomes.put(claim.getMetadata().getUid(), awaitFaults(call, caller));
            }
        }
        return outcomes;
    }

    private FaultOutcome awaitFaults(DriverCall call, Caller caller) {
        try {
            return faults.await(call, () -> cluster.inventory().faults(call), caller);
        } catch (KubernetesClientException e) {
            return new FaultOutcome.NoFault();
        }
    }

    private boolean isPrepared(ResourceClaim claim) throws IOException {
        try (var state = NodeState.open(paths)) {
            return state.checkpoint()
                    .find(claim.getMetadata().getUid())
                    .filter(state::isComplete)
                    .filter(known -> AllocatedResults.of(claim, paths.driver()).isOf(known))
                    .isPresent();
        }
    }

    /**
     * Handles NodeUnprepareResources. The claims may already be deleted, because the checkpoint has what is needed.
     *
     * @param caller the kubelet, which waits while injected faults delay the response
     * @return the problem of each claim that has one, by UID
     * @throws IOException if the checkpoint cannot be read
     */
    Map<String, String> unprepare(List<ClaimRef> claims, Caller caller) throws IOException {
        var faultProblems = awaitUnprepareFaults(claims, caller);
        var problems = new LinkedHashMap<String, String>();
        var writes = new ArrayList<Runnable>(); // sent to the API server after the node is unlocked
        try (var state = NodeState.open(paths)) {
            for (ClaimRef claim : claims) {
                var known = state.checkpoint().find(claim.uid());
                var problem =
                        Optional.ofNullable(faultProblems.get(claim.uid())).or(() -> remove(state, claim));
                problem.ifPresent(why -> problems.put(claim.uid(), why));
                LOG.infof(
                        "claim %s (%s) %s",
                        claim,
                        claim.uid(),
                        problem.map(why -> "cannot be unprepared: " + why)
                                .orElse(known.isPresent() ? "is unprepared" : "is not known"));
                known.ifPresent(prepared -> writes.add(() -> problem.ifPresentOrElse(
                        why -> cluster.notUnprepared(claim, prepared.allocated(), why),
                        () -> cluster.unprepared(claim))));
            }
            listener.prepared(state.checkpoint().devicesByType());
        }
        writes.forEach(Runnable::run);
        return problems;
    }

    private Optional<String> remove(NodeState state, ClaimRef claim) {
        if (!ClaimUid.isValid(claim.uid())) {
            return Optional.of(notAUid(claim));
        }
        try {
            state.remove(claim.uid());
            forget(claim);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(notWritten(e));
        }
    }

    /**
     * Unprepares claims that the kubelet will not unprepare.
     *
     * @throws IOException if the checkpoint cannot be read or written
     */
    void removeAbandoned() throws IOException {
        abandoned.remove(this::forget);
    }

    private void forget(ClaimRef claim) {
        asked.remove(claim.uid());
        faults.forget(claim.uid());
    }

    /** Called before the node is locked. If the API server cannot be read, no fault applies. Returns problems by UID of the claim. */
    private Map<String, String> awaitUnprepareFaults(List<ClaimRef> claims, Caller caller) throws IOException {
        var problems = new LinkedHashMap<String, String>();
        var prepared = prepared(claims);
        Read<NodeInventory> inventory = prepared.isEmpty() ? Read.nothing() : readInventory();
        if (inventory.value().isEmpty()) {
            return problems;
        }
        for (PreparedClaim one : prepared) {
            var claim = one.claim();
            Read<ResourceClaim> read = readClaim(claim);
            if (read.failure().isPresent()) {
                continue;
            }
            var stored = read.value()
                    .filter(found -> claim.uid().equals(found.getMetadata().getUid()));
            var call = DriverCall.unprepare(claim, stored, one.allocated());
            if (!inventory.value().get().faults(call).isEmpty()) {
                awaitFaults(call, caller).error().ifPresent(problem -> problems.put(claim.uid(), problem));
            }
        }
        return problems;
    }

    private List<PreparedClaim> prepared(List<ClaimRef> claims) throws IOException {
        try (var state = NodeState.open(paths)) {
            return claims.stream()
                    .flatMap(claim -> state.checkpoint().find(claim.uid()).stream())
                    .toList();
        }
    }

    private Read<NodeInventory> readInventory() {
        return read("the devices of the node", () -> Optional.of(cluster.inventory()));
    }

    private Read<ResourceClaim> readClaim(ClaimRef claim) {
        return read("claim " + claim, () -> cluster.claim(claim.namespace(), claim.name()));
    }

    private static <T> Read<T> read(String what, Supplier<Optional<T>> reader) {
        try {
            return new Read<>(reader.get(), Optional.empty());
        } catch (KubernetesClientException e) {
            return new Read<>(Optional.empty(), Optional.of("retrieve %s: %s".formatted(what, e.getMessage())));
        }
    }

    private Answer prepare(
            NodeState state,
            ClaimRef ref,
            Read<ResourceClaim> read,
            Read<NodeInventory> inventory,
            FaultOutcome faultOutcome,
            Caller caller,
            List<Runnable> writes) {
        if (!ClaimUid.isValid(ref.uid())) {
            return new Answer.Failed(notAUid(ref));
        }
        Optional<PreparedClaim> known = state.checkpoint().find(ref.uid()).filter(state::isComplete);
        if (read.failure().isPresent()) {
            // The kubelet repeats the call after its restart; a claim that is already prepared needs no API server.
            return known.<Answer>map(Answer.Prepared::new)
                    .orElseGet(() -> new Answer.Failed(read.failure().get()));
        }
        if (read.value().isEmpty()) {
            return new Answer.Failed("retrieve claim %s: it does not exist".formatted(ref));
        }
        ResourceClaim claim = read.value().get();
        if (!ref.uid().equals(claim.getMetadata().getUid())) {
            return new Answer.Failed("claim %s got replaced".formatted(ref));
        }
        var unreadable = UnreadableFields.of(claim);
        if (unreadable.isPresent()) {
            return new Answer.Failed("claim %s: %s".formatted(ref, unreadable.get()));
        }
        if (!Allocations.isAllocated(claim)) {
            return new Answer.Failed("claim %s not allocated".formatted(ref));
        }
        var allocated = AllocatedResults.of(claim, paths.driver());
        abandoned.isWanted(ref);
        if (known.filter(allocated::isOf).isPresent()) {
            return new Answer.Prepared(known.get());
        }
        if (inventory.value().isEmpty()) {
            return new Answer.Failed(inventory.failure().orElseThrow());
        }
        return prepareAnew(state, claim, allocated, inventory.value().get(), faultOutcome, caller, writes);
    }

    private Answer prepareAnew(
            NodeState state,
            ResourceClaim claim,
            AllocatedResults allocated,
            NodeInventory inventory,
            FaultOutcome faultOutcome,
            Caller caller,
            List<Runnable> writes) {
        ClaimRef ref = ClaimReader.ref(claim);
        var check = new ClaimValidator(inventory, state.checkpoint().heldByOthers(ref), naming);
        var checked = check.check(claim, allocated.results());
        var failed = faultOutcome.error().map(ScopedText::of).or(checked::problemText);
        if (failed.isPresent()) {
            writes.add(() ->
                    cluster.failed(claim, allocated.devices(), failed.get().shown(), inventory));
            return new Answer.Failed(failed.get());
        }
        // Checked while the node is locked and after everything that takes time, because the kubelet may have
        // unprepared the claim by now.
        if (!caller.isWaiting()) {
            return new Answer.Failed("the kubelet has given up");
        }
        var result = faultOutcome
                .wrongDevices()
                .map(fault -> check.withWrongDevices(checked, fault))
                .orElse(checked)
                .withNames(new NamesOnNode(inventory.published(), cluster.published(), state.checkpoint())::unique);
        var prepared = new PreparedClaim(ref, allocated.prepared(result));
        try {
            state.add(
                    prepared,
                    inventory.node(),
                    device -> result.setup(device.container()),
                    inventory::readings,
                    ClaimMetadata.of(claim, paths.driver(), allocated.results()));
        } catch (IOException e) {
            return new Answer.Failed(notWritten(e));
        }
        writes.add(() -> cluster.prepared(claim, result, inventory));
        return new Answer.Prepared(prepared);
    }

    private static String notAUid(ClaimRef claim) {
        return "claim %s has no UID of the API server's form".formatted(claim);
    }

    private static String notWritten(IOException e) {
        return "the state of the node cannot be written: " + Objects.requireNonNullElse(e.getMessage(), e.toString());
    }
}
