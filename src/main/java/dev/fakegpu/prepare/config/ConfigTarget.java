package dev.fakegpu.prepare.config;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import java.util.Optional;

/**
 * A device of a claim that configuration may be for.
 *
 * @param request as in the allocation: the request's name, or {@code request/alternative}
 * @param uuid as containers see it
 */
public record ConfigTarget(String request, Device device, String uuid) {

    /** {@code gpu}, {@code mig}, {@code vgpu} or {@code vfio}; hardware of one's own need not say it. */
    Optional<String> type() {
        return attribute("type");
    }

    Optional<String> attribute(String name) {
        return Optional.ofNullable(device.attributes().get(name)).map(AttributeValue::toString);
    }

    /** The request without the alternative that was chosen for it. */
    String mainRequest() {
        int slash = request.indexOf('/');
        return slash < 0 ? request : request.substring(0, slash);
    }
}
