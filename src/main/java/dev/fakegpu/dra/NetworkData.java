package dev.fakegpu.dra;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the status of a claim says of a network device (KEP-4817).
 *
 * @param interfaceName null if it is not known
 * @param ips with the length of the prefix
 */
public record NetworkData(@Nullable String interfaceName, List<String> ips, String hardwareAddress) {

    public NetworkData {
        ips = List.copyOf(ips);
    }
}
