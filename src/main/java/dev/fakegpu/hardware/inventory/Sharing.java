package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.RequestPolicySpec;
import dev.fakegpu.api.SharingSpec;
import dev.fakegpu.api.SharingSpec.Mode;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceCapacity.Range;
import dev.fakegpu.dra.DeviceCapacity.RequestPolicy;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.inventory.field.CapacityReader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The devices that several requests can share, and their request policies, as the drivers of the hardware publish them.
 *
 * <ul>
 *   <li>NVIDIA's driver ({@code cmd/gpu-kubelet-plugin/consumable_shares.go}) shares whole GPUs and MIG devices. Only the memory and the
 *       shares have a policy. Therefore, a request consumes all engines that a device publishes, unless it specifies amounts.
 *   <li>dra-example-driver ({@code internal/profiles/gpu/gpu.go}) shares GPUs and their parts. All capacities have a policy. It has no
 *       modes; its behavior is that of {@link Mode#Memory}.
 * </ul>
 */
final class Sharing {

    static final String MEMORY = "memory";
    private static final String SHARES = "shares";
    private static final Quantity MEBIBYTE = Quantity.ofMebibytes(1);
    private static final Quantity GIBIBYTE = Quantity.ofMebibytes(1024);
    private static final Quantity NOTHING = Quantity.of(0);

    private final SharingSpec spec;

    Sharing(SharingSpec spec) {
        this.spec = spec;
    }

    /** vGPUs and VFIO devices are not shared. */
    static boolean covers(Device device) {
        return isConfigurable(device) || DeviceSettings.type(device).equals("mig");
    }

    /**
     * Whether the device is a whole GPU or an equal part. The policies of the spec apply to these. MIG devices have other amounts of
     * everything.
     */
    static boolean isConfigurable(Device device) {
        return isEqualPart(device) || DeviceSettings.type(device).equals("gpu");
    }

    /** Devices of models that NVIDIA's driver does not know have no type. */
    private static boolean isEqualPart(Device device) {
        return DeviceSettings.type(device).isEmpty();
    }

    Device share(Device device) {
        var capacities = new LinkedHashMap<String, DeviceCapacity>();
        device.capacity()
                .forEach((name, capacity) -> capacities.put(
                        name, new DeviceCapacity(capacity.value(), policy(device, name, capacity.value()))));
        if (spec.shares() != null) {
            Quantity shares = Quantity.of(spec.shares());
            capacities.put(SHARES, new DeviceCapacity(shares, range(Quantity.ONE, Quantity.ONE, shares, Quantity.ONE)));
        }
        return device.sharedBy(capacities);
    }

    private @Nullable RequestPolicy policy(Device device, String capacity, Quantity all) {
        RequestPolicySpec configured =
                capacity.equals(MEMORY) ? spec.memory() : spec.requestPolicies().get(capacity);
        if (configured != null && isConfigurable(device)) {
            return CapacityReader.read(configured);
        }
        if (isEqualPart(device)) {
            return steps(all, capacity.equals(MEMORY) ? GIBIBYTE : Quantity.ONE);
        }
        return capacity.equals(MEMORY) ? steps(all, MEBIBYTE) : null;
    }

    /**
     * The maximum, as a multiple of the step, which the API server requires. NVIDIA's driver rounds down. The API server would refuse some
     * slices of dra-example-driver, for example those of three parts.
     */
    private RequestPolicy steps(Quantity all, Quantity step) {
        if (all.compareTo(step) < 0) {
            return spec.mode() == Mode.Memory ? range(all, all, all, step) : range(NOTHING, NOTHING, all, step);
        }
        BigDecimal number = all.value().divide(step.value(), 0, RoundingMode.DOWN);
        Quantity max = all.withValue(step.value().multiply(number));
        return spec.mode() == Mode.Memory ? range(max, step, max, step) : range(NOTHING, NOTHING, max, step);
    }

    private static RequestPolicy range(Quantity byDefault, Quantity min, Quantity max, Quantity step) {
        boolean steps = max.minus(min).compareTo(step) >= 0;
        return new RequestPolicy(byDefault, List.of(), new Range(min, max, steps ? step : null));
    }
}
