package dev.fakegpu.e2e.schedule;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;

/** The same examples with the real kube-scheduler 1.37, feature gate on, in place of the companion. */
class KubeSchedulerE2E extends KepExamples {

    KubeSchedulerE2E() {
        super(AllocatorName.KubeScheduler);
    }
}
