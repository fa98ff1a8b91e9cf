package dev.fakegpu.dra;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A constraint across the devices of a claim.
 *
 * @param requests the requests to whose devices it applies, by name or as {@code request/alternative}; empty means all
 * @param matchAttribute the fully qualified attribute in which they must agree
 * @param distinctAttribute the fully qualified attribute in which they must all differ
 */
public record DeviceConstraint(
        List<String> requests,
        @Nullable String matchAttribute,
        @Nullable String distinctAttribute) {

    public DeviceConstraint {
        requests = List.copyOf(requests);
    }

    /** Whether it applies to the devices of a request, or of one of its alternatives. */
    public boolean appliesTo(DeviceRequest request, ExactRequest option) {
        return requests.isEmpty()
                || requests.contains(request.name())
                || requests.contains(request.name() + "/" + option.name());
    }
}
