package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Device;

/** A device of a slice, by its index. */
record CheckedDevice(CheckedSlice slice, int index) {

    Device device() {
        return slice.slice().devices().get(index);
    }

    String name() {
        return device().name();
    }

    JsonNode json() {
        return slice.spec().path("devices").path(index);
    }

    /** The place of a field of the device; an empty path stands for the device itself. */
    Where at(String field) {
        String path = "spec.devices[" + index + "]" + (field.isEmpty() ? "" : "." + field);
        return slice.source().at(path, name());
    }
}
