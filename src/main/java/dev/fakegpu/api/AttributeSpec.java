package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.fakegpu.dra.Limits;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The value of an attribute: a string, integer, boolean or version, or a list of one of these (KEP-5491). */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value =
                "[has(self.string), has(self.int), has(self.bool), has(self.version), has(self.strings), has(self.ints),"
                        + " has(self.bools), has(self.versions), has(self.index)].exists_one(set, set)",
        message = "exactly one of string, int, bool, version, strings, ints, bools, versions and index must be set")
public record AttributeSpec(
        @JsonProperty("string")
        @JsonPropertyDescription("A string of at most 64 characters.")
        @Size(max = Limits.ATTRIBUTE_VALUE_BYTES) @Nullable String stringValue,

        @JsonProperty("int") @JsonPropertyDescription("A 64-bit integer.") @Nullable Long intValue,

        @JsonProperty("bool") @JsonPropertyDescription("true or false.") @Nullable Boolean boolValue,

        @JsonProperty("version")
        @JsonPropertyDescription("A semantic version (2.0.0) of at most 64 characters, for example 12.4.0.")
        @Size(max = Limits.ATTRIBUTE_VALUE_BYTES) @Nullable String versionValue,

        @JsonPropertyDescription("1 to 48 strings. Lists need the API server's feature gate DRAListTypeAttributes.")
        @Size(min = 1, max = Limits.ATTRIBUTE_VALUES) @Nullable List<String> strings,

        @JsonPropertyDescription("1 to 48 integers.") @Size(min = 1, max = Limits.ATTRIBUTE_VALUES) @Nullable List<Long> ints,

        @JsonPropertyDescription("1 to 48 booleans.") @Size(min = 1, max = Limits.ATTRIBUTE_VALUES) @Nullable List<Boolean> bools,

        @JsonPropertyDescription("1 to 48 semantic versions.") @Size(min = 1, max = Limits.ATTRIBUTE_VALUES) @Nullable List<String> versions,

        @JsonPropertyDescription(
                "Name of an index of the device's repeat: the attribute is the index as an integer. Only for custom"
                        + " devices with repeat.")
        @Size(min = 1, max = 16) @Nullable String index) {

    /** An integer. */
    public static AttributeSpec ofInt(long value) {
        return new AttributeSpec(null, value, null, null, null, null, null, null, null);
    }
}
