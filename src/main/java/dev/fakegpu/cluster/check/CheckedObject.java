package dev.fakegpu.cluster.check;

import dev.fakegpu.cluster.validation.FieldError;
import java.util.List;

/**
 * An object to check of another kind than ResourceSlice and DeviceClass.
 *
 * @param json its content as text, without a certain format
 * @param unreadable fields that its kind does not have, or of another shape
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
