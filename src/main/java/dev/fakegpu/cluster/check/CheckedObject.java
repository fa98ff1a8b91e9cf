package dev.fakegpu.cluster.check;

import dev.fakegpu.cluster.validation.FieldError;
import java.util.List;

/**
 * An object to check that is neither a ResourceSlice nor a DeviceClass.
 *
 * @param json its content as JSON text, in no particular format
 * @param unreadable fields that its kind does not have, or that have another type
 * @param errors why the API server refuses it
 */
public record CheckedObject(
        Source source, String kind, String json, List<FieldError> unreadable, List<FieldError> errors) {

    public CheckedObject {
        unreadable = List.copyOf(unreadable);
        errors = List.copyOf(errors);
    }

    /** Whether it names the driver. */
    boolean isAbout(String driver) {
        return json.contains(driver);
    }
}
