package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelTasksTest {

    private static final List<Integer> MANY =
            IntStream.range(0, 100_000).boxed().toList();

    private final ParallelTasks tasks = ParallelTasks.onThreads("test", 2);

    @Test
    void everythingIsDoneOnce() {
        var done = new ConcurrentLinkedQueue<Integer>();

        assertThat(tasks.forEach(MANY, () -> true, done::add)).isEqualTo(MANY.size());

        assertThat(done.stream().sorted().toList()).isEqualTo(MANY);
    }

    @Test
    void theCallersThreadRunsItemsOneAfterTheOther() {
        var caller = Thread.currentThread();

        ParallelTasks.ON_CALLER.forEach(
                MANY, () -> true, one -> assertThat(Thread.currentThread()).isSameAs(caller));
    }

    @Test
    void anInterruptedCallerStillDoesItsOwnWork() {
        Thread.currentThread().interrupt();
        try {
            assertThat(ParallelTasks.ON_CALLER.forEach(MANY, () -> true, one -> {}))
                    .isEqualTo(MANY.size());
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void severalItemsRunAtTheSameTime() {
        var both = new CountDownLatch(2);

        tasks.forEach(List.of(1, 2), () -> true, one -> {
            both.countDown();
            await(both);
        });

        assertThat(both.getCount()).isZero();
    }

    @Test
    void remainingItemsAreSkippedWhenTimeIsUp() {
        var asked = new AtomicInteger();
        var done = new AtomicInteger();

        int begun = tasks.forEach(MANY, () -> asked.incrementAndGet() <= 3, one -> done.incrementAndGet());

        assertThat(begun).isEqualTo(3);
        assertThat(done).hasValue(3);
    }

    @Test
    void aFailureIsThrownAndStopsFurtherItems() {
        var done = new AtomicInteger();

        assertThatThrownBy(() -> tasks.forEach(MANY, () -> true, one -> {
                    done.incrementAndGet();
                    throw new IllegalArgumentException("of " + one);
                }))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(done.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void aCallerWithFewItemsDoesNotWaitForOneWithMany() {
        var fewAreDone = new CountDownLatch(1);
        var manyBegan = new CountDownLatch(1);
        var many = new Thread(() -> tasks.forEach(MANY, () -> fewAreDone.getCount() > 0, one -> {
            manyBegan.countDown();
            Thread.yield();
        }));
        many.start();
        await(manyBegan);

        var left = new AtomicInteger(MANY.size());
        tasks.forEach(List.of(1, 2, 3), () -> true, one -> left.decrementAndGet());
        fewAreDone.countDown();

        assertThat(left).hasValue(MANY.size() - 3);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
