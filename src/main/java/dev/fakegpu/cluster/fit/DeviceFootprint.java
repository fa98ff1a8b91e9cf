package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Device.NodeAllocatable;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources that the devices of a pod's claims, including those with admin access, take of its node (KEP-5517). Upstream: {@code
 * buildNodeAllocatableDRAInfo} in {@code plugins/dynamicresources/nodeallocatabledynamicresources.go}.
 *
 * @param uses by name of the claim; claims whose devices take nothing are omitted
 * @param problem why it cannot be determined; null if it can
 */
public record DeviceFootprint(
        List<NodeAllocatableUse> uses, @Nullable String problem) {

    public static final DeviceFootprint NOTHING = new DeviceFootprint(List.of(), null);

    static DeviceFootprint unknown(String problem) {
        return new DeviceFootprint(List.of(), problem);
    }

    public DeviceFootprint {
        uses = List.copyOf(uses);
    }

    /** A claim with devices. */
    record Allocated(ClaimRef claim, List<Result> results) {

        static Allocated of(ResourceClaim claim) {
            return new Allocated(
                    ClaimReader.ref(claim),
                    Allocations.results(claim).stream()
                            .map(result -> new Result(Allocations.device(result), consumed(Allocations.share(result))))
                            .toList());
        }

        static Allocated of(ClaimRef claim, Allocation allocation) {
            return new Allocated(
                    claim,
                    allocation.results().stream()
                            .map(result -> new Result(result.device(), consumed(result.share())))
                            .toList());
        }

        private static Map<String, Quantity> consumed(AllocatedDevice.@Nullable Share share) {
            return share == null ? Map.of() : share.consumedCapacity();
        }
    }

    /** @param consumed empty for whole devices */
    record Result(DeviceId device, Map<String, Quantity> consumed) {}

    /** @param devices the devices on the pod's node */
    static DeviceFootprint of(Pod pod, List<Allocated> claims, Function<DeviceId, Optional<Device>> devices) {
        var uses = new TreeMap<String, NodeAllocatableUse>();
        try {
            for (Allocated claim : claims) {
                use(pod, claim, devices).ifPresent(use -> uses.put(use.claim(), use));
            }
        } catch (UnknownUseException e) {
            return unknown(Objects.requireNonNull(e.getMessage()));
        }
        return uses.isEmpty() ? NOTHING : new DeviceFootprint(List.copyOf(uses.values()), null);
    }

    private static Optional<NodeAllocatableUse> use(
            Pod pod, Allocated claim, Function<DeviceId, Optional<Device>> devices) {
        List<Optional<Device>> found = claim.results().stream()
                .map(result -> devices.apply(result.device()))
                .toList();
        if (found.stream()
                .flatMap(Optional::stream)
                .allMatch(device -> device.nodeAllocatableResources().isEmpty())) {
            return Optional.empty();
        }
        var mapping = new TreeMap<String, Quantity>();
        var overhead = new TreeMap<String, NodeAllocatable.Overhead>();
        for (int i = 0; i < found.size(); i++) {
            Result result = claim.results().get(i);
            Device device = found.get(i).orElseThrow(() -> UnknownUseException.noDevice(claim.claim(), result));
            device.nodeAllocatableResources().forEach((resource, takes) -> {
                mapped(claim.claim(), result, resource, takes.mapping())
                        .ifPresent(amount -> mapping.merge(resource, amount, Quantity::plus));
                if (takes.overhead() != null) {
                    overhead.merge(resource, takes.overhead(), DeviceFootprint::sum);
                }
            });
        }
        return mapping.isEmpty() && overhead.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeAllocatableUse(
                        claim.claim().name(), references(pod, claim.claim().name()), mapping, overhead));
    }

    /** Empty if the allocation consumes none of the capacity. */
    private static Optional<Quantity> mapped(
            ClaimRef claim, Result result, String resource, NodeAllocatable.@Nullable Mapping mapping) {
        if (mapping == null) {
            return Optional.empty();
        }
        String capacity = mapping.capacityKey();
        if (capacity == null || capacity.isEmpty()) {
            return Optional.ofNullable(mapping.deviceMultiplier());
        }
        if (result.consumed().isEmpty()) {
            throw UnknownUseException.wholeDevice(claim, result, resource, capacity);
        }
        Quantity multiplier = mapping.capacityMultiplier();
        BigDecimal factor = multiplier == null ? BigDecimal.ONE : multiplier.value();
        return Optional.ofNullable(result.consumed().get(capacity))
                .map(consumed -> consumed.withValue(consumed.value().multiply(factor)));
    }

    private static NodeAllocatable.Overhead sum(NodeAllocatable.Overhead one, NodeAllocatable.Overhead other) {
        return new NodeAllocatable.Overhead(
                sum(one.perPod(), other.perPod()), sum(one.perContainer(), other.perContainer()));
    }

    private static @Nullable Quantity sum(@Nullable Quantity one, @Nullable Quantity other) {
        return one == null || other == null ? (one == null ? other : one) : one.plus(other);
    }

    /** The containers that refer to a claim, init containers first; a container occurs once for each reference. */
    private static List<String> references(Pod pod, String claim) {
        var names = new ArrayList<String>();
        Stream.of(pod.getSpec().getInitContainers(), pod.getSpec().getContainers())
                .flatMap(List::stream)
                .filter(container -> container.getResources() != null)
                .forEach(container -> references(pod, container, claim).forEach(names::add));
        return names;
    }

    private static Stream<String> references(Pod pod, Container container, String claim) {
        return container.getResources().getClaims().stream()
                .filter(reference -> PodClaims.claimName(pod, reference.getName())
                        .filter(claim::equals)
                        .isPresent())
                .map(reference -> container.getName());
    }

    /** Thrown if it cannot be determined what the devices of a claim take; the message says why. */
    private static final class UnknownUseException extends RuntimeException {

        private UnknownUseException(String message) {
            super(message);
        }

        static UnknownUseException noDevice(ClaimRef claim, Result result) {
            return new UnknownUseException(
                    "claim %s: there is no device %s on the node, so that it is not known what it takes of cpu or memory"
                            .formatted(claim.name(), result.device()));
        }

        static UnknownUseException wholeDevice(ClaimRef claim, Result result, String resource, String capacity) {
            return new UnknownUseException(
                    "claim %s: %s is allocated as a whole, so that it is not known what it takes of %s, which its slice counts by the capacity %s"
                            .formatted(claim.name(), result.device(), resource, capacity));
        }
    }
}
