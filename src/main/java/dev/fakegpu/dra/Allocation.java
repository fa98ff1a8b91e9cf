package dev.fakegpu.dra;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The allocation of a claim ({@code AllocationResult}).
 *
 * @param results in the order of the claim's requests
 * @param configs the configuration of the device classes, then that of the claim, in upstream's order
 * @param nodeSelector the nodes that can access the devices; null means all
 */
public record Allocation(
        List<Result> results,
        List<Config> configs,
        @Nullable NodeSelector nodeSelector) {

    /**
     * One device that is allocated for one request.
     *
     * @param request the request's name, or {@code request/alternative}
     * @param share the part of the device that is allocated; null for the whole device
     * @param binding copied from the device; {@link Device.Binding#bindsToNode} has no meaning here
     * @param skipNodeOperations copied from the slice
     */
    public record Result(
            String request,
            DeviceId device,
            boolean adminAccess,
            List<DeviceToleration> tolerations,
            AllocatedDevice.@Nullable Share share,
            Device.Binding binding,
            List<String> skipNodeOperations) {
        public Result {
            tolerations = List.copyOf(tolerations);
            skipNodeOperations = List.copyOf(skipNodeOperations);
        }

        /** A whole device. */
        public Result(String request, DeviceId device, List<DeviceToleration> tolerations) {
            this(request, device, false, tolerations, null, Device.Binding.NONE, List.of());
        }
    }

    /** The source of the configuration ({@code FromClass} or {@code FromClaim}). */
    public enum Source {
        FromClass,
        FromClaim
    }

    public record Config(Source source, OpaqueConfig opaque) {}

    public Allocation {
        results = List.copyOf(results);
        configs = List.copyOf(configs);
    }

    /** The devices that a claim with this allocation holds; devices with admin access are not held. */
    public List<AllocatedDevice> heldBy(ClaimRef claim) {
        return results.stream()
                .filter(result -> !result.adminAccess())
                .map(result -> new AllocatedDevice(result.device(), claim, null, result.share()))
                .toList();
    }
}
