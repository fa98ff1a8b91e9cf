package dev.fakegpu.engine.headroom;

import dev.fakegpu.util.TextTable;
import dev.fakegpu.util.WrappedText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats a {@link Room} as text. */
public final class RoomText {
    private RoomText() {}

    /**
     * Formats the text.
     *
     * @param what a plural noun for what is copied
     * @param problems why nodes were not considered, by name of the node
     */
    public static List<String> of(String what, Room room, Map<String, String> problems) {
        var lines = new ArrayList<String>();
        lines.add(room.atOnce() + " more " + what + " fit at once");
        if (!room.atOnce().isExact()) {
            lines.add("not exact: not all combinations were tried");
        }
        if (!room.inOrder().equals(room.atOnce())) {
            lines.add(room.inOrder() + " fit one after the other, each with the first devices that a scheduler finds");
        }
        lines.add("");
        lines.addAll(table(room));
        lines.addAll(notCounted(problems));
        return lines;
    }

    /** @param problems why nodes accept no more pods, by name of the node */
    public static List<String> notCounted(Map<String, String> problems) {
        Map<String, List<String>> nodes = new LinkedHashMap<>();
        problems.forEach((node, problem) ->
                nodes.computeIfAbsent(problem, ignored -> new ArrayList<>()).add(node));
        return nodes.entrySet().stream()
                .flatMap(entry ->
                        WrappedText.lines(
                                0, "not counted: " + String.join(", ", entry.getValue()) + ": " + entry.getKey())
                                .stream())
                .toList();
    }

    private static List<String> table(Room room) {
        var obstacles = new EnumMap<Obstacle, Integer>(Obstacle.class);
        room.nodes().forEach(node -> obstacles.putAll(node.refused()));
        var header = new ArrayList<>(List.of("NODE", "AT ONCE", "IN ORDER", "DEVICES"));
        obstacles.keySet().forEach(obstacle -> header.add(obstacle.name()));
        header.add("TAINTS");
        var rows = new ArrayList<List<String>>();
        rows.add(header);
        room.nodes().stream().filter(node -> node.selected() > 0).forEach(node -> {
            var row = new ArrayList<>(List.of(
                    node.node(), node.atOnce().toString(), node.inOrder().toString(), String.valueOf(node.selected())));
            obstacles
                    .keySet()
                    .forEach(obstacle -> row.add(String.valueOf(node.refused().getOrDefault(obstacle, 0))));
            row.add(node.taints().stream().map(String::valueOf).collect(Collectors.joining(",")));
            rows.add(row);
        });
        return TextTable.aligned(rows);
    }

    /** What ResourcePoolStatusRequest reports about a partition type, if it differs. */
    public static List<String> of(PoolStatusEstimate estimate, Collection<Room> rooms) {
        Count counted = rooms.stream().map(Room::atOnce).reduce(Count.NONE, Count::plus);
        if (estimate.costsDiffer().isEmpty() && counted.equals(Count.exactly(estimate.allocatable()))) {
            return List.of();
        }
        String pools = estimate.costsDiffer().isEmpty()
                ? ""
                : " and nothing about %s %s, where devices of the type consume different counters"
                        .formatted(
                                estimate.costsDiffer().size(),
                                estimate.costsDiffer().size() == 1 ? "pool" : "pools");
        String text =
                "A ResourcePoolStatusRequest says %s%s: it counts by counters only, not by groups, taints and nodes"
                        .formatted(estimate.allocatable(), pools);
        return Stream.concat(Stream.of(""), WrappedText.lines(0, text).stream()).toList();
    }

    static String code(Obstacle obstacle) {
        return obstacle.name().toLowerCase(Locale.ROOT);
    }
}
