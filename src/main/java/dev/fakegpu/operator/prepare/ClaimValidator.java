package dev.fakegpu.operator.prepare;

import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.operator.prepare.config.AllocatedConfigs;
import dev.fakegpu.operator.prepare.config.ConfigTarget;
import dev.fakegpu.operator.prepare.config.OpaqueConfigs;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Checks everything that a driver checks before it sets up the devices of a claim, on simulated nodes and in the kubelet plugin: first
 * whether the configuration is valid and applies to the devices, then whether the hardware can serve the claim in addition to those already
 * prepared.
 */
public final class ClaimValidator {

    private final NodeInventory inventory;
    private final ModeledHardware hardware;
    private final HardwareCheck hardwareCheck;
    private final Map<DeviceId, List<DeviceTaint>> evictingTaints;

    /**
     * @param prepared the devices that are prepared for other claims
     * @param naming which of these claims may be named in a problem
     */
    public ClaimValidator(NodeInventory inventory, List<PreparedDevice> prepared, ClaimNaming naming) {
        this.inventory = inventory;
        this.hardware = inventory.hardware();
        this.hardwareCheck = new HardwareCheck(hardware, inventory.published(), prepared, naming);
        this.evictingTaints = inventory.evictingTaints();
    }

    /**
     * The result of a check.
     *
     * @param devices the devices that the claim occupies; none for admin access, which does not reserve devices
     * @param setups what containers get, one per device or share of one; none if there is a problem
     * @param problemText why the claim cannot be prepared
     */
    public record Result(List<PreparedDevice> devices, List<DeviceSetup> setups, Optional<ScopedText> problemText) {
        static Result failed(ScopedText problem) {
            return new Result(List.of(), List.of(), Optional.of(problem));
        }

        /** How a device is set up for containers. */
        public DeviceSetup setup(ContainerDevice device) {
            return setups.stream()
                    .filter(setup -> setup.container().equals(device))
                    .findFirst()
                    .orElseThrow();
        }

        /** @param unique renames a device so that its names are unique on the node */
        public Result withNames(UnaryOperator<DeviceSetup> unique) {
            return new Result(devices, setups.stream().map(unique).toList(), problemText);
        }

        /** Why the claim cannot be prepared, as users see it. */
        public Optional<String> problem() {
            return problemText.map(ScopedText::shown);
        }
    }

    /** @param results the part of the claim's allocation that the driver has to prepare */
    public Result check(ResourceClaim claim, List<DeviceRequestAllocationResult> results) {
        Optional<String> ofAnotherNode = ClaimProblems.ofAnotherNode(claim, inventory.node());
        if (ofAnotherNode.isPresent()) {
            return Result.failed(ScopedText.of(ofAnotherNode.get()));
        }
        var setups = new LinkedHashMap<ContainerDevice, DeviceSetup>();
        for (String driver : drivers(results)) {
            var problem = configure(driver, claim, results, setups);
            if (problem.isPresent()) {
                return Result.failed(ScopedText.of(problem.get()));
            }
        }
        var foreign = results.stream()
                .map(Allocations::device)
                .flatMap(id -> inventory.foreign(id).stream())
                .findFirst();
        if (foreign.isPresent()) {
            return Result.failed(ScopedText.of(foreign.get()));
        }
        List<DeviceId> exclusive = results.stream()
                .filter(result -> !Allocations.hasAdminAccess(result))
                .map(Allocations::device)
                .distinct()
                .toList();
        var checked = hardwareCheck.check(ClaimReader.ref(claim), exclusive, Allocations.consumed(claim));
        return checked.problemText()
                .or(() -> missing(results).or(() -> tainted(results)).map(ScopedText::of))
                .map(Result::failed)
                .orElseGet(() -> new Result(checked.devices(), List.copyOf(setups.values()), Optional.empty()));
    }

    private static List<String> drivers(List<DeviceRequestAllocationResult> results) {
        return results.stream()
                .map(DeviceRequestAllocationResult::getDriver)
                .distinct()
                .toList();
    }

    private Optional<String> configure(
            String driver,
            ResourceClaim claim,
            List<DeviceRequestAllocationResult> results,
            Map<ContainerDevice, DeviceSetup> setups) {
        var known = results.stream()
                .filter(result -> result.getDriver().equals(driver)
                        && hardware.device(Allocations.device(result)).isPresent())
                .toList();
        var targets = known.stream().map(this::target).toList();
        var configured = OpaqueConfigs.apply(driver, configs(claim), targets);
        if (configured.problem().isPresent()) {
            return configured.problem();
        }
        for (int i = 0; i < known.size(); i++) {
            var setup = inventory.withNetwork(new DeviceSetup(
                    Allocations.device(known.get(i)),
                    known.get(i).getShareID(),
                    targets.get(i).device(),
                    configured.settings().get(i),
                    targets.get(i).conventions()));
            setups.putIfAbsent(setup.container(), setup);
        }
        return Optional.empty();
    }

    private static AllocatedConfigs configs(ResourceClaim claim) {
        return new AllocatedConfigs(
                Allocations.configs(claim),
                () -> ClaimReader.read(claim),
                Allocations.results(claim).stream()
                        .flatMap(result -> Stream.ofNullable(result.getRequest()))
                        .distinct()
                        .toList());
    }

    private ConfigTarget target(DeviceRequestAllocationResult result) {
        DeviceId id = Allocations.device(result);
        Device device = hardware.device(id).orElseThrow();
        return new ConfigTarget(
                result.getRequest(),
                device,
                new ContainerDevice(id, result.getShareID()).uuid(device),
                inventory.conventions(id.poolId(), device));
    }

    /** The devices must exist even for admin access, which reserves nothing. */
    private Optional<String> missing(List<DeviceRequestAllocationResult> results) {
        return results.stream()
                .map(Allocations::device)
                .filter(id -> hardware.device(id).isEmpty())
                .findFirst()
                .map(HardwareCheck::notPublished);
    }

    /** A pod that started to use such a device would be evicted immediately (KEP-5055). */
    private Optional<String> tainted(List<DeviceRequestAllocationResult> results) {
        for (DeviceRequestAllocationResult result : results) {
            DeviceId id = Allocations.device(result);
            var tolerations = Allocations.tolerations(result);
            var taint = evictingTaints.getOrDefault(id, List.of()).stream()
                    .filter(one -> tolerations.stream().noneMatch(toleration -> toleration.tolerates(one)))
                    .findFirst();
            if (taint.isPresent()) {
                return Optional.of("device %s has the taint %s, which request %s does not tolerate"
                        .formatted(id.device(), taint.get(), result.getRequest()));
            }
        }
        return Optional.empty();
    }

    /**
     * Replaces each device with the next one of the same pool and type that the claim does not have; keeps it if there is none.
     *
     * @param fault description of the injected fault
     */
    public Result withWrongDevices(Result result, String fault) {
        Set<DeviceId> used = new HashSet<>();
        result.setups().forEach(setup -> used.add(setup.allocated()));
        var wrong = new ArrayList<DeviceSetup>();
        for (DeviceSetup setup : result.setups()) {
            var other = next(setup, used);
            other.ifPresent(device -> used.add(setup.allocated().poolId().device(device.name())));
            wrong.add(other.map(device -> inventory.withNetwork(
                            setup.insteadOf(setup.allocated().poolId().device(device.name()), device, fault)))
                    .orElse(setup));
        }
        return new Result(result.devices(), wrong, result.problemText());
    }

    private Optional<Device> next(DeviceSetup setup, Set<DeviceId> used) {
        var pool = setup.allocated().poolId();
        var alike = hardware.devices(pool).stream()
                .filter(device -> device.text("type").equals(setup.device().text("type")))
                .toList();
        int own = alike.indexOf(setup.device());
        for (int step = 1; step < alike.size(); step++) {
            Device candidate = alike.get((own + step) % alike.size());
            if (!used.contains(pool.device(candidate.name()))) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
