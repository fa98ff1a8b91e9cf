package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Devices that claims hold and whose hardware no longer works.
 *
 * @param taints the taints of the unhealthy devices
 */
public record UnhealthyDevices(Map<DeviceId, DeviceTaint> taints) {

    public UnhealthyDevices {
        taints = Map.copyOf(taints);
    }

    public static UnhealthyDevices of(Collection<Slice> slices) {
        var taints = new HashMap<DeviceId, DeviceTaint>();
        for (Slice slice : slices) {
            for (Device device : slice.devices()) {
                device.unhealthyTaint()
                        .ifPresent(taint -> taints.put(slice.pool().device(device.name()), taint));
            }
        }
        return new UnhealthyDevices(taints);
    }

    /** Which devices of a claim do not work, and how its pods can get others; empty if all of them work. */
    public Optional<String> sentence(ResourceClaim claim) {
        List<String> sick = named(claim);
        return sick.isEmpty()
                ? Optional.empty()
                : Optional.of("%s of claim %s %s unhealthy; %s to get %s"
                        .formatted(
                                String.join(", ", sick),
                                claim.getMetadata().getName(),
                                sick.size() == 1 ? "is" : "are",
                                wayOut(claim),
                                sick.size() == 1 ? "another" : "others"));
    }

    /** A sentence that devices of a claim work again, if these are the devices that did not; empty if the claim has none of them. */
    public Optional<String> recovery(ResourceClaim claim) {
        List<String> recovered = named(claim);
        return recovered.isEmpty()
                ? Optional.empty()
                : Optional.of("%s of claim %s %s no longer unhealthy"
                        .formatted(
                                String.join(", ", recovered),
                                claim.getMetadata().getName(),
                                recovered.size() == 1 ? "is" : "are"));
    }

    private List<String> named(ResourceClaim claim) {
        return Allocations.devices(claim).stream()
                .distinct()
                .filter(taints::containsKey)
                .map(this::named)
                .toList();
    }

    private String named(DeviceId device) {
        return Optional.ofNullable(taints.get(device))
                .map(taint -> "%s (%s)".formatted(device.device(), taint.shortForm()))
                .orElse(device.device());
    }

    private static String wayOut(ResourceClaim claim) {
        List<String> pods = ClaimConsumers.pods(claim)
                .map(ResourceClaimConsumerReference::getName)
                .toList();
        return switch (pods.size()) {
            case 0 -> "release claim " + claim.getMetadata().getName();
            case 1 -> "delete pod " + pods.get(0);
            default -> pods.stream().collect(Collectors.joining(", ", "delete pods ", ""));
        };
    }
}
