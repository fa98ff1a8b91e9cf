package dev.fakegpu.cluster.check;

/**
 * The place of a finding.
 *
 * @param file as the user named it
 * @param object kind and name, such as {@code ResourceSlice node-1-gpu}
 * @param path of the field in the object, such as {@code spec.devices[3].attributes[uuid]}
 * @param device the device's name; empty if it is about no single device
 * @param line of the field in the file, from 1; 0 if it is not known
 */
public record Where(String file, String object, String path, String device, int line) {

    /** The file with the line, as compilers write it. */
    String position() {
        return line == 0 ? file : file + ":" + line;
    }

    @Override
    public String toString() {
        return position() + ": " + object + ": " + path + (device.isEmpty() ? "" : " (" + device + ")");
    }
}
