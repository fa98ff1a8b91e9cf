package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.AdvertisedTwice;
import dev.fakegpu.cluster.fit.PodRequests;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.ClusterHoldings;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.dra.wire.Allocations;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.stream.Stream;

/** Explains hardware that nodes offer twice, for pods that have or may get such hardware. */
final class TwiceFacts {

    private final ClusterSnapshot cluster;
    private final List<AdvertisedTwice> twice;

    TwiceFacts(ClusterSnapshot cluster) {
        this.cluster = cluster;
        twice = cluster.advertisedTwice();
    }

    /** A text about one node, with the number of other nodes. */
    List<String> of(Pod pod) {
        List<AdvertisedTwice> concerned =
                twice.stream().filter(each -> concerns(each, pod)).toList();
        long others = concerned.stream().map(AdvertisedTwice::node).distinct().count() - 1;
        return concerned.stream()
                .limit(1)
                .map(AdvertisedTwice::sentence)
                .map(sentence -> others < 1
                        ? sentence
                        : "%s; the same is true of %d more %s"
                                .formatted(sentence, others, others == 1 ? "node" : "nodes"))
                .toList();
    }

    private boolean concerns(AdvertisedTwice each, Pod pod) {
        boolean asks = PodRequests.of(pod).containsKey(each.resource());
        List<ResourceClaim> claims = cluster.podClaims(pod).claims();
        if (!PodState.isBound(pod)) {
            return asks || claims.stream().anyMatch(claim -> mayGet(claim, each.driver()));
        }
        boolean has = claims.stream()
                .flatMap(claim -> Allocations.devices(claim).stream())
                .anyMatch(device -> device.driver().equals(each.driver()));
        return pod.getSpec().getNodeName().equals(each.node()) && (asks || has);
    }

    /** The classes tell which drivers are possible. */
    private boolean mayGet(ResourceClaim claim, String driver) {
        return ClusterHoldings.classes(claim).stream()
                .flatMap(name -> Stream.ofNullable(cluster.classes().get(name)))
                .anyMatch(each -> each.selectors().stream().anyMatch(selector -> selector.contains(driver)));
    }
}
