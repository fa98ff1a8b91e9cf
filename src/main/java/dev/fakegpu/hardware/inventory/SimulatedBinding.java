package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.BindingSpec;
import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.inventory.field.AfterReader;
import dev.fakegpu.hardware.inventory.field.BindingReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the operator simulates the binding conditions of an allocated device.
 *
 * @param after the time since the allocation
 * @param outcome which conditions become true
 */
public record SimulatedBinding(Duration after, BindingSpec.Outcome outcome) {

    /**
     * The simulation for the device with this name; empty if the FakeGpu leaves the conditions to others.
     *
     * @param spec must have been accepted by {@link InventoryPlanner#check}
     */
    public static Function<String, Optional<SimulatedBinding>> of(FakeGpuSpec spec) {
        Optional<SimulatedBinding> ofAll = of(spec.binding());
        Map<String, Optional<SimulatedBinding>> ofOne = ofCustomDevices(spec);
        return device -> ofOne.getOrDefault(device, ofAll);
    }

    private static Optional<SimulatedBinding> of(@Nullable BindingSpec binding) {
        return Optional.ofNullable(binding)
                .flatMap(known -> Optional.ofNullable(known.simulate()))
                .map(simulation -> new SimulatedBinding(AfterReader.read(simulation.after()), simulation.outcome()));
    }

    /** The bindings of single devices in the spec, which replace {@code spec.binding} as in {@link DeviceSettings}. */
    private static Map<String, Optional<SimulatedBinding>> ofCustomDevices(FakeGpuSpec spec) {
        List<CustomSpec.Device> candidates = Stream.ofNullable(spec.custom())
                .flatMap(custom -> custom.devices().stream())
                .filter(SimulatedBinding::hasBinding)
                .toList();
        var byName = new HashMap<String, Optional<SimulatedBinding>>();
        RepeatedHardware.of(new CustomSpec(null, List.of(), candidates))
                .custom()
                .devices()
                .forEach(custom -> byName.putIfAbsent(String.valueOf(custom.name()), of(custom.binding())));
        return byName;
    }

    private static boolean hasBinding(CustomSpec.Device device) {
        return device.binding() != null && !BindingReader.read(device.binding()).equals(Device.Binding.NONE);
    }
}
