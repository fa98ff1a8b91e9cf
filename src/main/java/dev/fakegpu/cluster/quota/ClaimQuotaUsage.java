package dev.fakegpu.cluster.quota;

import dev.fakegpu.dra.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The quota usage of a claim ({@code claimEvaluator.Usage}). */
final class ClaimQuotaUsage {

    private static final String COUNT = "count/resourceclaims.resource.k8s.io";
    private static final String PER_CLASS = ".deviceclass.resource.k8s.io/devices";
    private static final String REQUESTS = "requests.";
    private static final String IMPLICIT = "requests.deviceclass.resource.kubernetes.io/";

    /** A request for all devices counts as this many ({@code AllocationResultsMaxSize}). */
    private static final long ALL = 32;

    private ClaimQuotaUsage() {}

    /** Whether a quota of this resource counts claims ({@code MatchingResources}). That of a class that does not exist does not. */
    static boolean isOfClaims(String resource, Map<String, Optional<String>> extendedResources) {
        return resource.equals(COUNT)
                || resource.endsWith(PER_CLASS)
                || (resource.startsWith(IMPLICIT)
                        && extendedResources.containsKey(resource.substring(IMPLICIT.length())))
                || (resource.startsWith(REQUESTS)
                        && extendedResources.containsValue(Optional.of(resource.substring(REQUESTS.length()))));
    }

    /**
     * @param extendedResources by DeviceClass
     * @param ofPod the usage of the pod for whose extended resources the claim is; empty for other claims
     */
    static Map<String, Quantity> of(
            ResourceClaim claim, Map<String, Optional<String>> extendedResources, Map<String, Quantity> ofPod) {
        Map<String, Quantity> usage = new TreeMap<>();
        usage.put(COUNT, Quantity.ONE);
        Map<String, Long> byClass = new TreeMap<>();
        for (var request : requests(claim)) {
            var exactly = request.getExactly();
            Map<String, Long> ofRequest = new HashMap<>();
            if (exactly != null) {
                ofRequest.put(exactly.getDeviceClassName(), count(exactly.getAllocationMode(), exactly.getCount()));
            }
            request.getFirstAvailable()
                    .forEach(each -> ofRequest.merge(
                            each.getDeviceClassName(), count(each.getAllocationMode(), each.getCount()), Math::max));
            ofRequest.forEach((name, count) -> byClass.merge(name, count, Long::sum));
        }
        byClass.forEach((name, count) -> {
            Quantity devices = Quantity.of(count);
            usage.put(name + PER_CLASS, devices);
            add(usage, IMPLICIT + name, devices, ofPod);
            extendedResources
                    .getOrDefault(name, Optional.empty())
                    .ifPresent(resource -> add(usage, REQUESTS + resource, devices, ofPod));
        });
        return usage;
    }

    /** Returns an empty list if a file omits them. */
    private static List<DeviceRequest> requests(ResourceClaim claim) {
        return claim.getSpec() == null || claim.getSpec().getDevices() == null
                ? List.of()
                : claim.getSpec().getDevices().getRequests();
    }

    /** Subtracts what the pod already counts for. */
    private static void add(
            Map<String, Quantity> usage, String resource, Quantity devices, Map<String, Quantity> ofPod) {
        Quantity left = devices.minus(ofPod.getOrDefault(resource, Quantity.ZERO));
        if (left.signum() > 0) {
            usage.put(resource, left);
        }
    }

    private static long count(@Nullable String mode, @Nullable Long count) {
        return "All".equals(mode) ? ALL : Objects.requireNonNullElse(count, 1L);
    }
}
