package dev.fakegpu.dra;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.TSFBuilder;

/**
 * Reads and writes JSON that strangers wrote. Field names are not kept for the next JSON, since the table that Jackson keeps is limited by
 * the number of names only: a thousand names of a megabyte each would fill the memory. Names with equal hash codes do not fill it either.
 */
public final class ApiJson {

    /** No number or name is longer than what the API server accepts as a request ({@code MaxRequestBodyBytes} in {@code config.go}). */
    private static final int MAX_LENGTH = 3 * 1024 * 1024;

    private ApiJson() {}

    /**
     * For objects of the API, without Jackson's limits. The API server limits the size of an object, but accepts longer numbers and names.
     * With Jackson's limits, one such object would make the list of all objects of its kind unreadable.
     *
     * @param maxDepth the maximum number of nested objects and lists
     */
    public static JsonFactory factory(int maxDepth) {
        return forgettingNames()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .maxNumberLength(MAX_LENGTH)
                        .maxNameLength(MAX_LENGTH)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .build())
                .build();
    }

    /** For a part of an object that may be refused by itself, such as an annotation, with Jackson's limits. */
    public static JsonFactory forParts() {
        return forgettingNames().build();
    }

    private static TSFBuilder<?, ?> forgettingNames() {
        return JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES);
    }
}
