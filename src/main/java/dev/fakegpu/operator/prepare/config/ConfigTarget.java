package dev.fakegpu.operator.prepare.config;

import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.RequestName;
import java.util.Optional;
import java.util.Set;

/**
 * A device of a claim to which configuration may apply.
 *
 * @param request as in the allocation: the request's name, or {@code request/subrequest}
 * @param uuid the UUID that containers see
 * @param conventions the drivers whose configuration may apply; if empty, any may
 */
public record ConfigTarget(String request, Device device, String uuid, Set<Convention> conventions) {

    /** The type: {@code gpu}, {@code mig}, {@code vgpu} or {@code vfio}; custom devices may have none. */
    Optional<String> type() {
        return attribute("type");
    }

    Optional<String> attribute(String name) {
        return device.text(name);
    }

    String mainRequest() {
        return RequestName.main(request);
    }
}
