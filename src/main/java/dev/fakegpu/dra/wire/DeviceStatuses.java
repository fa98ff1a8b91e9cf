package dev.fakegpu.dra.wire;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NetworkData;
import dev.fakegpu.dra.RawJson;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.NetworkDeviceData;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operator's entries in {@code status.devices} of ResourceClaims. Their {@code data} can be decoded as a map of device attributes, as
 * dra-example-driver writes it ({@code BuildDeviceStatus} in {@code internal/profiles/gpu/gpu.go}, commit 31914cea): while the device is
 * prepared, it has {@code uuid}, {@code model} and {@code driverVersion}. The operator's other fields are in {@code fakegpu}, which such a
 * decoder takes for an attribute without a value:
 * <ul>
 *   <li>{@code compatibilityGroups}: KEP-5963's snapshot, the groups by counter set that the device declared when it was
 *       allocated (Kubernetes 1.37 has no field for it);
 *   <li>{@code preparedAs}: the groups by counter set that the hardware was configured for when the device was prepared;
 *   <li>{@code cdiDeviceIDs} and {@code env}: what containers get while the device is prepared;
 *   <li>{@code preparedDevice}: the device that containers get, if an injected fault substituted another one;
 *   <li>{@code networkData}: {@code true} if the operator also wrote {@code networkData} beside {@code data};
 *   <li>{@code statusData}: the names of other fields of {@code data} that the operator wrote because a FakeGpu asks for them.
 * </ul>
 *
 * <p>Versions before 0.1.0 wrote these fields directly into {@code data}, not into {@code fakegpu}; they are still read.
 */
public final class DeviceStatuses {

    /** The condition that KEP-4817 proposes for a device that is configured as its claim requests. */
    public static final String READY = "Ready";

    /** The reasons of the condition. */
    public static final String PREPARED = "Prepared";

    public static final String PREPARE_FAILED = "PrepareFailed";
    public static final String UNPREPARED = "Unprepared";

    private static final String CANNOT_BE_UNPREPARED = "cannot be unprepared: ";

    private static final String SNAPSHOT = "compatibilityGroups";
    private static final String PREPARED_AS = "preparedAs";
    private static final String CDI_DEVICE_IDS = "cdiDeviceIDs";
    private static final String ENV = "env";
    private static final String PREPARED_DEVICE = "preparedDevice";
    private static final String NETWORK_DATA = "networkData";
    private static final String STATUS_DATA = "statusData";
    private static final Set<String> RECORDS =
            Set.of(SNAPSHOT, PREPARED_AS, CDI_DEVICE_IDS, ENV, PREPARED_DEVICE, NETWORK_DATA);

    private static final String OURS = "fakegpu";

    /** The names of fields of {@code data}. */
    public static final String UUID = "uuid";

    public static final String MODEL = "model";
    public static final String DRIVER_VERSION = "driverVersion";

    private DeviceStatuses() {}

    /** The devices that the claim holds, with their snapshots if there are any. */
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

    /** Whether the device is currently prepared. */
    public static boolean isPrepared(ResourceClaim claim, DeviceId device) {
        return readyCondition(claim, device)
                .filter(condition -> "True".equals(condition.getStatus()) && PREPARED.equals(condition.getReason()))
                .isPresent();
    }

    /** The message of the condition for a device that is still prepared because of a problem. */
    public static String notUnprepared(String problem) {
        return CANNOT_BE_UNPREPARED + problem;
    }

    /** Why the device could not be unprepared; empty if that was not tried, or if it succeeded. */
    public static Optional<String> unprepareProblem(ResourceClaim claim, DeviceId device) {
        return readyCondition(claim, device)
                .map(Condition::getMessage)
                .filter(message -> message.startsWith(CANNOT_BE_UNPREPARED))
                .map(message -> message.substring(CANNOT_BE_UNPREPARED.length()));
    }

    public static Optional<Condition> readyCondition(ResourceClaim claim, DeviceId device) {
        return find(claim, device)
                // If no conditions were written, the API server returns an explicit null.
                .map(AllocatedDeviceStatus::getConditions)
                .flatMap(conditions -> conditions.stream()
                        .filter(condition -> READY.equals(condition.getType()))
                        .findFirst());
    }

    /** A status that has only the groups that were declared at allocation. */
    public static AllocatedDeviceStatus ofSnapshot(DeviceId device, CompatibilityGroups snapshot) {
        return of(device, snapshot, null, List.of());
    }

    /** A complete status. */
    public static AllocatedDeviceStatus of(
            DeviceId device,
            @Nullable CompatibilityGroups snapshot,
            @Nullable CompatibilityGroups preparedAs,
            List<Condition> conditions) {
        var records = new LinkedHashMap<String, Object>();
        if (snapshot != null) {
            records.put(SNAPSHOT, snapshot.byCounterSet());
        }
        if (preparedAs != null) {
            records.put(PREPARED_AS, preparedAs.byCounterSet());
        }
        return new AllocatedDeviceStatusBuilder()
                .withDriver(device.driver())
                .withPool(device.pool())
                .withDevice(device.device())
                .withConditions(conditions)
                .withData(records.isEmpty() ? Map.of() : Map.of(OURS, records))
                .build();
    }

    /**
     * The status with what containers get.
     *
     * @param attributes the known ones of the device's {@link #UUID}, {@link #MODEL} and {@link #DRIVER_VERSION}
     * @param preparedDevice the name of the device that containers get, if it differs from the device of the status
     */
    public static AllocatedDeviceStatus withContainer(
            AllocatedDeviceStatus status,
            String cdiDeviceId,
            Map<String, String> env,
            Map<String, AttributeValue> attributes,
            @Nullable String preparedDevice) {
        var records = records(status);
        records.put(CDI_DEVICE_IDS, List.of(cdiDeviceId));
        records.put(ENV, env);
        if (preparedDevice != null) {
            records.put(PREPARED_DEVICE, preparedDevice);
        }
        var data = theirs(status);
        attributes.forEach((name, value) -> data.put(
                name, Map.of(value instanceof AttributeValue.VersionValue ? "version" : "string", value.toString())));
        data.put(OURS, records);
        return new AllocatedDeviceStatusBuilder(status).withData(data).build();
    }

    /** The status of a network interface, whose driver assigns addresses. */
    public static AllocatedDeviceStatus withNetwork(AllocatedDeviceStatus status, NetworkData network) {
        var records = records(status);
        records.put(NETWORK_DATA, true);
        var data = data(status);
        if (network.data() != null) {
            Map<String, RawJson> fields = network.data().fields();
            records.put(STATUS_DATA, List.copyOf(fields.keySet()));
            data.putAll(fields);
        }
        data.put(OURS, records);
        return new AllocatedDeviceStatusBuilder(status)
                .withData(data)
                .withNetworkData(
                        new NetworkDeviceData(network.hardwareAddress(), network.interfaceName(), network.ips()))
                .build();
    }

    /** The CDI devices that were returned to the kubelet; empty unless the device is prepared. */
    public static Optional<String> cdiDeviceId(AllocatedDeviceStatus status) {
        return records(status).get(CDI_DEVICE_IDS) instanceof List<?> ids && !ids.isEmpty()
                ? Optional.of(String.valueOf(ids.get(0)))
                : Optional.empty();
    }

    /** The device that the status describes. */
    public static DeviceId device(AllocatedDeviceStatus status) {
        return new DeviceId(status.getDriver(), status.getPool(), status.getDevice());
    }

    /** The device that containers get. */
    public static DeviceId preparedDevice(AllocatedDeviceStatus status) {
        String device = records(status).get(PREPARED_DEVICE) instanceof String other ? other : status.getDevice();
        return new DeviceId(status.getDriver(), status.getPool(), device);
    }

    /** By device name, the message of the condition for each prepared device that was replaced by another one. */
    public static Map<String, String> otherDevices(ResourceClaim claim) {
        var others = new LinkedHashMap<String, String>();
        if (claim.getStatus() == null || claim.getStatus().getDevices() == null) {
            return others;
        }
        claim.getStatus().getDevices().stream()
                .filter(status -> !preparedDevice(status).device().equals(status.getDevice()))
                .forEach(status -> Stream.ofNullable(status.getConditions())
                        .flatMap(List::stream)
                        .filter(condition -> READY.equals(condition.getType()))
                        .forEach(condition -> others.put(status.getDevice(), condition.getMessage())));
        return others;
    }

    /**
     * The status that replaces {@code known}: the operator's part is from {@code status}, and everything that others wrote, such as binding
     * conditions and network data, is kept.
     */
    public static AllocatedDeviceStatus merged(AllocatedDeviceStatus known, AllocatedDeviceStatus status) {
        var data = theirs(known);
        if (records(known).get(STATUS_DATA) instanceof List<?> names) {
            data.keySet().removeAll(names);
        }
        data.putAll(data(status));
        var conditions = new ArrayList<Condition>(status.getConditions());
        Stream.ofNullable(known.getConditions())
                .flatMap(List::stream)
                .filter(condition -> !READY.equals(condition.getType()))
                .forEach(conditions::add);
        return new AllocatedDeviceStatusBuilder(status)
                .withAdditionalProperties(known.getAdditionalProperties())
                .withNetworkData(
                        status.getNetworkData() != null || records(known).containsKey(NETWORK_DATA)
                                ? status.getNetworkData()
                                : known.getNetworkData())
                .withConditions(conditions)
                .withData(data)
                .build();
    }

    /** The status of an allocated device or share: the stored one, or a new one without content. */
    public static AllocatedDeviceStatus known(ResourceClaim claim, DeviceRequestAllocationResult result) {
        DeviceId device = Allocations.device(result);
        return all(claim)
                .filter(status -> isOf(status, device) && Objects.equals(status.getShareID(), result.getShareID()))
                .findFirst()
                .orElseGet(() -> ofShare(of(device, null, null, List.of()), result.getShareID()));
    }

    /** Whether a condition of the type is true. */
    public static boolean isTrue(AllocatedDeviceStatus status, String type) {
        return Stream.ofNullable(status.getConditions())
                .flatMap(List::stream)
                .anyMatch(condition -> type.equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    /** The status with this condition in place of the one of the same type. */
    public static AllocatedDeviceStatus withCondition(AllocatedDeviceStatus status, Condition condition) {
        var conditions = new ArrayList<Condition>();
        Stream.ofNullable(status.getConditions())
                .flatMap(List::stream)
                .filter(other -> !condition.getType().equals(other.getType()))
                .forEach(conditions::add);
        conditions.add(condition);
        return new AllocatedDeviceStatusBuilder(status)
                .withConditions(conditions)
                .build();
    }

    /** Whether two statuses would be stored alike. */
    public static boolean areAlike(AllocatedDeviceStatus one, AllocatedDeviceStatus other) {
        return normal(one).equals(normal(other));
    }

    private static AllocatedDeviceStatus normal(AllocatedDeviceStatus status) {
        var conditions = Objects.requireNonNullElse(status.getConditions(), List.<Condition>of());
        return new AllocatedDeviceStatusBuilder(status)
                .withConditions(conditions.stream()
                        .sorted(Comparator.comparing(Condition::getType))
                        .toList())
                .withData(data(status))
                .build();
    }

    /** The fields of {@code data} by name. Those of the operator are values; the others are unchanged. */
    private static Map<String, Object> data(AllocatedDeviceStatus status) {
        var data = new LinkedHashMap<String, Object>();
        if (status.getData() != null) {
            RawJson.of(status.getData())
                    .fields()
                    .forEach((name, json) -> data.put(name, isOurs(name) ? json.value() : json));
        }
        return data;
    }

    private static boolean isOurs(String name) {
        return NetworkData.RESERVED.contains(name);
    }

    private static Map<String, Object> theirs(AllocatedDeviceStatus status) {
        var data = data(status);
        data.keySet().removeIf(DeviceStatuses::isOurs);
        return data;
    }

    /** The content of {@link #OURS}, and the fields that earlier versions wrote beside it. */
    private static Map<String, Object> records(AllocatedDeviceStatus status) {
        var data = data(status);
        var records = new LinkedHashMap<>(data);
        records.keySet().retainAll(RECORDS);
        if (data.get(OURS) instanceof Map<?, ?> ours) {
            ours.forEach((name, value) -> records.put(String.valueOf(name), value));
        }
        return records;
    }

    /** The status of one share of the device. Without the share's ID, the API server would not match it with the allocated share. */
    public static AllocatedDeviceStatus ofShare(AllocatedDeviceStatus status, @Nullable String shareId) {
        return new AllocatedDeviceStatusBuilder(status).withShareID(shareId).build();
    }

    /** The first status of the device. If the claim has several shares of the device, their statuses are the same. */
    public static Optional<AllocatedDeviceStatus> find(ResourceClaim claim, DeviceId device) {
        return all(claim).filter(status -> isOf(status, device)).findFirst();
    }

    private static Stream<AllocatedDeviceStatus> all(ResourceClaim claim) {
        return claim.getStatus() == null || claim.getStatus().getDevices() == null
                ? Stream.empty()
                : claim.getStatus().getDevices().stream();
    }

    private static boolean isOf(AllocatedDeviceStatus status, DeviceId device) {
        return device.equals(device(status));
    }

    /** The recorded groups; null if there are none or they are not readable, since any client can write {@code data}. */
    private static @Nullable CompatibilityGroups groups(AllocatedDeviceStatus status, String key) {
        if (!(records(status).get(key) instanceof Map<?, ?> recorded)) {
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
