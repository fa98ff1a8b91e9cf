package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** A node selector, as in a pod's node affinity. */
public record NodeSelectorSpec(
        @JsonPropertyDescription(
                "1 to 8 terms, of which one must match. spec.nodes.nodeSelector must have exactly one term.")
        @Required
        @Size(min = 1, max = 8) List<Term> nodeSelectorTerms) {

    public NodeSelectorSpec {
        nodeSelectorTerms = Defaults.list(nodeSelectorTerms);
    }

    /** Requirements that must all hold. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Term(
            @JsonPropertyDescription("Requirements on labels, at most 16.") @Size(max = 16) List<Requirement> matchExpressions,

            @JsonPropertyDescription("Requirements on fields, at most 4. The only supported field is metadata.name.")
            @Size(max = 4) List<Requirement> matchFields) {

        public Term {
            matchExpressions = Defaults.list(matchExpressions);
            matchFields = Defaults.list(matchFields);
        }
    }

    /** A requirement on a label or field. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Requirement(
            @JsonPropertyDescription("Name of the label or field.") @Required @Size(min = 1, max = 317) String key,

            @JsonPropertyDescription("How the values are compared.") @Required
            Operator operator,

            @JsonPropertyDescription("At most 64 values; none for Exists and DoesNotExist, one integer for Gt and Lt.")
            @Size(max = 64) List<String> values) {

        /** {@code NodeSelectorOperator} of {@code core/v1}. */
        public enum Operator {
            In,
            NotIn,
            Exists,
            DoesNotExist,
            Gt,
            Lt
        }

        public Requirement {
            values = Defaults.list(values);
        }
    }
}
