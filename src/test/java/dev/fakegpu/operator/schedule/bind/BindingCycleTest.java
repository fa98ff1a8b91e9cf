package dev.fakegpu.operator.schedule.bind;

import static dev.fakegpu.testing.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.operator.schedule.BrokenClient;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that each plan ends exactly once, regardless of exceptions. A plan that does not end keeps its devices, and 64 such plans stop the
 * companion.
 */
class BindingCycleTest {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");

    @AutoClose
    private final Writers writers = new Writers(2, new YieldPolicy(namespace -> false, clock), TaskExecutors.THREADS);

    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final BindingCycle.Listener listener = new BindingCycle.Listener() {
        @Override
        public void written(BindingPlan plan) {
            written.incrementAndGet();
        }

        @Override
        public void failed(BindingPlan plan) {
            failed.incrementAndGet();
        }
    };

    static Stream<Supplier<RuntimeException>> exceptions() {
        return Stream.of(
                () -> new KubernetesClientException("away"),
                () -> new IllegalStateException("unexpected"),
                NullPointerException::new);
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void planFailsOnceIfAWriteThrows(Supplier<RuntimeException> exception) {
        // Given
        var cycle = cycle(new BrokenClient(exception), () -> true);
        var plans = List.of(
                plan(null, null, allocation(claim(false))),
                plan(
                        pod("{namespace: ns, name: pod, uid: pod-uid}", "spec: {}"),
                        "node",
                        BindingPlan.Step.reserve(claim(true), List.of())),
                plan(pod("{namespace: ns, name: pod, uid: pod-uid}", "spec: {}"), "node"));

        // When
        plans.forEach(plan -> cycle.submit(plan, listener));

        // Then
        await().untilAsserted(() -> assertThat(failed).hasValue(plans.size()));
        assertThat(written).hasValue(0);
    }

    @Test
    void aPlanFailsIfTheLeadershipCannotBeChecked() {
        var client = new BrokenClient(IllegalStateException::new);

        cycle(client, () -> {
                    throw new IllegalStateException("no answer");
                })
                .submit(plan(pod("{namespace: ns, name: pod, uid: pod-uid}", "spec: {}"), "node"), listener);

        await().untilAsserted(() -> assertThat(failed).hasValue(1));
        assertThat(client.requests()).isZero();
    }

    @Test
    void aPlanWhoseAllocationMayHaveBeenWrittenEndsOnceTheClaimWasRead() {
        // Given
        var client = new BrokenClient(IllegalStateException::new);

        // When
        cycle(client, () -> true).submit(plan(null, null, allocation(claim(true))), listener);
        await().until(() -> client.requests() >= 2);
        assertThat(failed).hasValue(0);
        client.findNothing();

        // Then
        await().untilAsserted(() -> assertThat(failed).hasValue(1));
    }

    @Test
    void errorReachesTheUncaughtExceptionHandler() {
        // Given
        var uncaught = new AtomicReference<@Nullable Throwable>();
        var before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.set(thrown));
        var error = new InternalError("expected by the test");
        try {
            // When
            cycle(new BrokenClient(() -> error), () -> true)
                    .submit(plan(pod("{namespace: ns, name: pod, uid: pod-uid}", "spec: {}"), "node"), listener);

            // Then
            await().dontCatchUncaughtExceptions()
                    .untilAsserted(() -> assertThat(uncaught).hasValue(error));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    private BindingCycle cycle(BrokenClient broken, BooleanSupplier mayWrite) {
        var client = broken.client();
        return new BindingCycle(
                new ClaimWriter(ObjectClient.of(client), new ObjectStore<>(), clock),
                new PodWriter(ObjectClient.of(client), new ObjectStore<>(), Clock.systemUTC()),
                new EventRecorder(client, clock, clock, "test"),
                writers,
                mayWrite);
    }

    private static BindingPlan plan(@Nullable Pod pod, @Nullable String node, BindingPlan.Step... steps) {
        var kind = pod == null ? QueueItem.Kind.CLAIM : QueueItem.Kind.POD;
        return new BindingPlan(
                new QueueItem(kind, "ns", "name", "uid", 0, "2026-01-01T00:00:00Z"),
                pod,
                node,
                List.of(steps),
                new Moment(Duration.ZERO),
                new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 1));
    }

    private static BindingPlan.Step allocation(ResourceClaim claim) {
        return new BindingPlan.Step(
                claim, List.of(), new Allocation(List.of(), List.of(), null), List.of(), List.of(), null);
    }

    /** @param isProtected whether the claim already has the finalizer, so that its allocation is the first write */
    private static ResourceClaim claim(boolean isProtected) {
        return TestObjects.claim(
                "{namespace: ns, name: claim, uid: claim-uid, resourceVersion: '1', finalizers: [%s]}"
                        .formatted(isProtected ? "resource.kubernetes.io/delete-protection" : ""),
                "spec: {}",
                "status: {}");
    }
}
