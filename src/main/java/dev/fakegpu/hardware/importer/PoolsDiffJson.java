package dev.fakegpu.hardware.importer;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/** {@link PoolsDiff.Result} as JSON. New fields may be added; existing ones keep their meaning. */
@JsonPropertyOrder({"equalPools", "differences", "notes"})
public record PoolsDiffJson(int equalPools, List<DifferenceJson> differences, List<String> notes) {

    /** @param kind {@code OnlyInFirst}, {@code OnlyInSecond} or {@code Different} */
    @JsonPropertyOrder({"driver", "pool", "kind", "sentence"})
    public record DifferenceJson(String driver, String pool, String kind, String sentence) {}

    public static PoolsDiffJson of(PoolsDiff.Result result) {
        return new PoolsDiffJson(
                result.equalPools(),
                result.differences().stream()
                        .map(difference -> new DifferenceJson(
                                difference.pool().driver(),
                                difference.pool().name(),
                                kind(difference.kind()),
                                difference.sentence()))
                        .toList(),
                result.notes());
    }

    private static String kind(PoolsDiff.Kind kind) {
        return switch (kind) {
            case ONLY_IN_FIRST -> "OnlyInFirst";
            case ONLY_IN_SECOND -> "OnlyInSecond";
            case DIFFERENT -> "Different";
        };
    }
}
