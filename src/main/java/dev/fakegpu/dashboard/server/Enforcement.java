package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot.SnapshotSlice;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dashboard.Dashboard.Enforcer;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.ArrayList;
import java.util.List;

/**
 * Which components enforce compatibility groups: the allocators of devices with groups, and the API server, which may or may not store
 * them.
 */
final class Enforcement {

    private Enforcement() {}

    static List<Enforcer> of(ClusterSnapshot snapshot, GateSources gate) {
        List<SnapshotSlice> withGroups =
                snapshot.slices().stream().filter(SnapshotSlice::hasGroups).toList();
        if (withGroups.isEmpty()) {
            return List.of(new Enforcer("no device has compatibility groups", "only counters keep devices apart"));
        }
        var enforcers = new ArrayList<Enforcer>();
        for (Scheduler scheduler : Scheduler.values()) {
            long slices = withGroups.stream()
                    .filter(slice -> snapshot.scheduler(slice) == scheduler)
                    .count();
            if (slices > 0) {
                Assumptions assumed = Assumptions.of(snapshot, scheduler, gate);
                enforcers.add(new Enforcer(name(scheduler) + does(assumed.gate()), assumed.text()));
            }
        }
        enforcers.add(stored(withGroups));
        return List.copyOf(enforcers);
    }

    private static String name(Scheduler scheduler) {
        return scheduler == Scheduler.COMPANION ? "the companion " : "kube-scheduler ";
    }

    private static String does(GroupsGate gate) {
        return switch (gate) {
            case ON -> "enforces groups";
            case OFF -> "leaves devices with groups alone (gate off)";
            case UNAWARE -> "does not know groups";
        };
    }

    private static Enforcer stored(List<SnapshotSlice> withGroups) {
        long inFields = withGroups.stream()
                .filter(slice -> slice.asStored().usesCompatibilityGroups())
                .count();
        String counts = "%d of %d slices with groups have them in their fields".formatted(inFields, withGroups.size());
        if (inFields == withGroups.size()) {
            return new Enforcer("the API server stores groups", counts);
        }
        return inFields == 0
                ? new Enforcer(
                        "groups are in annotations only",
                        counts + "; the companion reads the annotation, others do not")
                : new Enforcer("the API server stores some groups", counts);
    }
}
