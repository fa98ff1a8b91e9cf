package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** What slices show in addition to their devices. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PublishSpec(
        @JsonPropertyDescription(
                "Whether annotations show the slices with mixins (KEP-5234), which no API server keeps. None (default): no."
                        + " Annotation: the annotation fakegpu.dev/mixins has the spec of the slice with mixins, as JSON, or says"
                        + " that it has more than 128 KiB. No scheduler reads it.")
        @Nullable Mixins mixins) {

    /** Whether slices show mixins. */
    public enum Mixins {
        None,
        Annotation
    }
}
