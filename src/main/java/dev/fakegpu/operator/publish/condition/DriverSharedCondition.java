package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.pool.TargetNodes;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Condition {@code DriverShared}: another driver of the same name has slices on nodes of the FakeGpu. It may still run, or have been
 * uninstalled: the kubelet removes the slices of a driver that is gone, but not while the name is registered again. kube-scheduler allocates their
 * devices as well, and then nothing prepares them. The condition is absent if there are no such slices.
 */
public final class DriverSharedCondition {

    private static final Conditions.Type TYPE = Conditions.Type.DriverShared;

    private DriverSharedCondition() {}

    public static void report(StatusReport report, ObjectStores cluster) {
        List<String> slices = slices(report.fakeGpu(), cluster);
        if (slices.isEmpty()) {
            report.conditions().remove(TYPE);
            return;
        }
        String message =
                "pods that are given devices of these slices cannot start, because another driver with the name %s published them: %s; if that driver is no longer installed, delete them, otherwise change spec.driver"
                        .formatted(report.fakeGpu().getSpec().driver(), StatusReport.firstOf(slices));
        report.conditions().setTrue(TYPE, "ForeignSlices", message);
        report.warning(EventReason.ForeignSlices, message);
    }

    /** Whether the slice may be one of those. */
    public static boolean concerns(FakeGpu fakeGpu, ResourceSlice slice) {
        return FakeGpuOwner.name(slice).isEmpty()
                && slice.getSpec().getNodeName() != null
                && fakeGpu.getSpec().driver().equals(slice.getSpec().getDriver());
    }

    private static List<String> slices(FakeGpu fakeGpu, ObjectStores cluster) {
        List<ResourceSlice> foreign = cluster.slices().list().stream()
                .filter(slice -> concerns(fakeGpu, slice))
                .toList();
        if (foreign.isEmpty()) {
            return List.of();
        }
        Set<String> nodes = TargetNodes.existing(fakeGpu, cluster.nodes())
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toSet());
        return foreign.stream()
                .filter(slice -> nodes.contains(slice.getSpec().getNodeName()))
                .map(slice -> "%s (pool %s, %s)"
                        .formatted(
                                slice.getMetadata().getName(),
                                slice.getSpec().getPool().getName(),
                                FakeGpuOwner.others(slice)))
                .sorted()
                .toList();
    }
}
