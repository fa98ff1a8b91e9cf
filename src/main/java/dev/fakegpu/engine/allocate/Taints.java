package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.ExactRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Taints and tolerations of devices (KEP-5055). */
public final class Taints {
    private Taints() {}

    /** The first taint of the device that the request does not tolerate. */
    public static Optional<DeviceTaint> untolerated(
            Device device, ExactRequest request, List<DeviceToleration> additional) {
        return device.taints().stream()
                .filter(DeviceTaint::keepsFromScheduling)
                .filter(taint -> Stream.concat(request.tolerations().stream(), additional.stream())
                        .noneMatch(toleration -> toleration.tolerates(taint)))
                .findFirst();
    }
}
