package dev.fakegpu.inventory;

import dev.fakegpu.api.BindingSpec;
import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Device;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the operator does about the binding conditions of an allocated device.
 *
 * @param after time since the allocation
 * @param outcome which conditions become true
 */
public record SimulatedBinding(Duration after, BindingSpec.Outcome outcome) {

    /**
     * Empty if the FakeGpu leaves the conditions to others.
     *
     * @param spec which {@link InventoryPlanner#check} accepts
     */
    public static Optional<SimulatedBinding> of(FakeGpuSpec spec, String device) {
        return Stream.concat(ofCustomDevice(spec, device).stream(), Stream.ofNullable(spec.binding()))
                .findFirst()
                .flatMap(binding -> Optional.ofNullable(binding.simulate()))
                .map(simulation -> new SimulatedBinding(AfterReader.read(simulation.after()), simulation.outcome()));
    }

    /** What replaces {@code spec.binding}, as in {@link DeviceSettings}. */
    private static Optional<BindingSpec> ofCustomDevice(FakeGpuSpec spec, String device) {
        List<CustomSpec.Device> candidates = Stream.ofNullable(spec.custom())
                .flatMap(custom -> custom.devices().stream())
                .filter(SimulatedBinding::hasBinding)
                .toList();
        return RepeatedHardware.of(new CustomSpec(null, List.of(), candidates)).custom().devices().stream()
                .filter(custom -> device.equals(custom.name()))
                .map(CustomSpec.Device::binding)
                .flatMap(Stream::ofNullable)
                .findFirst();
    }

    private static boolean hasBinding(CustomSpec.Device device) {
        return device.binding() != null && !BindingReader.read(device.binding()).equals(Device.Binding.NONE);
    }
}
