package dev.fakegpu.cluster.check;

/** In which lines of a file the fields of an object are. */
@FunctionalInterface
public interface FieldLines {

    /** For objects that are in no file. */
    FieldLines UNKNOWN = path -> 0;

    /**
     * The line of a field, or of the innermost field around it that exists.
     *
     * @param path such as {@code spec.devices[3].attributes[uuid]}; empty for the object
     * @return from 1; 0 if it is not known
     */
    int line(String path);
}
