package dev.fakegpu.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dashboard.Dashboard.NodeView;
import dev.fakegpu.dashboard.Dashboard.Overview;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DashboardChangeTest {

    private static Dashboard random(Random random) {
        List<NodeView> nodes = IntStream.range(0, 12)
                .filter(i -> random.nextInt(3) > 0)
                .mapToObj(i -> new NodeView("node-" + i, random.nextBoolean() ? "Ready" : "NotReady", true, List.of()))
                .toList();
        List<WaitingView> waiting = IntStream.range(0, 6)
                .filter(i -> random.nextBoolean())
                .mapToObj(
                        i -> waiting("pod-" + i, "2026-01-01T00:00:0" + i % 3 + "Z", "because of " + random.nextInt(2)))
                .sorted(DashboardChange.WAITING)
                .toList();
        return new Dashboard(new Overview("c" + random.nextInt(2), List.of(), List.of(), List.of()), nodes, waiting);
    }

    private static WaitingView waiting(String name, String since, String sentence) {
        return new WaitingView(
                "Pod/team/" + name,
                "Pod",
                "team",
                name,
                since,
                "DevicesInUse",
                sentence,
                "",
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                "",
                List.of(),
                List.of(),
                "");
    }

    /** The picture after the change, as browsers compute it. */
    private static Dashboard applied(DashboardChange change, Dashboard before) {
        return new Dashboard(
                Objects.requireNonNullElse(change.overview(), before.overview()),
                merged(before.nodes(), change.nodes(), change.nodesGone(), NodeView::name, DashboardChange.NODES),
                merged(
                        before.waiting(),
                        change.waiting(),
                        change.waitingGone(),
                        WaitingView::id,
                        DashboardChange.WAITING));
    }

    private static <T> List<T> merged(
            List<T> before, List<T> changed, List<String> gone, Function<T, String> id, Comparator<T> order) {
        var byId = new HashMap<String, T>();
        before.forEach(each -> byId.put(id.apply(each), each));
        byId.keySet().removeAll(gone);
        changed.forEach(each -> byId.put(id.apply(each), each));
        return byId.values().stream().sorted(order).toList();
    }

    @Test
    void turnsTheEarlierPictureIntoTheLaterOne() {
        var random = new Random(17);
        for (int i = 0; i < 500; i++) {
            Dashboard before = random(random);
            Dashboard after = random(random);
            Dashboard made = DashboardChange.between(before, after)
                    .map(change -> applied(change, before))
                    .orElse(before);
            assertThat(made).isEqualTo(after);
        }
    }

    @Test
    void isEmptyIfNothingChanges() {
        Dashboard one = random(new Random(1));

        assertThat(DashboardChange.between(one, random(new Random(1)))).isEmpty();
    }

    @Test
    void omitsUnchangedParts() throws JsonProcessingException {
        var overview = new Overview("c", List.of(), List.of(), List.of());
        var same = new NodeView("node-1", "Ready", false, List.of());
        var before =
                new Dashboard(overview, List.of(same, new NodeView("node-2", "Ready", false, List.of())), List.of());
        var after = new Dashboard(overview, List.of(same), List.of(waiting("a", "2026-01-01T00:00:00Z", "why")));

        String json = new ObjectMapper()
                .writeValueAsString(DashboardChange.between(before, after).orElseThrow());

        assertThat(json)
                .isEqualTo(
                        "{\"nodesGone\":[\"node-2\"],\"waiting\":[{\"id\":\"Pod/team/a\",\"kind\":\"Pod\",\"namespace\":\"team\","
                                + "\"name\":\"a\",\"since\":\"2026-01-01T00:00:00Z\",\"code\":\"DevicesInUse\",\"sentence\":\"why\"}]}");
    }
}
