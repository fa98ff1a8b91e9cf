package dev.fakegpu.cluster.check;

/**
 * The place of a finding.
 *
 * @param file the file name as given by the user
 * @param object kind and name, such as {@code ResourceSlice node-1-gpu}
 * @param path the path of the field in the object, such as {@code spec.devices[3].attributes[uuid]}
 * @param device the name of the device; empty if the finding is not about a single device
 * @param line the line of the field in the file, from 1; 0 if it is unknown
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
