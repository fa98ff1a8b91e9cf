package dev.fakegpu.operator.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.schedule.cache.NodeGenerations;
import dev.fakegpu.operator.schedule.cache.NodeGenerations.Cause;
import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that {@link SchedulingQueue#ofKubeScheduler} does the same as {@code pkg/scheduler/backend/queue}. */
class KubeSchedulerQueueTest {

    private Duration time = Duration.ZERO;
    private final SchedulingQueue queue =
            SchedulingQueue.ofKubeScheduler(uid -> {}, new Arrivals(Runnable::run), () -> time.toNanos());
    private final NodeGenerations generations = new NodeGenerations();

    @Test
    void newPodsComeByPriorityAndAge() {
        queue.activate(pod("b", 0, 2));
        queue.activate(pod("a", 0, 1));
        queue.activate(pod("important", 10, 3));

        assertThat(poll()).containsExactly("important", "a", "b");
    }

    /** Each pod has an attempt; after the first one has failed, those of the others fail without a search. */
    @Test
    void allPodsAreWokenAndNotTheFirstOfEachClassOnly() {
        refuse(pod("first", 0, 1));
        refuse(pod("second", 0, 2));
        time = Duration.ofSeconds(20);

        freeDevice();

        assertThat(poll()).containsExactly("first", "second");
    }

    @Test
    void theOtherMembersOfAClassFailWithTheFirst() {
        refuse(pod("first", 0, 1));
        refuse(pod("second", 0, 2));
        time = Duration.ofSeconds(20);
        freeDevice();

        refuse(queue.poll(now(), namespace -> true).orElseThrow());

        assertThat(poll()).isEmpty();
        time = Duration.ofSeconds(22); // after two attempts, both back off for two seconds
        refuse(pod("third", 0, 3)); // after one attempt, it backs off for only one second
        time = Duration.ofSeconds(22).plusMillis(500);
        freeDevice();
        assertThat(poll()).containsExactly("first", "second", "third");
    }

    /** Upstream: {@code isEntityBackingoff} and {@code requeueEntityWithQueueingStrategy}. */
    @Test
    void aYoungerPodOvertakesAnOlderOneThatBacksOffLonger() {
        refuse(pod("older", 0, 1));
        for (int i = 1; i < 4; i++) {
            time = Duration.ofSeconds(20L * i);
            freeDevice();
            refuse(queue.poll(now(), namespace -> true).orElseThrow());
        }
        time = Duration.ofSeconds(63); // the older pod backs off until second 68
        refuse(pod("younger", 0, 2));
        time = Duration.ofSeconds(66);

        freeDevice();

        assertThat(poll()).containsExactly("younger", "older");
    }

    /** Upstream: {@code plugins/queuesort}. */
    @Test
    void thePodWhoseLastAttemptIsLongerAgoComesFirst() {
        refuse(pod("older", 0, 1));
        time = Duration.ofSeconds(20);
        refuse(pod("younger", 0, 2));
        time = Duration.ofSeconds(40);
        queue.activate(pod("older", 0, 1)); // the pod was changed
        refuse(queue.poll(now(), namespace -> true).orElseThrow());
        time = Duration.ofSeconds(60);

        freeDevice();

        assertThat(poll()).containsExactly("younger", "older");
    }

    @Test
    void priorityCountsBeforeTime() {
        refuse(pod("older", 0, 1));
        time = Duration.ofSeconds(20);
        refuse(pod("important", 5, 2));
        time = Duration.ofSeconds(40);

        freeDevice();

        assertThat(poll()).containsExactly("important", "older");
    }

    /**
     * Upstream: {@code EventsToRegister} of {@code dynamicresources}. The pod is not activated when another pod is deleted, but when that
     * pod's claim is deallocated.
     */
    @Test
    void aPodThatLacksDevicesOnlyIsNotWokenByAPodThatGoes() {
        refuse(pod("waits", 0, 1));
        time = Duration.ofSeconds(20);

        generations.changed("node", Cause.PODS);
        queue.wake(generations);

        assertThat(poll()).isEmpty();
        generations.changed("node", Cause.DEVICES);
        queue.wake(generations);
        assertThat(poll()).containsExactly("waits");
    }

    /** Upstream: {@code runPreEnqueuePlugins}. A gated pod has no attempts. */
    @Test
    void aPodWhoseClaimIsMissingDoesNotBackOff() {
        QueueItem gated = pod("gated", 0, 1);
        queue.activate(gated);
        poll();
        var blocked = queue.equivalenceClass(gated);
        blocked.attempted(EquivalenceClass.BLOCKED);
        queue.unschedulable(gated, blocked);
        refuse(pod("refused", 0, 0));

        freeDevice();
        queue.activate(gated);

        assertThat(poll()).containsExactly("gated", "refused");
    }

    @Test
    void removedPodsAreForgotten() {
        refuse(pod("pod", 0, 1));
        freeDevice();
        assertThat(queue.backoffCount()).isEqualTo(1);

        queue.remove("pod");

        assertThat(queue.backoffCount()).isZero();
        assertThat(poll()).isEmpty();
    }

    private Moment now() {
        return new Moment(time);
    }

    private void freeDevice() {
        generations.changed("node", Cause.DEVICES);
        queue.wake(generations);
    }

    /** Fails an attempt because the nodes have too few devices. */
    private void refuse(QueueItem item) {
        if (!queue.contains(item.uid())) {
            queue.activate(item);
            queue.poll(now(), namespace -> true);
        }
        var equivalenceClass = queue.equivalenceClass("gpu");
        equivalenceClass.needsDevices();
        equivalenceClass.attempted(generations.latest());
        queue.unschedulable(item, equivalenceClass);
    }

    private List<String> poll() {
        var names = new ArrayList<String>();
        for (var next = queue.poll(now(), namespace -> true);
                next.isPresent();
                next = queue.poll(now(), namespace -> true)) {
            names.add(next.get().name());
        }
        return names;
    }

    private static QueueItem pod(String name, int priority, int second) {
        return new QueueItem(QueueItem.Kind.POD, "default", name, name, priority, "2026-01-01T00:00:0" + second + "Z");
    }
}
