package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.DeviceFootprint;
import dev.fakegpu.cluster.fit.NodeCandidates;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Claim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds nodes that have devices for a pod but not enough resources for what these take (KEP-5517). */
record DeviceFootprints(PodDemand demand, List<Claim> claims, PendingReasons reasons) {

    private DeviceFootprint on(SchedulableNode node) {
        return reasons.find(claims, node.devices())
                .map(found -> demand.footprint(node, claims, found))
                .orElse(DeviceFootprint.NOTHING);
    }

    /** The candidates that have enough resources for what the devices take. */
    NodeCandidates among(NodeCandidates candidates) {
        return candidates.withDevices(this::on);
    }

    /** The nodes by the resources that they lack. */
    List<Evidence.UnfitNodes> unfit(Collection<SchedulableNode> nodes) {
        var names = new TreeMap<String, List<String>>();
        nodes.forEach(node -> demand.problems(node, on(node))
                .forEach(problem -> names.computeIfAbsent(problem, ignored -> new ArrayList<>())
                        .add(node.name())));
        return names.entrySet().stream()
                .map(each -> new Evidence.UnfitNodes(each.getKey(), each.getValue()))
                .toList();
    }

    static List<Evidence.UnfitNodes> joined(List<Evidence.UnfitNodes> some, List<Evidence.UnfitNodes> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }
}
