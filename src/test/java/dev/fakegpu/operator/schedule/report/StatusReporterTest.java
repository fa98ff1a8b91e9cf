package dev.fakegpu.operator.schedule.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.BrokenClient;
import dev.fakegpu.operator.schedule.bind.ClaimWriter;
import dev.fakegpu.operator.schedule.bind.PodWriter;
import dev.fakegpu.operator.schedule.bind.Writers;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class StatusReporterTest {

    private static final QueueItem ITEM =
            new QueueItem(QueueItem.Kind.CLAIM, "ns", "name", "uid", 0, "2026-01-01T00:00:00Z");

    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private final KubernetesClient client = new BrokenClient(IllegalStateException::new).client();
    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final ClusterWatch cluster = new ClusterWatch(client, "any", "any");
    private final CompanionOptions options =
            new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 1);

    private final DecisionListener listener = new DecisionListener() {
        @Override
        public void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy) {}

        @Override
        public void refused(String reason) {
            refusals.add(reason);
        }
    };

    @AutoClose
    private final Writers writers = new Writers(1, new YieldPolicy(namespace -> false, clock), TaskExecutors.THREADS);

    private final StatusReporter reporter = new StatusReporter(
            new CompanionScope(cluster, SchedulerProfile.COMPANION),
            new PodWriter(ObjectClient.of(client), cluster.pods(), clock),
            new ClaimWriter(ObjectClient.of(client), cluster.claims(), clock),
            new EventRecorder(client, clock, clock, "test"),
            writers,
            new DecisionLog(listener, () -> options, clock, clock));

    @Test
    void anItemIsCountedAgainOnlyForAnotherReason() {
        refuse(Reason.DevicesInUse, "by a");
        awaitRefusals("DevicesInUse");

        refuse(Reason.DevicesInUse, "by b");
        refuse(Reason.DevicesInUse, "by a");
        refuse(Reason.CountersExhausted, "by a");
        awaitRefusals("DevicesInUse", "CountersExhausted");

        reporter.forget(ITEM.uid());
        refuse(Reason.CountersExhausted, "by a");
        awaitRefusals("DevicesInUse", "CountersExhausted", "CountersExhausted");
    }

    private void refuse(Reason reason, String text) {
        reporter.report(ITEM, PendingReason.devices(reason, ScopedText.of(text)));
    }

    private void awaitRefusals(String... expected) {
        Awaitility.await().untilAsserted(() -> assertThat(refusals).containsExactly(expected));
    }
}
