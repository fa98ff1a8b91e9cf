package dev.fakegpu.schedule;

import dev.fakegpu.dra.Allocation;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * One line for each decision, as {@code key=value}, with the rules that it was made by. Who is refused again for the same reason is
 * in the log only at level DEBUG.
 */
final class DecisionLog {
    private DecisionLog() {}

    private static final Logger LOG = Logger.getLogger(DecisionLog.class);

    /** @param taken from the decision until it was written */
    static void written(BindingPlan assignment, Duration taken) {
        QueueItem item = assignment.item();
        LOG.infof(
                "%s %s%s devices=[%s] %s ms=%d",
                item.kind() == QueueItem.Kind.POD ? "Scheduled" : "Allocated",
                of(item),
                assignment.node() == null ? "" : " node=" + assignment.node(),
                devices(assignment),
                assignment.options().rules(),
                taken.toMillis());
    }

    /** @param taken for the attempt, without the explanation */
    static void refused(QueueItem item, CompanionOptions options, Duration taken) {
        LOG.debugf("Unschedulable %s %s ms=%d", of(item), options.rules(), taken.toMillis());
    }

    static void explained(QueueItem item, CompanionOptions options, String explanation) {
        LOG.infof("Unschedulable %s %s: %s", of(item), options.rules(), explanation);
    }

    static void failed(QueueItem item, CompanionOptions options) {
        LOG.debugf("Error %s %s: it is decided anew", of(item), options.rules());
    }

    private static String of(QueueItem item) {
        return (item.kind() == QueueItem.Kind.POD ? "pod=" : "claim=") + item.namespace() + "/" + item.name();
    }

    private static String devices(BindingPlan assignment) {
        return assignment.steps().stream()
                .map(BindingPlan.Step::allocation)
                .filter(Objects::nonNull)
                .flatMap(DecisionLog::devices)
                .collect(Collectors.joining(" "));
    }

    private static Stream<String> devices(Allocation allocation) {
        return allocation.results().stream()
                .map(result -> result.device().pool() + "/" + result.device().device());
    }
}
