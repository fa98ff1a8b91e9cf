package dev.fakegpu.e2e;

import dev.fakegpu.api.FakeGpuSpec.Allocator;
import dev.fakegpu.testing.ControlPlaneExtension;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same examples with the real kube-scheduler 1.37, feature gate on, in place of the companion. */
class KubeSchedulerE2E extends KepExamples {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.withSchedulerAndControllerManager();

    private static OperatorProcess operator;

    KubeSchedulerE2E() {
        super(Allocator.KubeScheduler);
    }

    @BeforeAll
    static void startOperator() {
        operator = OperatorProcess.start(controlPlane.controlPlane(), Map.of());
    }

    @AfterAll
    static void stopOperator() {
        operator.close();
    }

    @Override
    Scenario scenario(Allocator allocator) {
        return new Scenario(controlPlane.client(), allocator);
    }
}
