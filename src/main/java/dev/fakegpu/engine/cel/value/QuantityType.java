package dev.fakegpu.engine.cel.value;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;

/** The CEL type of {@link dev.fakegpu.dra.Quantity}, which itself does not depend on CEL. */
public final class QuantityType {

    public static final CelType TYPE = OpaqueType.create("kubernetes.Quantity");

    private QuantityType() {}
}
