package dev.fakegpu.engine.headroom;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@link Room} as JSON, for each scheduler whose devices the claims select.
 *
 * @param nodesNotCounted why nodes accept no pods, by name of the node
 * @param resourcePoolStatusRequest what Kubernetes reports about the partition type; absent if the question was not about one
 */
@JsonPropertyOrder({"schedulers", "nodesNotCounted", "resourcePoolStatusRequest"})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RoomJson(
        List<OfScheduler> schedulers,
        Map<String, String> nodesNotCounted,
        @Nullable Estimate resourcePoolStatusRequest) {

    /** The devices that one scheduler allocates. */
    @JsonPropertyOrder({"scheduler", "atOnce", "inOrder", "nodes"})
    public record OfScheduler(String scheduler, Number atOnce, Number inOrder, List<OfNode> nodes) {}

    /** A number. Both bounds are equal if it is exact, and {@code atMost} is absent if there is no limit. */
    @JsonPropertyOrder({"atLeast", "atMost"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @SuppressWarnings("JavaLangClash")
    public record Number(@Nullable Long atLeast, @Nullable Long atMost) {

        static Number of(Count count) {
            return new Number(limited(count.atLeast()), limited(count.atMost()));
        }

        private static @Nullable Long limited(long number) {
            return number == Count.UNLIMITED ? null : Long.valueOf(number);
        }
    }

    /** JSON of {@link Room.OfNode}. */
    @JsonPropertyOrder({"node", "atOnce", "inOrder", "devices", "refused", "taints"})
    public record OfNode(
            String node,
            Number atOnce,
            Number inOrder,
            int devices,
            Map<String, Integer> refused,
            List<String> taints) {}

    /** JSON of {@link PoolStatusEstimate}. */
    @JsonPropertyOrder({"allocatable", "partitionCostMismatch"})
    public record Estimate(long allocatable, List<String> partitionCostMismatch) {}

    /** @param rooms the rooms by scheduler */
    public static RoomJson of(
            Map<String, Room> rooms, Map<String, String> problems, Optional<PoolStatusEstimate> estimate) {
        return new RoomJson(
                rooms.entrySet().stream()
                        .map(entry -> new OfScheduler(
                                entry.getKey(),
                                Number.of(entry.getValue().atOnce()),
                                Number.of(entry.getValue().inOrder()),
                                nodes(entry.getValue()).toList()))
                        .toList(),
                problems,
                estimate.map(answer -> new Estimate(
                                answer.allocatable(),
                                answer.costsDiffer().stream()
                                        .map(String::valueOf)
                                        .sorted()
                                        .toList()))
                        .orElse(null));
    }

    private static Stream<OfNode> nodes(Room room) {
        return room.nodes().stream().filter(node -> node.selected() > 0).map(node -> {
            var refused = new TreeMap<String, Integer>();
            node.refused().forEach((obstacle, devices) -> refused.put(RoomText.code(obstacle), devices));
            return new OfNode(
                    node.node(),
                    Number.of(node.atOnce()),
                    Number.of(node.inOrder()),
                    node.selected(),
                    refused,
                    node.taints().stream().map(String::valueOf).toList());
        });
    }
}
