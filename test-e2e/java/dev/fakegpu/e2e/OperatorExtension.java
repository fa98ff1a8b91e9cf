package dev.fakegpu.e2e;

import dev.fakegpu.testing.ControlPlaneExtension;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An operator with its usual settings, for all tests of a class. */
final class OperatorExtension implements BeforeAllCallback, AfterAllCallback {

    private final ControlPlaneExtension controlPlane;
    private @Nullable OperatorProcess operator;

    OperatorExtension(ControlPlaneExtension controlPlane) {
        this.controlPlane = controlPlane;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        controlPlane.beforeAll(context); // whichever of the two is registered first
        operator = OperatorProcess.start(controlPlane.controlPlane(), Map.of());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Objects.requireNonNull(operator).close();
    }
}
