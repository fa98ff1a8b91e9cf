package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class EventLoopTest {

    @AutoClose
    private final EventLoop loop = new EventLoop("test-loop");

    private final AtomicInteger handled = new AtomicInteger();

    /** A task that has nothing to do. */
    private static final EventLoop.IdleTask IDLE = new EventLoop.IdleTask() {
        @Override
        public boolean runOnce(BooleanSupplier eventsWait) {
            return false;
        }

        @Override
        public Duration maxWait() {
            return Duration.ofMinutes(1);
        }
    };

    @Test
    void eventThatThrowsDoesNotAffectOthers() {
        // Given
        loop.execute(() -> {
            throw new IllegalStateException("expected by the test");
        });
        loop.execute(() -> {
            throw new StackOverflowError("expected by the test");
        });
        loop.execute(handled::incrementAndGet);

        // When
        loop.start(IDLE);

        // Then
        await().untilAsserted(() -> assertThat(handled).hasValue(1));
        loop.execute(handled::incrementAndGet);
        await().untilAsserted(() -> assertThat(handled).hasValue(2));
    }

    @Test
    void aTaskThatThrowsRunsAgain() {
        loop.start(new EventLoop.IdleTask() {
            @Override
            public boolean runOnce(BooleanSupplier eventsWait) {
                if (handled.incrementAndGet() < 3) {
                    throw new IllegalStateException("expected by the test");
                }
                return false;
            }

            @Override
            public Duration maxWait() {
                return Duration.ofMinutes(1);
            }
        });

        await().untilAsserted(() -> assertThat(handled).hasValue(3));
    }

    @Test
    void anErrorEndsTheThreadWithAReason() {
        // Given
        var uncaught = new AtomicReference<@Nullable Throwable>();
        var before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.set(thrown));
        var error = new InternalError("expected by the test");
        try {
            // When
            loop.execute(() -> {
                throw error;
            });
            loop.start(IDLE);

            // Then
            await().dontCatchUncaughtExceptions()
                    .untilAsserted(() -> assertThat(uncaught).hasValue(error));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void hangingStepStaysTheCurrentStep() {
        // Given
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        loop.start(IDLE);
        await().until(() -> loop.currentStep() == null);

        // When
        loop.execute(() -> {
            entered.countDown();
            awaitUninterrupted(release);
        });
        awaitUninterrupted(entered);

        // Then
        Long step = loop.currentStep();
        assertThat(step).isNotNull().isEqualTo(loop.currentStep());
        release.countDown();
        await().until(() -> loop.currentStep() == null);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
