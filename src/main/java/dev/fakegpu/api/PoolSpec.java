package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** The names of a FakeGpu's pools. */
@ValidationRule(
        value = "self.name.contains('{node}')",
        message = "pool.name must contain {node}: every node has a pool of its own")
public record PoolSpec(
        @JsonPropertyDescription(
                "Name of the pool of a node. {node} is replaced by the node's name and {fakegpu} by the FakeGpu's. Default:"
                        + " {node}/{fakegpu}. With {node}, which drivers with one pool per node use, two FakeGpus of one driver can"
                        + " claim the same pool; the older FakeGpu gets it.")
        @Required
        @Size(max = PoolSpec.MAX_LENGTH) @Pattern(PoolSpec.SYNTAX) String name) {

    public static final String NODE = "{node}";
    public static final String FAKEGPU = "{fakegpu}";
    public static final String DEFAULT_NAME = NODE + "/" + FAKEGPU;

    static final int MAX_LENGTH = 128;

    private static final String EDGE = "([a-z0-9]|\\{node\\}|\\{fakegpu\\})";
    private static final String LABEL = EDGE + "(([-a-z0-9]|\\{node\\}|\\{fakegpu\\})*" + EDGE + ")?";
    static final String SYNTAX = "^" + LABEL + "([./]" + LABEL + ")*$";

    /** Whether the value can be a name: its syntax is valid, it is not too long, and it differs on every node. */
    public static boolean isTemplate(String text) {
        return text.contains(NODE) && text.length() <= MAX_LENGTH && text.matches(SYNTAX);
    }
}
