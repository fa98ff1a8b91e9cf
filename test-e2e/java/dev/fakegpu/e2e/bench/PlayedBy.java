package dev.fakegpu.e2e.bench;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import java.util.Map;

/** What schedules the pods of a random scenario. */
enum PlayedBy {
    /** kube-scheduler. There is no operator: nodes and slices are only objects. */
    BARE(AllocatorName.KubeScheduler),
    /** kube-scheduler, with the devices and nodes of an operator. */
    KUBE(AllocatorName.KubeScheduler),
    /** The operator's companion. */
    COMPANION(AllocatorName.Companion);

    private final AllocatorName allocator;

    PlayedBy(AllocatorName allocator) {
        this.allocator = allocator;
    }

    boolean isBare() {
        return this == BARE;
    }

    AllocatorName allocator() {
        return allocator;
    }

    String schedulerName() {
        return allocator == AllocatorName.Companion ? Labels.SCHEDULER_NAME : "default-scheduler";
    }

    /** Starts a control plane with the scheduler, and with what makes pods run. */
    ControlPlane start() {
        var controlPlane = ControlPlane.start(
                this == COMPANION
                        ? ControlPlaneOptions.withControllerManager()
                        : ControlPlaneOptions.withSchedulerAndControllerManager());
        controlPlane.beforeClose(
                isBare()
                        ? new BareKubelet(controlPlane.client())::close
                        : OperatorProcess.start(controlPlane, Map.of())::close);
        return controlPlane;
    }
}
