package dev.fakegpu.dra;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;

/**
 * Reads and writes JSON of the API without Jackson's limits for JSON from strangers. The API server limits the size of an object, but
 * accepts longer numbers and names, and names with equal hash codes. With Jackson's limits, one such object would make the list of all
 * objects of its kind unreadable.
 */
public final class ApiJson {

    /** No number or name is longer than what the API server accepts as a request ({@code MaxRequestBodyBytes} in {@code config.go}). */
    private static final int MAX_LENGTH = 3 * 1024 * 1024;

    private ApiJson() {}

    /** @param maxDepth the maximum number of nested objects and lists */
    public static JsonFactory factory(int maxDepth) {
        return JsonFactory.builder()
                .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
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
}
