package dev.fakegpu.check;

/**
 * The place of a finding.
 *
 * @param file as the user named it
 * @param object kind and name, such as {@code ResourceSlice node-1-gpu}
 * @param path of the field in the object, such as {@code spec.devices[3].attributes[uuid]}
 * @param device the device's name; empty if it is about no single device
 */
public record Where(String file, String object, String path, String device) {

    @Override
    public String toString() {
        return file + ": " + object + ": " + path + (device.isEmpty() ? "" : " (" + device + ")");
    }
}
