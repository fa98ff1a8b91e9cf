package dev.fakegpu.dra;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the status of a claim says of a network device (KEP-4817).
 *
 * @param interfaceName null if it is not known
 * @param ips with the length of the prefix
 * @param data an object with what else its driver writes; null for nothing
 */
public record NetworkData(
        @Nullable String interfaceName,
        List<String> ips,
        String hardwareAddress,
        @Nullable RawJson data) {

    /** Fields of {@code data} that the operator writes itself, or did in earlier versions. */
    public static final Set<String> RESERVED = Set.of(
            "fakegpu",
            "uuid",
            "model",
            "driverVersion",
            "compatibilityGroups",
            "preparedAs",
            "cdiDeviceIDs",
            "env",
            "preparedDevice",
            "networkData");

    public NetworkData {
        ips = List.copyOf(ips);
    }

    public NetworkData withData(RawJson newData) {
        return new NetworkData(interfaceName, ips, hardwareAddress, newData);
    }
}
