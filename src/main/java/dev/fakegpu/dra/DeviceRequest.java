package dev.fakegpu.dra;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One request of a claim: either for exact devices, or for the first of several alternatives that can be satisfied (KEP-4816).
 *
 * @param name a DNS label, unique in the claim
 * @param exactly null for a request with alternatives or of an unknown kind
 * @param firstAvailable the alternatives in order of preference, up to 8
 */
public record DeviceRequest(String name, @Nullable ExactRequest exactly, List<ExactRequest> firstAvailable) {

    public DeviceRequest {
        firstAvailable = List.copyOf(firstAvailable);
    }

    /** The alternatives of the request, or else the request itself; empty if it is of an unknown kind. */
    public Stream<ExactRequest> options() {
        return Stream.concat(Stream.ofNullable(exactly), firstAvailable.stream());
    }

    /** A request for a number of devices of a class. */
    public static DeviceRequest exactly(
            String name,
            String deviceClassName,
            List<String> selectors,
            long count,
            List<DeviceToleration> tolerations) {
        return new DeviceRequest(
                name, ExactRequest.of(name, deviceClassName, selectors, count, tolerations), List.of());
    }
}
