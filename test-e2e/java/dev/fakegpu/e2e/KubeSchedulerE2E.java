package dev.fakegpu.e2e;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.testing.ControlPlaneExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same examples with the real kube-scheduler 1.37, feature gate on, in place of the companion. */
class KubeSchedulerE2E extends KepExamples {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.withSchedulerAndControllerManager();

    @RegisterExtension
    static final OperatorExtension operator = new OperatorExtension(controlPlane);

    KubeSchedulerE2E() {
        super(AllocatorName.KubeScheduler);
    }

    @Override
    Scenario scenario(AllocatorName allocator) {
        return new Scenario(controlPlane.client(), allocator);
    }
}
