package dev.fakegpu.dra;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data of a network device in the status of a claim (KEP-4817).
 *
 * @param interfaceName null if it is not known
 * @param ips IP addresses, each with its prefix length
 * @param data an object with other data of the driver; null if there is none
 */
public record NetworkData(
        @Nullable String interfaceName,
        List<String> ips,
        String hardwareAddress,
        @Nullable RawJson data) {

    /** The fields of {@code data} that the operator writes itself, or wrote in earlier versions. */
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
