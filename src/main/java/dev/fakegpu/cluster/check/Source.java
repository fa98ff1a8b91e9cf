package dev.fakegpu.cluster.check;

/**
 * An object in a file.
 *
 * @param file the file name as given by the user
 * @param object kind and name
 * @param lines the lines of its fields
 */
public record Source(String file, String object, FieldLines lines) {

    /** A source without line numbers. */
    public Source(String file, String object) {
        this(file, object, FieldLines.UNKNOWN);
    }

    Where at(String path) {
        return at(path, "");
    }

    Where at(String path, String device) {
        return new Where(file, object, path, device, lines.line(path));
    }
}
