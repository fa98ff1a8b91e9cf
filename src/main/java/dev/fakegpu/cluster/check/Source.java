package dev.fakegpu.cluster.check;

/**
 * An object in a file.
 *
 * @param file as the user named it
 * @param object kind and name
 * @param lines where its fields are
 */
public record Source(String file, String object, FieldLines lines) {

    /** Without lines. */
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
