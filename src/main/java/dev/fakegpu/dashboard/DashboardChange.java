package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.fakegpu.dashboard.Dashboard.NodeView;
import dev.fakegpu.dashboard.Dashboard.Overview;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import dev.fakegpu.util.NaturalOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two pictures. In the JSON form, unchanged parts are omitted.
 *
 * @param overview the new overview; null if it has not changed
 * @param nodes new and changed nodes, complete
 * @param nodesGone the names of removed nodes
 * @param waiting new and changed entries, complete
 * @param waitingGone the ids of removed entries
 */
@JsonPropertyOrder({"overview", "nodes", "nodesGone", "waiting", "waitingGone"})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DashboardChange(
        @Nullable Overview overview,
        List<NodeView> nodes,
        List<String> nodesGone,
        List<WaitingView> waiting,
        List<String> waitingGone) {

    /** The order of nodes in pictures. */
    public static final Comparator<NodeView> NODES = Comparator.comparing(NodeView::name, NaturalOrder.OF_NAMES);

    /** The order of waiting entries in pictures. */
    public static final Comparator<WaitingView> WAITING =
            Comparator.comparing(WaitingView::since).thenComparing(WaitingView::id);

    public DashboardChange {
        nodes = List.copyOf(nodes);
        nodesGone = List.copyOf(nodesGone);
        waiting = List.copyOf(waiting);
        waitingGone = List.copyOf(waitingGone);
    }

    /** The difference; empty if there is none. */
    public static Optional<DashboardChange> between(Dashboard before, Dashboard after) {
        if (before.equals(after)) {
            return Optional.empty();
        }
        return Optional.of(new DashboardChange(
                before.overview().equals(after.overview()) ? null : after.overview(),
                changed(before.nodes(), after.nodes(), NodeView::name),
                gone(before.nodes(), after.nodes(), NodeView::name),
                changed(before.waiting(), after.waiting(), WaitingView::id),
                gone(before.waiting(), after.waiting(), WaitingView::id)));
    }

    private static <T> List<T> changed(List<T> before, List<T> after, Function<T, String> id) {
        Map<String, T> known = before.stream().collect(Collectors.toMap(id, Function.identity()));
        return after.stream()
                .filter(each -> !each.equals(known.get(id.apply(each))))
                .toList();
    }

    private static <T> List<String> gone(List<T> before, List<T> after, Function<T, String> id) {
        Set<String> left = after.stream().map(id).collect(Collectors.toSet());
        return before.stream().map(id).filter(each -> !left.contains(each)).toList();
    }
}
