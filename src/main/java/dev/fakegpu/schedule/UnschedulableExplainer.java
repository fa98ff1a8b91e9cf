package dev.fakegpu.schedule;

import dev.fakegpu.dra.ClaimNaming;
import dev.fakegpu.dra.NameScope;
import dev.fakegpu.dra.ScopedText;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.explain.Explanation;
import dev.fakegpu.schedule.fit.ClaimProblems;
import dev.fakegpu.schedule.fit.NodeCandidates;
import dev.fakegpu.schedule.fit.NodeFit;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.schedule.fit.SchedulableNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Works out why a pod or claim is unschedulable: how many nodes are filtered out and why, as kube-scheduler words it, then which devices
 * are missing on the others. Not thread-safe.
 */
final class UnschedulableExplainer {

    /** What is left for devices, in characters, however much there is to say before and after. */
    private static final int MIN_SENTENCE = 300;

    private final SchedulerCache cache;
    private final CompanionScope scope;
    private final NodeSearch nodeSearch;
    private final ClaimNaming naming;

    UnschedulableExplainer(SchedulerCache cache, CompanionScope scope, NodeSearch nodeSearch, ClaimNaming naming) {
        this.cache = cache;
        this.scope = scope;
        this.nodeSearch = nodeSearch;
        this.naming = naming;
    }

    /** Empty if the pod or claim is no longer pending. */
    Optional<ScopedText> explain(QueueItem item) {
        NameScope reader = naming.forReaderIn(item.namespace()).with(scope.users());
        return switch (item.kind()) {
            case POD -> scope.pendingPod(item).map(pod -> ScopedText.of(reader, explain(pod)));
            case CLAIM -> scope.pendingClaim(item).map(claim -> ScopedText.of(reader, explain(claim)));
        };
    }

    private Function<NameScope, String> explain(ResourceClaim claim) {
        var nodes = cache.nodes().stream()
                .filter(node -> NodeFit.problem(node.stored(), null).isEmpty())
                .toList();
        var explanation =
                nodeSearch.explain(nodes, node -> List.of(ClaimReader.read(claim)), AttemptLimits.EXPLANATION);
        List<String> problems = fakeGpuProblems(explanation, nodes);
        return reader -> CompanionMessages.withFakeGpuProblems(
                CompanionMessages.notAllocated(explanation, reader), problems);
    }

    private Function<NameScope, String> explain(Pod pod) {
        var requirements = new PodRequirements(pod, scope.claims(pod), cache);
        if (PodState.isBound(pod)) {
            String name = pod.getSpec().getNodeName();
            var explanation = cache.node(name)
                    .map(node -> nodeSearch.explain(List.of(node), requirements::claims, AttemptLimits.EXPLANATION));
            return reader -> CompanionMessages.notOnItsNode(
                    name, explanation.map(known -> known.sentence(reader)).orElseGet(CompanionMessages::noSuchNode));
        }
        var candidates = new NodeCandidates(cache.nodes(), requirements.fit());
        if (candidates.fitting().isEmpty()) {
            String summary = withoutNode(requirements, candidates);
            return reader -> summary;
        }
        var explanation = nodeSearch.explain(candidates.fitting(), requirements::claims, AttemptLimits.EXPLANATION);
        List<String> problems = fakeGpuProblems(explanation, candidates.fitting());
        UnaryOperator<String> wording = requirements
                .extendedResourceClaim(candidates.fitting().get(0))
                .<UnaryOperator<String>>map(claim -> claim::inWordsOfPod)
                .orElse(UnaryOperator.identity());
        String summary = candidates.summary();
        int rest = Explanation.MAX_SENTENCE
                - CompanionMessages.withFakeGpuProblems(summary, problems).length();
        return reader -> CompanionMessages.withFakeGpuProblems(
                summary + wording.apply(explanation.sentence(reader, Math.max(MIN_SENTENCE, rest))), problems);
    }

    private String withoutNode(PodRequirements requirements, NodeCandidates candidates) {
        if (cache.nodes().isEmpty()) {
            return CompanionMessages.withFakeGpuProblems(candidates.summary(), cache.fakeGpuProblems());
        }
        return ClaimProblems.elsewhere(
                        requirements.pod(), requirements.podClaims().claims(), cache.nodes(), requirements.fit())
                .or(() -> cache.extendedResources().unserved(requirements.fit().requests(), cache.nodes()))
                .map(why -> candidates.summary() + " " + why)
                .orElseGet(candidates::summary);
    }

    private List<String> fakeGpuProblems(Explanation explanation, List<SchedulableNode> nodes) {
        if (!explanation.reason().isLackOfDevices()) {
            return List.of();
        }
        SortedSet<String> others = cache.slices()
                .notManagedOn(nodes.stream().map(SchedulableNode::devices).toList());
        return others.isEmpty()
                ? cache.fakeGpuProblems()
                : Stream.concat(
                                cache.fakeGpuProblems().stream(),
                                Stream.of(CompanionMessages.notForTheCompanion(others)))
                        .toList();
    }
}
