package dev.fakegpu.operator.prepare;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.GroupState;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.engine.explain.finding.NameScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The last line of defense (KEP-5963, Driver Responsibilities): checks whether the devices of a claim can be set up in addition to
 * everything already prepared on the node. The API server does not check this, and an older or differently configured scheduler may not
 * either.
 */
public final class HardwareCheck {

    private final ModeledHardware hardware;
    private final Set<DeviceId> published;
    private final List<PreparedDevice> prepared;
    private final ClaimNaming naming;

    /**
     * @param published the devices in the current ResourceSlices
     * @param prepared the devices that are prepared for other claims
     * @param naming which of these claims may be named in a problem
     */
    public HardwareCheck(
            ModeledHardware hardware, Set<DeviceId> published, List<PreparedDevice> prepared, ClaimNaming naming) {
        this.hardware = hardware;
        this.published = published;
        this.prepared = List.copyOf(prepared);
        this.naming = naming;
    }

    /**
     * The result of a check.
     *
     * @param devices the devices of the claim with the groups that they are configured for; none if there is a problem
     * @param problemText why the claim cannot be prepared
     */
    public record Result(List<PreparedDevice> devices, Optional<ScopedText> problemText) {
        static Result failed(ScopedText problem) {
            return new Result(List.of(), Optional.of(problem));
        }

        /** Why the claim cannot be prepared, as users see it. */
        public Optional<String> problem() {
            return problemText.map(ScopedText::shown);
        }
    }

    /** @param consumed the capacity that the claim consumes of each device that it shares (KEP-5075) */
    public Result check(ClaimRef claim, List<DeviceId> devices, Map<DeviceId, Map<String, Quantity>> consumed) {
        NameScope reader = naming.forReaderIn(claim.namespace());
        var occupied = new ArrayList<>(prepared);
        var added = new ArrayList<PreparedDevice>();
        for (DeviceId id : devices) {
            var device = hardware.device(id);
            if (device.isEmpty() || !published.contains(id)) {
                return Result.failed(ScopedText.of(notPublished(id)));
            }
            var share = consumed.getOrDefault(id, Map.of());
            var problem = inUse(id, device.get(), share, occupied)
                    .or(() -> incompatibleGroups(id, device.get(), occupied))
                    .or(() -> exceedsCounters(id, device.get(), occupied));
            if (problem.isPresent()) {
                return Result.failed(ScopedText.of(reader, problem.get()));
            }
            var preparedDevice = new PreparedDevice(id, claim, device.get().compatibilityGroups(), share);
            occupied.add(preparedDevice);
            added.add(preparedDevice);
        }
        var divided = FabricCheck.problem(hardware, devices);
        if (divided.isPresent()) {
            return Result.failed(ScopedText.of(divided.get()));
        }
        return new Result(added, Optional.empty());
    }

    static String notPublished(DeviceId id) {
        return "device %s is not published in pool %s (any more)".formatted(id.device(), id.pool());
    }

    private static Optional<Function<NameScope, String>> inUse(
            DeviceId id, Device device, Map<String, Quantity> share, List<PreparedDevice> occupied) {
        var users = occupied.stream().filter(other -> other.id().equals(id)).toList();
        if (users.isEmpty() || device.allowMultipleAllocations()) {
            return exhausted(device, share, users).map(problem -> reader -> problem);
        }
        return Optional.of(reader -> "device %s is already prepared for %s"
                .formatted(id.device(), reader.of(users.get(0).claim())));
    }

    private static Optional<String> exhausted(Device device, Map<String, Quantity> share, List<PreparedDevice> users) {
        for (var needed : share.entrySet()) {
            var capacity = device.capacity().get(needed.getKey());
            var total = capacity == null ? Quantity.ZERO : capacity.value();
            var used = users.stream()
                    .map(user -> user.consumed().getOrDefault(needed.getKey(), Quantity.ZERO))
                    .reduce(Quantity.ZERO, Quantity::plus);
            if (used.plus(needed.getValue()).compareTo(total) > 0) {
                return Optional.of("a share of %s %s is needed of %s, of which %s are left of %s"
                        .formatted(needed.getValue(), needed.getKey(), device.name(), total.minus(used), total));
            }
        }
        return Optional.empty();
    }

    private static Optional<Function<NameScope, String>> incompatibleGroups(
            DeviceId id, Device device, List<PreparedDevice> occupied) {
        for (CounterConsumption consumption : device.consumesCounters()) {
            var neighbors = neighbors(id, consumption.counterSet(), occupied);
            GroupState state = GroupState.FREE;
            for (PreparedDevice neighbor : neighbors) {
                state = state.place(neighbor.configuredFor().on(consumption.counterSet()));
            }
            if (!state.admits(consumption.compatibilityGroups())) {
                return Optional.of(reader -> excluded(device, consumption, neighbors, reader));
            }
        }
        return Optional.empty();
    }

    private static List<PreparedDevice> neighbors(DeviceId id, String counterSet, List<PreparedDevice> occupied) {
        return occupied.stream()
                .filter(other -> other.id().poolId().equals(id.poolId()))
                .filter(other -> other.configuredFor().byCounterSet().containsKey(counterSet))
                .toList();
    }

    private static String excluded(
            Device device, CounterConsumption consumption, List<PreparedDevice> neighbors, NameScope reader) {
        var holders = neighbors.stream()
                .limit(3)
                .map(other -> "%s for %s (%s)"
                        .formatted(
                                mode(other.configuredFor().on(consumption.counterSet())),
                                reader.of(other.claim()),
                                other.id().device()))
                .collect(Collectors.joining(", "));
        var more = neighbors.size() > 3 ? " and " + (neighbors.size() - 3) + " more" : "";
        return "%s needs the hardware behind %s configured as %s, but it is configured as %s%s"
                .formatted(
                        device.name(),
                        consumption.counterSet(),
                        mode(consumption.compatibilityGroups()),
                        holders,
                        more);
    }

    private static String mode(List<String> groups) {
        return groups.isEmpty()
                ? "no group"
                : groups.stream().map(group -> '"' + group + '"').collect(Collectors.joining(" or "));
    }

    /** The first share of a device consumes its counters; further shares consume none. */
    private Optional<Function<NameScope, String>> exceedsCounters(
            DeviceId id, Device device, List<PreparedDevice> occupied) {
        if (occupied.stream().anyMatch(other -> other.id().equals(id))) {
            return Optional.empty();
        }
        for (CounterConsumption consumption : device.consumesCounters()) {
            var neighbors = neighbors(id, consumption.counterSet(), occupied);
            for (var needed : consumption.counters().entrySet()) {
                var used = used(neighbors, consumption.counterSet(), needed.getKey());
                var total = hardware.total(id.poolId(), consumption.counterSet(), needed.getKey());
                if (used.plus(needed.getValue()).compareTo(total) > 0) {
                    String problem = "%s needs %s %s of %s, of which %s are left of %s"
                            .formatted(
                                    device.name(),
                                    needed.getValue(),
                                    needed.getKey(),
                                    consumption.counterSet(),
                                    total.minus(used),
                                    total);
                    return Optional.of(reader -> problem);
                }
            }
        }
        return Optional.empty();
    }

    private Quantity used(List<PreparedDevice> neighbors, String counterSet, String counter) {
        return neighbors.stream()
                .map(PreparedDevice::id)
                .distinct()
                .flatMap(other -> hardware.device(other).stream())
                .flatMap(device -> device.consumesCounters().stream())
                .filter(consumption -> consumption.counterSet().equals(counterSet))
                .map(consumption -> consumption.counters().getOrDefault(counter, Quantity.ZERO))
                .reduce(Quantity.ZERO, Quantity::plus);
    }
}
