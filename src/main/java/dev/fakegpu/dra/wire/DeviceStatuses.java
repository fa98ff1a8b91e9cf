package dev.fakegpu.dra.wire;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import io.fabric8.kubernetes.api.model.AnyType;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Our part of {@code status.devices} of ResourceClaims. Its {@code data} holds
 * <ul>
 *   <li>{@code compatibilityGroups}: KEP-5963's snapshot, the groups by counter set that the device declared when it was
 *       allocated (Kubernetes 1.37 has no field of its own for it);
 *   <li>{@code preparedAs}: the groups by counter set that the hardware was configured for when the device was prepared.
 * </ul>
 */
public final class DeviceStatuses {

    /** Condition that KEP-4817 proposes for a device that is configured as its claim wants. */
    public static final String READY = "Ready";

    /** Reasons of the condition. */
    public static final String PREPARED = "Prepared";

    public static final String PREPARE_FAILED = "PrepareFailed";
    public static final String UNPREPARED = "Unprepared";

    private static final String SNAPSHOT = "compatibilityGroups";
    private static final String PREPARED_AS = "preparedAs";

    private DeviceStatuses() {}

    /** The devices that the claim holds, each with its snapshot where there is one. */
    public static List<AllocatedDevice> allocated(ResourceClaim claim) {
        var holder = ClaimReader.ref(claim);
        return Allocations.held(claim)
                .map(result -> {
                    DeviceId device = Allocations.device(result);
                    return new AllocatedDevice(device, holder, snapshot(claim, device), Allocations.share(result));
                })
                .toList();
    }

    public static @Nullable CompatibilityGroups snapshot(ResourceClaim claim, DeviceId device) {
        return find(claim, device).map(status -> groups(status, SNAPSHOT)).orElse(null);
    }

    public static @Nullable CompatibilityGroups preparedAs(ResourceClaim claim, DeviceId device) {
        return find(claim, device).map(status -> groups(status, PREPARED_AS)).orElse(null);
    }

    /** Whether the device is prepared at the moment. */
    public static boolean isPrepared(ResourceClaim claim, DeviceId device) {
        return readyCondition(claim, device)
                .filter(condition -> "True".equals(condition.getStatus()) && PREPARED.equals(condition.getReason()))
                .isPresent();
    }

    public static Optional<Condition> readyCondition(ResourceClaim claim, DeviceId device) {
        return find(claim, device)
                // The API server answers with an explicit null where no conditions were written.
                .map(AllocatedDeviceStatus::getConditions)
                .flatMap(conditions -> conditions.stream()
                        .filter(condition -> READY.equals(condition.getType()))
                        .findFirst());
    }

    /** A status that records only what was declared at allocation. */
    public static AllocatedDeviceStatus ofSnapshot(DeviceId device, CompatibilityGroups snapshot) {
        return of(device, snapshot, null, List.of());
    }

    /** A complete status. */
    public static AllocatedDeviceStatus of(
            DeviceId device,
            @Nullable CompatibilityGroups snapshot,
            @Nullable CompatibilityGroups preparedAs,
            List<Condition> conditions) {
        var data = new LinkedHashMap<String, Object>();
        if (snapshot != null) {
            data.put(SNAPSHOT, snapshot.byCounterSet());
        }
        if (preparedAs != null) {
            data.put(PREPARED_AS, preparedAs.byCounterSet());
        }
        return new AllocatedDeviceStatusBuilder()
                .withDriver(device.driver())
                .withPool(device.pool())
                .withDevice(device.device())
                .withConditions(conditions)
                .withData(data)
                .build();
    }

    /** The status of a part of the device. The API server takes it for the status of another device without the share's ID. */
    public static AllocatedDeviceStatus ofShare(AllocatedDeviceStatus status, @Nullable String shareId) {
        return new AllocatedDeviceStatusBuilder(status).withShareID(shareId).build();
    }

    /** The first status of the device; if the claim has several shares of it, all record the same. */
    public static Optional<AllocatedDeviceStatus> find(ResourceClaim claim, DeviceId device) {
        if (claim.getStatus() == null || claim.getStatus().getDevices() == null) {
            return Optional.empty();
        }
        return claim.getStatus().getDevices().stream()
                .filter(status -> device.equals(new DeviceId(status.getDriver(), status.getPool(), status.getDevice())))
                .findFirst();
    }

    /** Null where nothing readable is recorded: people can write what they like into {@code data}. */
    private static @Nullable CompatibilityGroups groups(AllocatedDeviceStatus status, String key) {
        // What the client read is wrapped; what we built ourselves is not.
        Object content = status.getData() instanceof AnyType any ? any.getValue() : status.getData();
        if (!(content instanceof Map<?, ?> data) || !(data.get(key) instanceof Map<?, ?> recorded)) {
            return null;
        }
        var groups = new LinkedHashMap<String, List<String>>();
        recorded.forEach((counterSet, names) -> {
            if (names instanceof List<?> list) {
                groups.put(
                        String.valueOf(counterSet),
                        list.stream().map(String::valueOf).toList());
            }
        });
        return new CompatibilityGroups(groups);
    }
}
