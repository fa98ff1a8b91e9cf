package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests when the conditions of a claim are written again after the API server has refused them. */
class BindingSimulatorTest {

    private static final String SPEC =
            "{model: L40S, binding: {conditions: [a], failureConditions: [b], simulate: {after: 0s}}}";

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final ObjectStores cluster = new ObjectStores();
    private final ManualExecutor executor = new ManualExecutor();
    private final List<ResourceClaim> written = new ArrayList<>();
    private final FakeGpu fakeGpu =
            TestObjects.fakeGpu("{name: fake, uid: uid-of-fake, resourceVersion: '1'}", "spec: " + SPEC);
    private int answer;
    private int attempts;
    private BindingSimulator simulator;

    @BeforeEach
    void start() {
        cluster.fakeGpus().onAdd(fakeGpu);
        var slice = TestObjects.slice(
                "{name: slice, resourceVersion: '1'}",
                "spec: {driver: gpu.example.com, pool: {name: node-1/fake, generation: 1, resourceSliceCount: 1}}");
        slice.getMetadata().setOwnerReferences(List.of(FakeGpuOwner.reference(fakeGpu)));
        cluster.slices().onAdd(slice);
        simulator = new BindingSimulator(client(), cluster, Specs.PLANNER, clock, clock, (name, threads) -> executor);
        simulator.start();
        executor.runAll();
    }

    @AfterEach
    void stop() {
        simulator.close();
    }

    @Test
    void aRefusedWriteIsTriedAgainWithBackOff() {
        // When
        answer = 422;
        claim();

        // Then
        var delays = new ArrayList<Long>();
        for (int i = 0; i < 8; i++) {
            delays.add(executor.runNext(clock).toSeconds());
        }
        assertThat(delays).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
        assertThat(attempts).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT-1S", "PT-1H", "PT1H"})
    void aJumpOfTheClockMakesNoConditionTrueEarlierOrLater(Duration jump) {
        // Given
        answer = 200;
        String inTenSeconds = SPEC.replace("after: 0s", "after: 10s");
        FakeGpu slow = update(fakeGpu, inTenSeconds);
        claim();

        // When
        clock.jump(jump);
        update(slow, inTenSeconds);
        executor.runAll();
        boolean isEarly = !written.isEmpty();
        var waited = executor.runNext(clock);

        // Then
        assertThat(isEarly).isFalse();
        assertThat(waited).isEqualTo(Duration.ofSeconds(10));
        assertThat(written).hasSize(1);
    }

    @Test
    void otherClaimsAreWrittenWhileTheRefusedOneBacksOff() {
        // Given
        answer = 403;
        claim();
        executor.runNext(clock);
        answer = 200;

        // When
        claim("other");
        executor.runAll();

        // Then
        assertThat(written).extracting(claim -> claim.getMetadata().getName()).containsExactly("other");

        // When
        executor.runNext(clock);

        // Then
        assertThat(written).extracting(claim -> claim.getMetadata().getName()).containsExactly("other", "claim");
    }

    @Test
    void editOfTheSpecCausesAnotherAttempt() {
        // Given
        answer = 422;
        claim();
        executor.runNext(clock);
        answer = 200;

        // When
        FakeGpu counted = update(fakeGpu, SPEC);
        executor.runAll();

        // Then
        assertThat(written).isEmpty();

        // When
        update(counted, SPEC.replace("after: 0s", "after: 1s"));
        executor.runAll();

        // Then
        assertThat(written).hasSize(1);
    }

    @Test
    void aConflictIsNoRefusal() {
        // When
        answer = 409;
        claim();

        // Then
        assertThat(executor.runNext(clock)).isEqualTo(Duration.ofMillis(100));
        assertThat(executor.runNext(clock)).isEqualTo(Duration.ofMillis(100));
    }

    private FakeGpu update(FakeGpu before, String spec) {
        var after = new FakeGpu();
        after.setMetadata(new ObjectMetaBuilder(before.getMetadata())
                .withResourceVersion(before.getMetadata().getResourceVersion() + "0")
                .build());
        after.setSpec(Specs.spec(spec));
        cluster.fakeGpus().onUpdate(before, after);
        return after;
    }

    private void claim() {
        claim("claim");
        executor.runAll();
    }

    private void claim(String name) {
        cluster.claims()
                .onAdd(TestObjects.claim(
                        "{namespace: default, name: %1$s, uid: uid-of-%1$s, resourceVersion: '1'}".formatted(name),
                        """
                status:
                  allocation:
                    allocationTimestamp: "2026-01-01T00:00:00Z"
                    devices:
                      results:
                      - {request: gpu, driver: gpu.example.com, pool: node-1/fake, device: gpu-0,
                         bindingConditions: [a], bindingFailureConditions: [b]}
                """));
    }

    /** A client that answers writes of a status with {@link #answer}. */
    private ObjectClient client() {
        return (ObjectClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ObjectClient.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("updateStatus");
                    attempts++;
                    if (answer != 200) {
                        throw new KubernetesClientException("refused", answer, null);
                    }
                    var stored = new ResourceClaimBuilder((ResourceClaim) arguments[1])
                            .editMetadata()
                            .withResourceVersion("2")
                            .endMetadata()
                            .build();
                    written.add(stored);
                    return stored;
                });
    }

    /** An executor that runs tasks only when it is told to. */
    private static final class ManualExecutor extends ScheduledThreadPoolExecutor {

        private record Later(Duration delay, Runnable task) {}

        private final Deque<Runnable> now = new ArrayDeque<>();
        private final Deque<Later> later = new ArrayDeque<>();

        ManualExecutor() {
            super(1);
        }

        @Override
        public void execute(Runnable task) {
            now.add(task);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            later.add(new Later(Duration.of(delay, unit.toChronoUnit()), task));
            return super.schedule((Callable<Void>) () -> null, 0, unit);
        }

        void runAll() {
            while (!now.isEmpty()) {
                now.remove().run();
            }
        }

        /** Runs the next delayed task and returns its delay. */
        Duration runNext(MutableClock clock) {
            var next = later.remove();
            clock.advance(next.delay());
            next.task().run();
            runAll();
            return next.delay();
        }
    }
}
