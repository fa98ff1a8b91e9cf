package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.operator.publish.pool.ForeignSlicesResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;

/**
 * Condition {@code DriverShared}: another driver with the same name has slices on nodes of the FakeGpu. kube-scheduler may allocate their
 * devices, which nothing prepares then. The condition is absent if there are no such slices.
 */
public final class DriverSharedCondition {

    private static final Conditions.Type TYPE = Conditions.Type.DriverShared;

    private DriverSharedCondition() {}

    public static void report(StatusReport report, ForeignSlicesResult slices) {
        if (!slices.removed().isEmpty()) {
            report.normal(
                    EventReason.ForeignSlicesRemoved,
                    "slices that another driver with the name %s left were removed: %s; delete pods that have devices of them"
                            .formatted(report.fakeGpu().getSpec().driver(), StatusReport.firstOf(slices.removed())));
        }
        if (slices.left().isEmpty()) {
            report.conditions().remove(TYPE);
            return;
        }
        String message =
                "pods that are given devices of these slices cannot start, because another driver with the name %s published them: %s; if that driver is no longer installed, delete them, otherwise change spec.driver"
                        .formatted(report.fakeGpu().getSpec().driver(), StatusReport.firstOf(slices.left()));
        report.conditions().setTrue(TYPE, "ForeignSlices", message);
        report.warning(EventReason.ForeignSlices, message);
    }

    /** Whether the slice may belong to such a driver. */
    public static boolean concerns(FakeGpu fakeGpu, ResourceSlice slice) {
        return FakeGpuOwner.name(slice).isEmpty()
                && slice.getSpec().getNodeName() != null
                && fakeGpu.getSpec().driver().equals(slice.getSpec().getDriver());
    }
}
