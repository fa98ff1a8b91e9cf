package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.simulate.controller.DueEviction.Manager;
import dev.fakegpu.util.Timestamps;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Computes when pods on nodes must be evicted because of taints, and why. */
final class EvictionTimes {

    private static final long FOREVER = -1;

    /** The tolerations that the admission plugin {@code DefaultTolerationSeconds} adds to pods. */
    private static final List<Toleration> BY_DEFAULT = Stream.of("not-ready", "unreachable")
            .map(condition -> new TolerationBuilder()
                    .withKey("node.kubernetes.io/" + condition)
                    .withOperator("Exists")
                    .withEffect("NoExecute")
                    .withTolerationSeconds(300L)
                    .build())
            .toList();

    private final ControlledCluster cluster;
    private final EvictingTaints taints;

    EvictionTimes(ControlledCluster cluster, EvictingTaints taints) {
        this.cluster = cluster;
        this.taints = taints;
    }

    // --- devices

    /** The eviction because of the devices of the pod's claims ({@code podEvictionTime}); empty if the pod can stay. */
    Optional<DueEviction> ofDevices(Pod pod) {
        return pod.getSpec().getResourceClaims().stream()
                .flatMap(reference -> PodClaims.named(
                        pod, reference.getName(), cluster.stores().claims())
                        .stream())
                .filter(claim -> Allocations.isAllocated(claim) && PodClaims.isReservedFor(claim, pod))
                .flatMap(this::ofClaim)
                .min(Comparator.comparing(DueEviction::at));
    }

    private Stream<DueEviction> ofClaim(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .flatMap(result ->
                        taints.of(Allocations.device(result)).flatMap(taint -> ofTaint(claim, result, taint).stream()));
    }

    private static Optional<DueEviction> ofTaint(
            ResourceClaim claim, DeviceRequestAllocationResult result, DeviceTaint taint) {
        long seconds = toleratedSeconds(Allocations.tolerations(result), taint);
        if (seconds == FOREVER) {
            return Optional.empty();
        }
        Instant added = Objects.requireNonNullElse(taint.timeAdded(), Instant.EPOCH);
        String cause = "%s of claim %s has the taint %s%s, which the claim %s"
                .formatted(
                        result.getDevice(),
                        claim.getMetadata().getName(),
                        taint.text(),
                        taint.rule() == null ? "" : " of DeviceTaintRule " + taint.rule(),
                        tolerated(seconds));
        return Optional.of(
                new DueEviction(Timestamps.later(added, Duration.ofSeconds(seconds)), Manager.DEVICE_TAINT, cause));
    }

    /** The tolerated time: only tolerations with this effect count, and the shortest time applies ({@code claimEvictionTime}). */
    private static long toleratedSeconds(List<DeviceToleration> tolerations, DeviceTaint taint) {
        List<DeviceToleration> matching = tolerations.stream()
                .filter(toleration -> toleration.effect().equals(taint.effect()) && toleration.tolerates(taint))
                .toList();
        return matching.stream().anyMatch(toleration -> toleration.tolerationSeconds() == null)
                ? FOREVER
                : shortest(matching.stream().map(DeviceToleration::tolerationSeconds));
    }

    // --- nodes

    /**
     * The eviction because of the taints of the pod's node ({@code processPodOnNode}); empty if the pod can stay.
     *
     * @param since the time since which the pod has tolerated taints for a limited time
     */
    Optional<DueEviction> ofNode(Pod pod, Instant since) {
        List<Taint> ofNode = taints.ofNode(pod.getSpec().getNodeName());
        return ofNode.stream()
                .filter(taint -> toleratedSeconds(pod, taint) != FOREVER)
                .min(Comparator.comparing(taint -> toleratedSeconds(pod, taint)))
                .map(taint -> {
                    long seconds = toleratedSeconds(pod, taint);
                    String cause = "node %s has the taint %s, which the pod %s"
                            .formatted(
                                    pod.getSpec().getNodeName(),
                                    new DeviceTaint(
                                                    taint.getKey(),
                                                    Objects.requireNonNullElse(taint.getValue(), ""),
                                                    taint.getEffect())
                                            .text(),
                                    tolerated(seconds));
                    return new DueEviction(Timestamps.later(since, Duration.ofSeconds(seconds)), Manager.TAINT, cause);
                });
    }

    /** The tolerated time of the first toleration that matches ({@code GetMatchingTolerations}). */
    private static long toleratedSeconds(Pod pod, Taint taint) {
        return Stream.concat(pod.getSpec().getTolerations().stream(), byDefault(pod))
                .filter(toleration -> NodeFit.tolerates(toleration, taint))
                .findFirst()
                .map(toleration -> toleration.getTolerationSeconds() == null
                        ? FOREVER
                        : Math.max(0, toleration.getTolerationSeconds()))
                .orElse(0L);
    }

    /** The default tolerations, unless the pod tolerates the condition itself. */
    private static Stream<Toleration> byDefault(Pod pod) {
        return BY_DEFAULT.stream()
                .filter(each -> pod.getSpec().getTolerations().stream()
                        .noneMatch(own -> each.getKey().equals(Objects.requireNonNullElse(own.getKey(), each.getKey()))
                                && each.getEffect().equals(Objects.requireNonNullElse(own.getEffect(), "NoExecute"))));
    }

    private static long shortest(Stream<Long> seconds) {
        return seconds.map(each -> Math.max(0, each)).min(Long::compare).orElse(0L);
    }

    private static String tolerated(long seconds) {
        return seconds == 0
                ? "does not tolerate"
                : "tolerates for "
                        + Duration.ofSeconds(seconds).toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
