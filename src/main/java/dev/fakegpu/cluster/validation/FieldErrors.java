package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Collects errors in the words of {@code k8s.io/apimachinery/pkg/util/validation/field}. */
final class FieldErrors {

    private final ApiServer server;
    private final List<FieldError> found = new ArrayList<>();

    FieldErrors(ApiServer server) {
        this.server = server;
    }

    /** Whether the API server has a rule that others do not have. */
    boolean follows(VersionedRule rule) {
        return rule.isIn(server);
    }

    /** For a part whose errors decide what else is checked. */
    FieldErrors ofPart() {
        return new FieldErrors(server);
    }

    List<FieldError> all() {
        return List.copyOf(found);
    }

    void addAll(FieldErrors others) {
        found.addAll(others.found);
    }

    void required(String path, String detail) {
        add(path, "Required value", detail);
    }

    void forbidden(String path, String detail) {
        add(path, "Forbidden", detail);
    }

    void invalid(String path, String value, String detail) {
        add(path, "Invalid value: " + quoted(value), detail);
    }

    void invalid(String path, long value, String detail) {
        add(path, "Invalid value: " + value, detail);
    }

    /** @param value as JSON, which is quoted if it is a string */
    void invalid(String path, JsonNode value, String detail) {
        add(path, "Invalid value: " + value, detail);
    }

    /** Adds one error for each detail. */
    void invalid(String path, String value, Collection<String> details) {
        details.forEach(detail -> invalid(path, value, detail));
    }

    void unsupported(String path, String value, Collection<String> supported) {
        add(
                path,
                "Unsupported value: " + quoted(value),
                "supported values: "
                        + supported.stream().map(FieldErrors::quoted).collect(Collectors.joining(", ")));
    }

    void duplicate(String path, JsonNode value) {
        duplicate(path, value, "");
    }

    void duplicate(String path, JsonNode value, String detail) {
        add(path, "Duplicate value: " + value, detail);
    }

    void notFound(String path, String value, String detail) {
        add(path, "Not found: " + quoted(value), detail);
    }

    /**
     * Adds an error if the list has too many items ({@code validateSlice}).
     *
     * @return whether its items are not validated
     */
    boolean isTooLong(String path, JsonNode list, int maximum) {
        boolean isTooLong = list.size() > maximum;
        if (isTooLong) {
            tooMany(path, list.size(), maximum);
        }
        return isTooLong && follows(VersionedRule.LENGTH_BEFORE_ITEMS);
    }

    /** Adds an error about an item of a list whose keys must be unique ({@code validateSet}). */
    void duplicateItem(String path, String key, JsonNode item) {
        duplicate(
                follows(VersionedRule.DUPLICATES_AT_ITEMS) ? path : path + "." + key,
                follows(VersionedRule.DECLARED_RULES) ? item : item.path(key));
    }

    /** The path of a wrong key of a map ({@code validateMap}). */
    String pathOfKey(String map, String key) {
        return follows(VersionedRule.KEYS_AT_MAPS) ? map : map + "[" + key + "]";
    }

    void tooMany(String path, int actual, int maximum) {
        add(path, "Too many: " + actual, "must have at most " + maximum + " items");
    }

    void tooLong(String path, int maximum) {
        tooLong(path, maximum, "bytes");
    }

    /** @param unit bytes, or characters if the maximum is declared on the type */
    void tooLong(String path, int maximum, String unit) {
        add(path, "Too long", "may not be more than " + maximum + " " + unit);
    }

    void add(String path, String error, String detail) {
        found.add(new FieldError(path, detail.isEmpty() ? error : error + ": " + detail));
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }
}
