package dev.fakegpu.operator.schedule.queue;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;

/**
 * Passes events to the scheduling thread, and knows the namespaces with new pods and claims that this thread has not handled yet because it
 * is in the middle of an attempt. Thread-safe.
 */
public final class Arrivals implements Executor {

    private final Executor schedulingThread;

    /** The number of events that have not been run, by namespace. */
    private final ConcurrentMap<String, Integer> events = new ConcurrentHashMap<>();

    public Arrivals(Executor schedulingThread) {
        this.schedulingThread = schedulingThread;
    }

    @Override
    public void execute(Runnable event) {
        schedulingThread.execute(event);
    }

    /** @param event queues a new pod or claim of the namespace; run by the scheduling thread */
    public void execute(String namespace, Runnable event) {
        events.merge(namespace, 1, Integer::sum);
        schedulingThread.execute(() -> {
            try {
                event.run();
            } finally {
                events.computeIfPresent(namespace, (same, count) -> count == 1 ? null : count - 1);
            }
        });
    }

    boolean includeOthersThan(String namespace) {
        return events.keySet().stream().anyMatch(each -> !each.equals(namespace));
    }
}
