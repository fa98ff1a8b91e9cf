package dev.fakegpu.cluster.validation;

/**
 * Why the API server refuses a field, as {@code field.Error} of {@code k8s.io/apimachinery} prints it.
 *
 * @param path the path of the field, such as {@code spec.devices.requests[0].exactly.count}
 * @param what the type of error, the value if it is shown, and the detail: {@code Invalid value: -1: must be greater than zero}
 */
public record FieldError(String path, String what) {

    /** Path and error in one line. */
    public String sentence() {
        return path + ": " + what;
    }
}
