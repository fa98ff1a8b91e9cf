package dev.fakegpu.operator.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.schedule.cache.NodeGenerations;
import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulingQueueTest {

    private static final Moment NOW = new Moment(Duration.ZERO);

    private final List<String> removed = new ArrayList<>();
    private final NamespaceShares shares = new NamespaceShares();
    private final SchedulingQueue queue = new SchedulingQueue(removed::add, shares, new Arrivals(Runnable::run));
    private final NodeGenerations generations = new NodeGenerations();

    @Test
    void theMostImportantComesFirstThenTheOldestThenByName() {
        // When
        queue.activate(pod("b", 0, 5));
        queue.activate(pod("a", 0, 5));
        queue.activate(pod("old", 0, 1));
        queue.activate(pod("important", 10, 9));

        // Then
        assertThat(poll(NOW)).containsExactly("important", "old", "a", "b");
    }

    @Test
    void itemsWithTheSameRequirementsAreTriedOneAfterTheOther() {
        // Given
        refuse(pod("first", 0, 1), "mig");
        refuse(pod("second", 0, 2), "mig");
        refuse(pod("other", 0, 3), "vgpu");
        assertThat(poll(NOW)).isEmpty();

        // When
        generations.changed("node");
        queue.wake(generations);

        // Then
        assertThat(poll(NOW)).containsExactly("first", "other");
    }

    @Test
    void aRefusedFirstMemberKeepsTheOthersWaiting() {
        // Given
        refuse(pod("first", 0, 1), "mig");
        refuse(pod("second", 0, 2), "mig");
        generations.changed("node");
        queue.wake(generations);
        var first = queue.poll(NOW, namespace -> true).orElseThrow();

        // When
        refuse(first, "mig");
        queue.wake(generations);

        // Then
        assertThat(poll(NOW)).isEmpty();
        assertThat(queue.unschedulableCount()).isEqualTo(2);
    }

    @Test
    void aServedFirstMemberLetsTheNextOneTry() {
        // Given
        refuse(pod("first", 0, 1), "mig");
        refuse(pod("second", 0, 2), "mig");
        generations.changed("node");
        queue.wake(generations);

        // When
        queue.succeeded(queue.poll(NOW, namespace -> true).orElseThrow());

        // Then
        assertThat(poll(NOW)).containsExactly("second");
    }

    @Test
    void aFirstMemberThatIsRemovedBeforeItsTurnPassesTheAttemptOn() {
        // Given
        refuse(pod("first", 0, 1), "mig");
        refuse(pod("second", 0, 2), "mig");
        generations.changed("node");
        queue.wake(generations);

        // When
        queue.remove("first");

        // Then
        assertThat(poll(NOW)).containsExactly("second");
        assertThat(removed).containsExactly("first");
    }

    @Test
    void aChangedItemIsTriedAtOnceAndAlone() {
        // Given
        refuse(pod("first", 0, 1), "mig");
        refuse(pod("second", 0, 2), "mig");

        // When
        queue.activate(pod("second", 0, 2));

        // Then
        assertThat(poll(NOW)).containsExactly("second");
    }

    @Test
    void blockedItemsAreNotWokenByChangesElsewhere() {
        // Given
        var pod = pod("blocked", 0, 1);
        queue.activate(pod);
        poll(NOW);
        var equivalenceClass = queue.equivalenceClass(pod);
        equivalenceClass.attempted(EquivalenceClass.BLOCKED);
        queue.unschedulable(pod, equivalenceClass);

        // When
        generations.changedEverywhere();
        queue.wake(generations);

        // Then
        assertThat(poll(NOW)).isEmpty();
    }

    @Test
    void backOffGetsLongerEachTime() {
        // Given
        var pod = pod("unlucky", 0, 1);
        queue.activate(pod);
        poll(NOW);

        // When
        queue.backOff("unlucky", NOW);
        var first = NOW.until(queue.nextDue().orElseThrow());
        assertThat(poll(NOW)).isEmpty();
        assertThat(poll(NOW.plus(first))).containsExactly("unlucky");
        queue.backOff("unlucky", NOW);
        var second = NOW.until(queue.nextDue().orElseThrow());

        // Then
        assertThat(second).isEqualTo(first.multipliedBy(2));
    }

    @Test
    void changesDoNotShortenTheBackOffFromABindingThatFailed() {
        // Given
        QueueItem item = pod("pod", 0, 1);
        queue.activate(item);
        Moment now = NOW;
        for (int seconds : List.of(1, 2, 4, 8, 10, 10)) {
            poll(now);

            // When
            queue.backOffFromBinding(item.uid(), now);
            queue.activate(item);

            // Then
            Moment due = now.plus(Duration.ofSeconds(seconds));
            assertThat(poll(due.minus(Duration.ofMillis(1)))).isEmpty();
            assertThat(queue.nextDue()).contains(due);
            now = due;
        }
        assertThat(poll(now)).containsExactly("pod");
    }

    @Test
    void anEquivalenceClassIsForgottenWithItsLastMember() {
        // When
        refuse(pod("only", 0, 1), "mig");
        queue.remove("only");

        // Then
        assertThat(queue.equivalenceClasses()).isEmpty();
    }

    @Test
    void namespacesTakeTurnsWithinAPriority() {
        // Given
        for (int i = 0; i < 3; i++) {
            queue.activate(pod("many", "m" + i, 0, i));
        }
        queue.activate(pod("few", "f0", 0, 9));
        queue.activate(pod("many", "important", 1, 9));

        // When
        var order = new ArrayList<String>();
        for (var next = queue.poll(NOW, namespace -> true);
                next.isPresent();
                next = queue.poll(NOW, namespace -> true)) {
            order.add(next.get().name());
            shares.charge(next.get().namespace(), Duration.ZERO, NOW);
        }

        // Then
        assertThat(order).containsExactly("important", "f0", "m0", "m1", "m2");
    }

    @Test
    void aNamespaceOverItsShareComesAfterAllOthers() {
        // Given
        shares.charge("greedy", Duration.ofSeconds(8), NOW);
        queue.activate(pod("greedy", "important", 10, 0));
        queue.activate(pod("modest", "ordinary", 0, 9));

        // When, then
        assertThat(poll(NOW)).containsExactly("ordinary", "important");
    }

    @Test
    void anInterruptedClassIsRetriedWhenItIsDueAndNotByChanges() {
        // Given
        Moment due = NOW.plus(Duration.ofSeconds(1));
        interrupt(pod("first", 0, 1), due);
        interrupt(pod("second", 0, 2), due);

        // When
        generations.changedEverywhere();
        queue.wake(generations);

        // Then
        assertThat(poll(NOW)).isEmpty();
        assertThat(queue.nextDue()).contains(due);
        assertThat(poll(due)).containsExactly("first");
    }

    @Test
    void anotherMemberTakesTheTurnOfOneThatIsRemovedWhileItsClassBacksOff() {
        // Given
        Moment due = NOW.plus(Duration.ofSeconds(1));
        interrupt(pod("first", 0, 1), due);
        interrupt(pod("second", 0, 2), due);

        // When
        queue.remove("first");

        // Then
        assertThat(poll(NOW)).isEmpty();
        assertThat(poll(due)).containsExactly("second");
        queue.remove("second");
        assertThat(queue.backoffCount()).isZero();
        assertThat(queue.equivalenceClasses()).isEmpty();
    }

    private void interrupt(QueueItem item, Moment due) {
        queue.activate(item);
        queue.poll(NOW, namespace -> true);
        var equivalenceClass = queue.equivalenceClass("hard");
        equivalenceClass.interrupted(new EquivalenceClass.Interruption(1, "node", due));
        queue.backOff(item, equivalenceClass);
    }

    private void refuse(QueueItem item, String requirements) {
        if (!queue.contains(item.uid())) {
            queue.activate(item);
            queue.poll(NOW, namespace -> true);
        }
        var equivalenceClass = queue.equivalenceClass(requirements);
        equivalenceClass.attempted(generations.latest());
        queue.unschedulable(item, equivalenceClass);
    }

    private List<String> poll(Moment now) {
        var polled = new ArrayList<String>();
        for (var next = queue.poll(now, namespace -> true);
                next.isPresent();
                next = queue.poll(now, namespace -> true)) {
            polled.add(next.get().name());
        }
        return polled;
    }

    private static QueueItem pod(String name, int priority, int second) {
        return pod("default", name, priority, second);
    }

    private static QueueItem pod(String namespace, String name, int priority, int second) {
        return new QueueItem(
                QueueItem.Kind.POD, namespace, name, name, priority, "2026-01-01T00:00:%02dZ".formatted(second));
    }
}
