package dev.fakegpu.engine.cel;

import dev.cel.common.types.CelType;
import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.cel.eval.Program;

/**
 * A device expression that compiles and is ready to be evaluated. Immutable.
 *
 * @param references the parts of a device that the result depends on
 * @param type the type of the result according to the checker
 */
record Expression(Program program, References references, CelType type) {

    /** {@code CELSelectorExpressionMaxCost} of {@code resource.k8s.io/v1}, for one evaluation. */
    private static final long COST_LIMIT = 1_000_000;

    /** @param device a device whose attributes are all {@linkplain AttributeValues#problemOf valid} */
    Program.Outcome evaluate(String driver, Device device, InterruptCheck check) {
        check.check();
        return program.evaluate(new DeviceVariable(driver, device), COST_LIMIT, check::check);
    }
}
