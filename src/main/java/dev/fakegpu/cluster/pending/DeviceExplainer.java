package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains why claims get no devices on some nodes, and tries on each of the nearest nodes which changes would help there. */
final class DeviceExplainer {

    /** Limited because each node takes some tens of milliseconds. */
    private static final int MAX_NODES = 8;

    private final ExplainedCluster cluster;

    DeviceExplainer(ExplainedCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Explains claims.
     *
     * @param reasons the reasons of the scheduler that allocates them
     * @param unfit the nodes that are excluded
     */
    Evidence explain(
            Scheduler scheduler,
            PendingReasons reasons,
            List<Claim> claims,
            List<SchedulableNode> nodes,
            List<Evidence.UnfitNodes> unfit) {
        Explanation explanation = reasons.explain(
                claims, nodes.stream().map(SchedulableNode::devices).toList());
        return new Evidence(
                unfit,
                Optional.of(explanation),
                Map.of(),
                ways(reasons, claims, nodes, explanation),
                cluster.assumptions(scheduler));
    }

    /** More devices are a way out only if nothing else helps on any of the nodes. */
    private List<Evidence.WayOut> ways(
            PendingReasons reasons, List<Claim> claims, List<SchedulableNode> nodes, Explanation explanation) {
        Map<String, Evidence.WayOut> ways = new LinkedHashMap<>();
        Map<String, Evidence.WayOut> moreDevices = new LinkedHashMap<>();
        List<String> nearest = explanation.findings().stream()
                .map(Finding::node)
                .distinct()
                .limit(MAX_NODES)
                .toList();
        for (String name : nearest) {
            boolean isFirst = name.equals(nearest.get(0));
            Explanation there = isFirst ? explanation : onlyOn(name, reasons, claims, nodes);
            List<String> releases =
                    there.toRelease().stream().map(ClaimRef::toString).toList();
            String tolerates = there.toTolerate().map(DeviceTaint::text).orElse("");
            there.wayOut(cluster.names(claims.get(0).ref().namespace()))
                    .ifPresent(text -> (there.needsMoreDevices() ? moreDevices : ways)
                            .merge(
                                    text,
                                    new Evidence.WayOut(List.of(name), text, releases, tolerates, List.of()),
                                    (known, more) -> known.and(name)));
        }
        return List.copyOf((ways.isEmpty() ? moreDevices : ways).values());
    }

    private static Explanation onlyOn(
            String name, PendingReasons reasons, List<Claim> claims, List<SchedulableNode> nodes) {
        return reasons.explain(
                claims,
                nodes.stream()
                        .filter(node -> node.name().equals(name))
                        .map(SchedulableNode::devices)
                        .toList());
    }
}
