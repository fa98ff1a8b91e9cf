package dev.fakegpu.operator.prepare;

import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the state of devices to {@code status.devices} of their claims. On simulated nodes, this is the only record of what is prepared,
 * so it survives a restart of the operator.
 */
public final class DeviceStatusWriter {

    private final ObjectClient client;
    private final Consumer<ResourceClaim> written;
    private final Clock clock;

    /** @param written receives each claim as the API server returns it */
    public DeviceStatusWriter(ObjectClient client, Consumer<ResourceClaim> written, Clock clock) {
        this.client = client;
        this.written = written;
        this.clock = clock;
    }

    /** @param declared the groups in the current slices, used if the allocator recorded none */
    public void prepared(
            ResourceClaim claim,
            ClaimValidator.Result result,
            Function<DeviceId, @Nullable CompatibilityGroups> declared) {
        Map<DeviceId, CompatibilityGroups> configured =
                result.devices().stream().collect(Collectors.toMap(PreparedDevice::id, PreparedDevice::configuredFor));
        write(
                claim,
                result.setups().stream()
                        .map(setup -> status(claim, setup, configured.get(setup.allocated()), declared))
                        .toList());
    }

    private AllocatedDeviceStatus status(
            ResourceClaim claim,
            DeviceSetup setup,
            @Nullable CompatibilityGroups configuredFor,
            Function<DeviceId, @Nullable CompatibilityGroups> declared) {
        DeviceId device = setup.allocated();
        ContainerDevice container = setup.container();
        var status = DeviceStatuses.of(
                device,
                snapshot(claim, device, declared),
                configuredFor,
                condition(claim, device, "True", DeviceStatuses.PREPARED, setup.description()));
        var withContainer = DeviceStatuses.withContainer(
                status,
                container.cdiId(claim.getMetadata().getUid()),
                setup.env(),
                setup.identity(),
                container.id().equals(device) ? null : container.id().device());
        return DeviceStatuses.ofShare(
                setup.network() == null ? withContainer : DeviceStatuses.withNetwork(withContainer, setup.network()),
                container.shareId());
    }

    public void failed(
            ResourceClaim claim,
            List<DeviceId> devices,
            String problem,
            Function<DeviceId, @Nullable CompatibilityGroups> declared) {
        var statuses = devices.stream()
                .map(device -> DeviceStatuses.of(
                        device,
                        snapshot(claim, device, declared),
                        null,
                        condition(claim, device, "False", DeviceStatuses.PREPARE_FAILED, problem)))
                .toList();
        write(claim, ofShares(claim, statuses));
    }

    /** Records a problem on devices that remain prepared: their condition stays True, and its message is the problem. */
    public void notUnprepared(ResourceClaim claim, List<DeviceId> devices, String problem) {
        write(
                claim,
                devices.stream()
                        .filter(device -> DeviceStatuses.isPrepared(claim, device))
                        .flatMap(device -> claim.getStatus().getDevices().stream()
                                .filter(known -> DeviceStatuses.device(known).equals(device))
                                .map(known -> new AllocatedDeviceStatusBuilder(known)
                                        .withConditions(condition(
                                                claim,
                                                device,
                                                "True",
                                                DeviceStatuses.PREPARED,
                                                DeviceStatuses.notUnprepared(problem)))
                                        .build()))
                        .toList());
    }

    public void unprepared(ResourceClaim claim) {
        var statuses = Allocations.results(claim).stream()
                .map(Allocations::device)
                .distinct()
                .filter(device -> DeviceStatuses.isPrepared(claim, device))
                .map(device -> DeviceStatuses.of(
                        device,
                        DeviceStatuses.snapshot(claim, device),
                        null,
                        condition(
                                claim,
                                device,
                                "False",
                                DeviceStatuses.UNPREPARED,
                                "no pod on the node uses the device")))
                .toList();
        write(claim, ofShares(claim, statuses));
    }

    private static @Nullable CompatibilityGroups snapshot(
            ResourceClaim claim, DeviceId device, Function<DeviceId, @Nullable CompatibilityGroups> declared) {
        var recorded = DeviceStatuses.snapshot(claim, device);
        return recorded != null ? recorded : declared.apply(device);
    }

    private List<Condition> condition(
            ResourceClaim claim, DeviceId device, String status, String reason, String message) {
        var condition = DeviceStatuses.readyCondition(claim, device)
                .map(ConditionBuilder::new) // with fields that only a newer API server knows
                .orElseGet(ConditionBuilder::new)
                .withType(DeviceStatuses.READY)
                .withStatus(status)
                .withReason(reason)
                .withMessage(SafeText.of(message, SafeText.CONDITION_MESSAGE))
                .withLastTransitionTime(lastTransition(claim, device, status))
                .build();
        return List.of(condition);
    }

    private String lastTransition(ResourceClaim claim, DeviceId device, String status) {
        return DeviceStatuses.readyCondition(claim, device)
                .filter(known -> status.equals(known.getStatus()))
                .map(Condition::getLastTransitionTime)
                .orElseGet(() -> clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** Keeps what other clients wrote to the statuses; writes nothing if nothing changes. */
    private void write(ResourceClaim claim, List<AllocatedDeviceStatus> statuses) {
        write(claim, statuses, DeviceStatuses::merged);
    }

    /** Replaces the stored statuses with these, which are based on them; writes nothing if nothing changes. */
    public void replace(ResourceClaim claim, List<AllocatedDeviceStatus> statuses) {
        write(claim, statuses, (known, status) -> status);
    }

    private void write(
            ResourceClaim claim,
            List<AllocatedDeviceStatus> statuses,
            BinaryOperator<AllocatedDeviceStatus> replacement) {
        var all = new ArrayList<>(
                Objects.requireNonNullElse(claim.getStatus().getDevices(), List.<AllocatedDeviceStatus>of()));
        boolean changed = false;
        for (AllocatedDeviceStatus status : statuses) {
            var known = all.stream().filter(other -> isOfSame(other, status)).findFirst();
            var merged = known.map(other -> replacement.apply(other, status)).orElse(status);
            if (known.isEmpty() || !DeviceStatuses.areAlike(known.get(), merged)) {
                all.removeIf(other -> isOfSame(other, status));
                all.add(merged);
                changed = true;
            }
        }
        if (changed) {
            written.accept(client.updateStatus(
                    claim,
                    new ResourceClaimBuilder(claim)
                            .editStatus()
                            .withDevices(all)
                            .endStatus()
                            .build()));
        }
    }

    private static boolean isOfSame(AllocatedDeviceStatus one, AllocatedDeviceStatus other) {
        return DeviceStatuses.device(one).equals(DeviceStatuses.device(other))
                && Objects.equals(one.getShareID(), other.getShareID());
    }

    /** Returns one status for each share of a shared device that the claim holds. */
    private static List<AllocatedDeviceStatus> ofShares(ResourceClaim claim, List<AllocatedDeviceStatus> statuses) {
        return statuses.stream()
                .flatMap(status -> Allocations.results(claim).stream()
                        .filter(result -> Allocations.device(result).equals(DeviceStatuses.device(status)))
                        .map(result -> DeviceStatuses.ofShare(status, result.getShareID())))
                .distinct()
                .toList();
    }
}
