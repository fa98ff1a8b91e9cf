package dev.fakegpu.cluster.check;

/** Finds the line of a file in which a field of an object is. */
@FunctionalInterface
public interface FieldLines {

    /** For objects that are not from a file. */
    FieldLines UNKNOWN = path -> 0;

    /**
     * The line of a field, or of the innermost field around it that exists.
     *
     * @param path such as {@code spec.devices[3].attributes[uuid]}; empty for the object
     * @return the line, from 1; 0 if it is unknown
     */
    int line(String path);
}
