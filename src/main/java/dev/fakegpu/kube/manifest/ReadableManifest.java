package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What can be read of an object that a user wrote.
 *
 * @param problems as in {@link ManifestFields#problems}
 * @param readable the object with its misspelled fields under the names that were probably meant, and without other fields and values
 *     that cannot be read
 * @param incomplete the paths of the objects that lack some of them
 * @param removed the paths of these fields and values
 */
public record ReadableManifest(List<String> problems, JsonNode readable, Set<String> incomplete, Set<String> removed) {

    public ReadableManifest {
        problems = List.copyOf(problems);
        incomplete = Set.copyOf(incomplete);
        removed = Set.copyOf(removed);
    }

    /** The same without a field of the object, which it lacks. */
    public ReadableManifest without(String field) {
        var more = new HashSet<>(incomplete);
        more.add(field);
        return new ReadableManifest(problems, readable, more, removed);
    }

    /** Whether a problem with a field may only follow from what could not be read. */
    public boolean mayExplain(String path) {
        return removed.stream().anyMatch(each -> isIn(path, each))
                || incomplete.contains(path)
                || (isAbsent(path) && isNear(parent(path)));
    }

    /** Whether the object is incomplete, or one of its fields, into which a field of the object may have slipped. */
    private boolean isNear(String object) {
        return incomplete.contains(object)
                || incomplete.stream().map(ReadableManifest::parent).anyMatch(object::equals);
    }

    private boolean isAbsent(String path) {
        JsonNode value = readable;
        for (String step : path.replace("]", "").split("[.\\[]")) {
            boolean isIndex = value.isArray() && step.matches("\\d{1,9}");
            value = isIndex ? value.path(Integer.parseInt(step)) : value.path(step);
        }
        return value.isMissingNode();
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['))));
    }

    static boolean isIn(String path, String outer) {
        return path.equals(outer) || path.startsWith(outer + ".") || path.startsWith(outer + "[");
    }
}
