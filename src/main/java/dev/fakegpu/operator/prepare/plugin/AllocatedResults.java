package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.RequestName;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.operator.prepare.ClaimValidator;
import dev.fakegpu.operator.prepare.DeviceSetup;
import dev.fakegpu.operator.prepare.PreparedDevice;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The part of a claim's allocation that a driver has to prepare. */
record AllocatedResults(List<DeviceRequestAllocationResult> results) {

    static AllocatedResults of(ResourceClaim claim, String driver) {
        return new AllocatedResults(Allocations.results(claim).stream()
                .filter(result -> result.getDriver().equals(driver))
                .toList());
    }

    List<DeviceId> devices() {
        return results.stream().map(Allocations::device).distinct().toList();
    }

    /** Whether the claim was prepared for this allocation. */
    boolean isOf(PreparedClaim known) {
        return known.isFor(merged(Map.of()));
    }

    /** The results as they are set up, based on the check of the same allocation. */
    List<PreparedResult> prepared(ClaimValidator.Result checked) {
        var configured = checked.devices().stream().collect(Collectors.toMap(PreparedDevice::id, device -> device));
        return merged(configured).stream()
                .map(result -> checked.setups().stream()
                        .filter(setup -> isOf(setup, result))
                        .findFirst()
                        .map(result::with)
                        .orElse(result))
                .toList();
    }

    private static boolean isOf(DeviceSetup setup, PreparedResult result) {
        return setup.allocated().equals(result.id())
                && Objects.equals(setup.container().shareId(), result.shareId());
    }

    /** Merges the results of each device, or share of one, into one with all requests that it serves. */
    private List<PreparedResult> merged(Map<DeviceId, PreparedDevice> configured) {
        var merged = new LinkedHashMap<String, PreparedResult>();
        for (DeviceRequestAllocationResult result : results) {
            DeviceId id = Allocations.device(result);
            var device = configured.get(id);
            var share = Allocations.share(result);
            var one = new PreparedResult(
                    id,
                    List.of(RequestName.main(result.getRequest())),
                    result.getShareID(),
                    share == null ? Map.of() : share.consumedCapacity(),
                    Allocations.hasAdminAccess(result) || device == null ? null : device.configuredFor());
            merged.merge(id + "/" + result.getShareID(), one, AllocatedResults::merge);
        }
        return List.copyOf(merged.values());
    }

    private static PreparedResult merge(PreparedResult one, PreparedResult other) {
        var requests = new ArrayList<>(one.requests());
        requests.addAll(other.requests());
        return new PreparedResult(
                one.id(),
                requests.stream().distinct().toList(),
                one.shareId(),
                one.consumed(),
                one.configuredFor() != null ? one.configuredFor() : other.configuredFor());
    }
}
