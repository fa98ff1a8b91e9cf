package dev.fakegpu.operator.schedule;

import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import java.time.Duration;

/** The companion of a cluster in memory, in virtual time, for the devices of any driver. */
final class MemoryCompanion {

    static final CompanionOptions OPTIONS =
            new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 8);

    private MemoryCompanion() {}

    /** @param client what it writes with: the cluster itself, or something before it */
    static CompanionBuilder of(ObjectClient client, MemoryCluster cluster, VirtualTime time, CompanionOptions options) {
        return new CompanionBuilder(
                        client,
                        cluster.stores(),
                        new EventRecorder(cluster, time, time, "test", problem -> {}, time),
                        new CompanionSettings(cluster.stores(), options))
                .time(time, time)
                .executors(time)
                .slicesOfOthers(slice -> true);
    }
}
