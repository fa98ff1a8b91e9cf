package dev.fakegpu.dra;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A constraint across the devices of a claim.
 *
 * @param requests the requests whose devices it applies to, by name or as {@code request/alternative}; empty means all requests
 * @param matchAttribute the fully qualified attribute that must have the same value on all devices
 * @param distinctAttribute the fully qualified attribute that must have a different value on each device
 */
public record DeviceConstraint(
        List<String> requests,
        @Nullable String matchAttribute,
        @Nullable String distinctAttribute) {

    public DeviceConstraint {
        requests = List.copyOf(requests);
    }

    /** Whether the constraint applies to the devices of a request, or of one of its alternatives. */
    public boolean appliesTo(DeviceRequest request, ExactRequest option) {
        return requests.isEmpty()
                || requests.contains(request.name())
                || requests.contains(request.name() + "/" + option.name());
    }
}
