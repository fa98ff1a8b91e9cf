package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NetworkData;
import dev.fakegpu.hardware.inventory.field.NetworkDataReader;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the network interface that a device of custom hardware represents. */
public final class NetworkInterfaces {
    private NetworkInterfaces() {}

    /**
     * The network data of a device for the status of a claim; empty if it is not a network device.
     *
     * @param spec must have been accepted by {@link InventoryPlanner#check}
     * @param shareId null if the device is not shared
     */
    public static Optional<NetworkData> of(FakeGpuSpec spec, DeviceId device, @Nullable String shareId) {
        List<CustomSpec.Device> candidates = Stream.ofNullable(spec.custom())
                .flatMap(custom -> custom.devices().stream())
                .filter(custom -> custom.networkData() != null)
                .toList();
        return RepeatedHardware.of(new CustomSpec(null, List.of(), candidates)).custom().devices().stream()
                .filter(custom -> device.device().equals(custom.name()))
                .findFirst()
                .flatMap(custom -> Optional.ofNullable(custom.networkData()))
                .map(data -> NetworkDataReader.read(data, device, shareId));
    }
}
