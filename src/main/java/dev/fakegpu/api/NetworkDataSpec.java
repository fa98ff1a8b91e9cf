package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.Limits;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a driver of network devices writes about a device to the status of a claim (KEP-4817). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NetworkDataSpec(
        @JsonPropertyDescription("Name of the interface in the pod, for example net1. At most 256 bytes.")
        @Size(min = 1, max = Limits.INTERFACE_NAME) @Nullable String interfaceName,

        @JsonPropertyDescription(
                "Addresses that the interface always has, with the prefix length, for example 192.0.2.5/24. At most 16, including"
                        + " those of ipRanges.")
        @Size(max = Limits.IPS) List<String> ips,

        @JsonPropertyDescription(
                "Networks, for example 10.9.0.0/16; the interface gets an address from each. The address depends on the driver,"
                        + " the pool, the device and, if the device is shared, the share.")
        @Size(max = Limits.IPS) List<String> ipRanges,

        @JsonPropertyDescription(
                "Hardware address of the interface, at most 128 bytes. Default: a locally administered MAC address that is derived"
                        + " like the addresses of ipRanges.")
        @Size(min = 1, max = Limits.HARDWARE_ADDRESS) @Nullable String hardwareAddress,

        @JsonPropertyDescription(
                "Other data that the driver writes into data of the device's status, such as a CNI result. In its strings $(ip0),"
                        + " $(ip1) and so on stand for the addresses, $(interfaceName), $(hardwareAddress) and, if the device is"
                        + " shared, $(share) for its ID. At most 4096 bytes.")
        @PreserveUnknownFields
        @Nullable ObjectNode data) {

    public NetworkDataSpec {
        ips = Defaults.list(ips);
        ipRanges = Defaults.list(ipRanges);
    }
}
