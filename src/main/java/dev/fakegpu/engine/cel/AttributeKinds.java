package dev.fakegpu.engine.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;

/** What the attributes of devices can be: {@code attributeType} of upstream's {@code compile.go}. */
enum AttributeKinds {
    /** Since Kubernetes 1.36. */
    LISTS_TOO(SimpleType.DYN),

    /** Before, where macros such as {@code exists} do not accept attributes. */
    SINGLE_VALUES(SimpleType.ANY);

    private final CelType type;

    AttributeKinds(CelType type) {
        this.type = type;
    }

    /** The type of an attribute, whose value only evaluation knows. */
    CelType type() {
        return type;
    }
}
