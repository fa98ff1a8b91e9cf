package dev.fakegpu.cluster.whatif;

import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.cluster.fit.ExtendedResourceClaim;
import dev.fakegpu.cluster.fit.NodeCandidates;
import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.PodFit;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimUse;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NameScope;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.Explainer;
import dev.fakegpu.engine.explain.Explanation;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;

/**
 * Schedules pods in one state of a cluster, without preferences among nodes: the first that fits is taken. What was placed stays. Not
 * thread-safe.
 */
final class Trial {

    /** Code of an attempt that fails before devices matter. */
    static final String NO_NODE_FITS = "NoNodeFits";

    static final String CLAIM_MISSING = "ClaimMissing";

    private static final String POD = "pod";

    private static final long MAX_STEPS = 1_000_000;

    private final ClusterSnapshot snapshot;
    private final NodeUsage usage;
    private final GateSources gate;
    private final Selectors selectors;
    private final Map<Scheduler, Assumptions> assumptions = new EnumMap<>(Scheduler.class);
    private final Map<Scheduler, AllocationContext> contexts = new EnumMap<>(Scheduler.class);

    /** The nodes of claims that were allocated here, by UID. */
    private final Map<String, String> allocatedOn = new HashMap<>();

    /** The pods that got claims here, by UID of the claim. */
    private final Map<String, ClaimUse> placedFor = new HashMap<>();

    private final NameScope names;

    /** Pods and claims as they would be, by UID. */
    private final Map<String, HasMetadata> placed = new LinkedHashMap<>();

    Trial(ClusterSnapshot snapshot, GateSources gate, Selectors selectors) {
        this.snapshot = snapshot;
        this.gate = gate;
        this.selectors = selectors;
        usage = snapshot.usage();
        names = NameScope.all()
                .with(snapshot.users().or(claim -> placedFor.getOrDefault(claim.uid(), ClaimUse.UNKNOWN)));
    }

    /** The cluster with what was placed; without the claims that schedulers make for extended resources. */
    ClusterObjects objects() {
        return snapshot.objects().with(placed.values());
    }

    /** What was assumed about the schedulers whose decisions were tried. */
    List<Assumptions> assumed() {
        return List.copyOf(assumptions.values());
    }

    private AllocationContext context(Scheduler scheduler) {
        return contexts.computeIfAbsent(
                scheduler, each -> snapshot.context(assumptions.computeIfAbsent(each, this::assume), selectors));
    }

    private Assumptions assume(Scheduler scheduler) {
        return Assumptions.of(snapshot, scheduler, gate);
    }

    /** What is to be placed: the claims that have no devices yet, and where they may go. */
    private record Demand(
            Attempt.Subject subject, Scheduler scheduler, List<Claim> claims, List<SchedulableNode> nodes) {}

    /** Places a pod if it fits. */
    Attempt place(Pod pod, Attempt.Why why) {
        return attempt(pod, why, Keep.IT);
    }

    /** The same without consequences for what is tried next. */
    Attempt tryOut(Pod pod, Attempt.Why why) {
        return attempt(pod, why, Keep.NOTHING);
    }

    private enum Keep {
        IT,
        NOTHING
    }

    private Attempt attempt(Pod pod, Attempt.Why why, Keep keep) {
        var subject = new Attempt.Subject(
                POD, pod.getMetadata().getNamespace(), pod.getMetadata().getName(), why);
        PodClaims podClaims = snapshot.podClaims(pod);
        if (!podClaims.waitingFor().isEmpty()) {
            return subject.refused(CLAIM_MISSING, String.join("; ", podClaims.waitingFor()));
        }
        List<String> deleted = podClaims.claims().stream()
                .filter(claim -> claim.getMetadata().getDeletionTimestamp() != null)
                .map(ClaimProblems::beingDeleted)
                .toList();
        if (!deleted.isEmpty()) {
            return subject.refused(CLAIM_MISSING, String.join("; ", deleted));
        }
        var fit = new PodFit(pod, podClaims.claims(), usage, snapshot.extendedResources());
        var candidates = new NodeCandidates(snapshot.nodes(), fit);
        List<SchedulableNode> nodes = candidates.fitting().stream()
                .filter(node -> canUse(podClaims.claims(), node))
                .toList();
        if (nodes.isEmpty()) {
            String unserved = snapshot.extendedResources()
                    .unserved(fit.requests(), snapshot.nodes())
                    .map(problem -> " " + problem)
                    .orElse("");
            return subject.refused(NO_NODE_FITS, candidates.summary() + unserved);
        }
        var demand = new Demand(subject, Scheduler.of(pod), claims(pod, podClaims, fit, nodes.get(0)), nodes);
        Attempt attempt = attempt(demand, keep);
        if (attempt.isPlaced() && keep == Keep.IT) {
            bind(pod, podClaims.claims(), Objects.requireNonNull(attempt.node()));
        }
        return attempt;
    }

    private void bind(Pod pod, List<ResourceClaim> claims, String node) {
        usage.assume(pod, node);
        claims.forEach(claim -> placed.put(
                claim.getMetadata().getUid(),
                new ResourceClaimBuilder(latest(claim))
                        .editOrNewStatus()
                        .addNewReservedFor()
                        .withResource("pods")
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .endReservedFor()
                        .endStatus()
                        .build()));
        placed.put(
                pod.getMetadata().getUid(),
                new PodBuilder(pod).editSpec().withNodeName(node).endSpec().build());
    }

    private ResourceClaim latest(ResourceClaim claim) {
        return placed.get(claim.getMetadata().getUid()) instanceof ResourceClaim changed ? changed : claim;
    }

    /** Places a claim without a pod, as if a pod without other requirements used it. */
    Attempt place(ResourceClaim claim) {
        var subject = new Attempt.Subject(
                "claim", claim.getMetadata().getNamespace(), claim.getMetadata().getName(), Attempt.Why.NEW);
        List<SchedulableNode> nodes = snapshot.nodes().stream()
                .filter(node -> NodeFit.problem(node.stored(), null).isEmpty())
                .toList();
        if (nodes.isEmpty()) {
            return subject.refused(NO_NODE_FITS, "no node takes pods");
        }
        List<Claim> claims = List.of(ClaimReader.read(claim));
        Attempt ofKubeScheduler = attempt(new Demand(subject, Scheduler.KUBE_SCHEDULER, claims, nodes), Keep.IT);
        if (ofKubeScheduler.isPlaced()) {
            return ofKubeScheduler;
        }
        Attempt ofCompanion = attempt(new Demand(subject, Scheduler.COMPANION, claims, nodes), Keep.IT);
        boolean hasCompanionDevices =
                !snapshot.slices(Scheduler.COMPANION, GroupsGate.ON).isEmpty();
        return ofCompanion.isPlaced() || hasCompanionDevices ? ofCompanion : ofKubeScheduler;
    }

    private boolean canUse(List<ResourceClaim> claims, SchedulableNode node) {
        return claims.stream()
                .allMatch(claim -> node.name()
                        .equals(allocatedOn.getOrDefault(claim.getMetadata().getUid(), node.name())));
    }

    /** Those without an allocation, and one for extended resources that no device plugin of the node provides. */
    private List<Claim> claims(Pod pod, PodClaims podClaims, PodFit fit, SchedulableNode node) {
        var claims = new ArrayList<Claim>();
        podClaims.claims().stream()
                .filter(claim -> !Allocations.isAllocated(claim))
                .filter(claim -> !allocatedOn.containsKey(claim.getMetadata().getUid()))
                .map(ClaimReader::read)
                .forEach(claims::add);
        var classes = snapshot.extendedResources();
        SortedSet<String> fromDevices = classes.neededOn(node.stored(), classes.among(fit.requests()));
        if (!fromDevices.isEmpty()) {
            claims.add(ClaimReader.read(
                    ExtendedResourceClaim.of(pod, fromDevices, classes).claim()));
        }
        return claims;
    }

    private Attempt attempt(Demand demand, Keep keep) {
        AllocationContext context = context(demand.scheduler());
        var allocator = new Allocator(context);
        SchedulableNode chosen = null;
        List<Allocation> allocations = List.of();
        int nodes = 0;
        for (SchedulableNode node : demand.nodes()) {
            if (allocator.allocate(node.devices(), demand.claims(), steps()) instanceof Outcome.Allocated success) {
                if (chosen == null) {
                    chosen = node;
                    allocations = success.allocations();
                }
                nodes++;
            }
        }
        if (chosen == null) {
            return refused(demand, context);
        }
        if (keep == Keep.IT) {
            keep(demand, allocations, chosen, context);
        }
        return demand.subject().placed(chosen.name(), devices(allocations), nodes - 1);
    }

    private Attempt refused(Demand demand, AllocationContext context) {
        List<NodeInfo> nodes =
                demand.nodes().stream().map(SchedulableNode::devices).toList();
        Explanation explanation = new Explainer(context).explain(nodes, demand.claims());
        return demand.subject().refused(explanation.reason().name(), explanation.sentence(names));
    }

    private void keep(Demand demand, List<Allocation> allocations, SchedulableNode node, AllocationContext context) {
        for (int i = 0; i < allocations.size(); i++) {
            Claim claim = demand.claims().get(i);
            context.allocated()
                    .replace(
                            claim.ref(),
                            allocations.get(i).results().stream()
                                    .filter(result -> !result.adminAccess())
                                    .map(result ->
                                            new AllocatedDevice(result.device(), claim.ref(), null, result.share()))
                                    .toList());
            allocatedOn.put(claim.ref().uid(), node.name());
            if (demand.subject().kind().equals(POD)) {
                placedFor.put(claim.ref().uid(), ClaimUse.by(demand.subject().name()));
            }
            write(claim, allocations.get(i));
        }
    }

    private void write(Claim claim, Allocation allocation) {
        snapshot.objects()
                .claim(claim.ref().namespace(), claim.ref().name())
                .filter(stored -> claim.ref().uid().equals(stored.getMetadata().getUid()))
                .ifPresent(stored -> placed.put(
                        claim.ref().uid(),
                        new ResourceClaimBuilder(stored)
                                .editOrNewStatus()
                                .withAllocation(Allocations.write(allocation))
                                .endStatus()
                                .build()));
    }

    private static List<DeviceId> devices(List<Allocation> allocations) {
        return allocations.stream()
                .flatMap(allocation -> allocation.results().stream())
                .map(Allocation.Result::device)
                .toList();
    }

    private static SearchLimit steps() {
        long[] steps = {0};
        return () -> ++steps[0] > MAX_STEPS ? "gave up after " + MAX_STEPS + " steps" : null;
    }
}
