package dev.fakegpu.kube.manifest;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * The fields that Kubernetes 1.37 has in the kinds that files can contain, and 1.34 does not have. Source: {@code
 * api/openapi-spec/swagger.json} of each version.
 */
final class FieldVersions {

    private static final int OLDEST = 34;

    /** The minor version of Kubernetes 1 that first has the field, its class, and its name. */
    private static final String TABLE = """
            35 NodeStatus declaredFeatures
            35 PodCertificateProjection userAnnotations
            35 PodStatus allocatedResources
            35 PodStatus resources
            36 DeviceAttribute bools
            36 DeviceAttribute ints
            36 DeviceAttribute strings
            36 DeviceAttribute versions
            36 PodSpec schedulingGroup
            36 PodStatus nodeAllocatableResourceClaimStatuses
            36 ResourceHealth message
            36 VolumeMountStatus volumeStatus
            37 ClusterTrustBundleProjection user
            37 ConfigMapVolumeSource defaultUser
            37 Device nodeAllocatableResources
            37 DeviceCounterConsumption compatibilityGroups
            37 DeviceRequestAllocationResult skipNodeOperations
            37 DeviceSubRequest derivedAttributes
            37 DownwardAPIVolumeFile user
            37 DownwardAPIVolumeSource defaultUser
            37 EmptyDirVolumeSource mode
            37 ExactDeviceRequest derivedAttributes
            37 GRPCAction mode
            37 HTTPGetAction protocol
            37 JobSpec scheduling
            37 KeyToPath user
            37 NodeAllocatableResourceClaimStatus mapping
            37 NodeAllocatableResourceClaimStatus overhead
            37 NodeSpec podPreemptionPolicy
            37 NodeSystemInfo runningInUserNamespace
            37 PersistentVolumeClaimStatus healthStatus
            37 PodCertificateProjection user
            37 PodSpec evictionResponders
            37 PodStatus volumeHealth
            37 ProjectedVolumeSource defaultUser
            37 ResourceSliceSpec partitionTypeAttribute
            37 ResourceSliceSpec skipNodeOperations
            37 SecretVolumeSource defaultUser
            37 ServiceAccountTokenProjection user
            37 VolumeMount bindMountOptions
            """;

    private static final Map<String, Integer> SINCE = TABLE.lines()
            .map(line -> line.split(" ", 2))
            .collect(Collectors.toUnmodifiableMap(cells -> cells[1], cells -> Integer.valueOf(cells[0])));

    private FieldVersions() {}

    /** Whether the field is in the table: the client's class may be older, and not have it. */
    static boolean isListed(Class<?> type, String field) {
        return SINCE.containsKey(key(type, field));
    }

    /** The first minor version of Kubernetes 1 that has a field; that of the oldest known version for older fields. */
    static int since(Class<?> type, String field) {
        return SINCE.getOrDefault(key(type, field), OLDEST);
    }

    private static String key(Class<?> type, String field) {
        return type.getSimpleName() + " " + field;
    }
}
