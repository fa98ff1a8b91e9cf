package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.preemption.Demand;
import dev.fakegpu.cluster.preemption.OccupiedCluster;
import dev.fakegpu.cluster.preemption.Preemption;
import dev.fakegpu.cluster.preemption.PreemptionFinder;
import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.cluster.preemption.PreemptionText;
import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains which pods would have to be preempted for one of higher priority, and whether its scheduler does that. Not thread-safe. */
final class PreemptionFacts {

    /** The allocator's search steps for all pods together, because the dashboard explains every waiting pod in each of its pictures. */
    private static final long MAX_STEPS = 300_000;

    private static final List<ObjectKind> NEEDED = List.of(ObjectKind.PODS, ObjectKind.CLAIMS, ObjectKind.NODES);

    private final ExplainedCluster cluster;
    private final Selectors selectors = Selectors.shared();
    private final SearchLimit limit = SearchLimit.steps(MAX_STEPS);
    private final NodeUsage usage;
    private final Map<Scheduler, AllocationContext> contexts = new EnumMap<>(Scheduler.class);
    private @Nullable PreemptionFinder finder;

    PreemptionFacts(ExplainedCluster cluster) {
        this.cluster = cluster;
        usage = cluster.snapshot().usage();
    }

    /** Adds facts about preemption to the answer for a pod that has no node and is in no PodGroup. */
    Answer addedTo(Answer answer, Pod pod) {
        boolean isKnown = cluster.seesDevices() && NEEDED.stream().allMatch(cluster::sees);
        Optional<Evidence> evidence = answer.evidence()
                .filter(known -> isKnown
                        && answer.state() == State.PENDING
                        && known.explanation().filter(Explanation::neverFits).isEmpty());
        boolean isAlone = !PodState.isBound(pod) && PodGroup.nameFor(pod).isEmpty();
        return evidence.isPresent() && isAlone && finder().isAnyLower(pod)
                ? of(pod).map(way -> answer.with(evidence.get().with(way))).orElse(answer)
                : answer;
    }

    private Optional<Evidence.WayOut> of(Pod pod) {
        var demand = new PodDemand(
                pod,
                cluster.snapshot().podClaims(pod),
                usage,
                cluster.snapshot().extendedResources(),
                cluster.snapshot().devices());
        if (Scheduler.of(pod) == Scheduler.COMPANION) {
            return find(pod, demand).map(found -> way(pod, found, ofCompanion()));
        }
        return demand.anyDevices() ? ofKubeScheduler(pod, demand) : Optional.empty();
    }

    /** kube-scheduler preempts pods if that helps even while their claims keep their devices. */
    private Optional<Evidence.WayOut> ofKubeScheduler(Pod pod, PodDemand demand) {
        Optional<Preemption> byItself = finder().findKeepingClaims(
                        pod, of(demand), context(pod), cluster.nodes(), limit)
                .filter(Preemption::isNeeded);
        return byItself.isPresent()
                ? byItself.map(found -> way(pod, found, ""))
                : find(pod, demand).map(found -> way(pod, found, PreemptionText.KUBE_SCHEDULER_DOES_NOT));
    }

    private String ofCompanion() {
        return Assumptions.preemption(cluster.snapshot()) == PreemptionSetting.ENABLED
                ? ""
                : PreemptionText.COMPANION_DOES_NOT;
    }

    private Optional<Preemption> find(Pod pod, PodDemand demand) {
        return finder().find(pod, of(demand), context(pod), cluster.nodes(), limit)
                .filter(Preemption::isNeeded);
    }

    private Evidence.WayOut way(Pod pod, Preemption found, String obstacle) {
        boolean seesBudgets = cluster.sees(ObjectKind.DISRUPTION_BUDGETS);
        return Evidence.WayOut.preempting(
                found, PreemptionText.of(pod, found, obstacle) + (seesBudgets ? "" : PreemptionText.WITHOUT_BUDGETS));
    }

    private static Demand of(PodDemand demand) {
        return new Demand() {
            @Override
            public boolean fits(SchedulableNode node) {
                return !demand.fitting(List.of(node)).isEmpty();
            }

            @Override
            public List<Claim> claims(SchedulableNode node) {
                return demand.claims(List.of(node));
            }

            @Override
            public boolean fitsWith(SchedulableNode node, List<Allocation> found) {
                return demand.problems(node, demand.footprint(node, claims(node), found))
                        .isEmpty();
            }
        };
    }

    private AllocationContext context(Pod pod) {
        return contexts.computeIfAbsent(
                Scheduler.of(pod), scheduler -> cluster.snapshot().context(cluster.assumptions(scheduler), selectors));
    }

    private PreemptionFinder finder() {
        if (finder == null) {
            var objects = cluster.snapshot().objects();
            finder = new PreemptionFinder(
                    new OccupiedCluster(objects.pods(), objects::claim, objects::podGroup, objects.disruptionBudgets()),
                    usage);
        }
        return finder;
    }
}
