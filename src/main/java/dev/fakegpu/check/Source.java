package dev.fakegpu.check;

/**
 * An object in a file.
 *
 * @param file as the user named it
 * @param object kind and name
 */
public record Source(String file, String object) {

    Where at(String path) {
        return new Where(file, object, path, "");
    }
}
