package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.Device.NodeAllocatable;
import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.Quantity;
import io.fabric8.kubernetes.api.model.NodeAllocatableResourceClaimStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@code status.nodeAllocatableResourceClaimStatuses} of pods. The client's model has the field as it was before Kubernetes
 * 1.37, without {@code mapping} and {@code overhead}.
 */
public final class NodeAllocatableUses {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MAPPING = "mapping";
    private static final String OVERHEAD = "overhead";

    private NodeAllocatableUses() {}

    /** What the scheduler has recorded; empty if the devices take nothing of the pod's node. */
    public static List<NodeAllocatableUse> of(Pod pod) {
        return pod.getStatus() == null
                ? List.of()
                : SliceReader.mapAll(
                        pod.getStatus().getNodeAllocatableResourceClaimStatuses(), NodeAllocatableUses::read);
    }

    private static NodeAllocatableUse read(NodeAllocatableResourceClaimStatus stored) {
        JsonNode status = JSON.valueToTree(stored);
        return new NodeAllocatableUse(
                SliceReader.text(stored.getResourceClaimName()),
                SliceReader.copy(stored.getContainers()),
                byName(
                        status.path(MAPPING),
                        each -> Objects.requireNonNullElse(quantity(each.get("quantity")), Quantity.ZERO)),
                byName(
                        status.path(OVERHEAD),
                        each -> new NodeAllocatable.Overhead(
                                quantity(each.get("perPod")), quantity(each.get("perContainer")))));
    }

    private static <T> TreeMap<String, T> byName(JsonNode list, Function<JsonNode, T> value) {
        var byName = new TreeMap<String, T>();
        list.forEach(each -> byName.put(each.path("name").asText(), value.apply(each)));
        return byName;
    }

    private static @Nullable Quantity quantity(@Nullable JsonNode value) {
        return value == null || value.isNull() ? null : Quantity.parse(value.asText());
    }

    /** The pod with these uses in its status. Each container is listed once, as the API requires. */
    public static Pod in(Pod pod, List<NodeAllocatableUse> uses) {
        return new PodBuilder(pod)
                .editOrNewStatus()
                .withNodeAllocatableResourceClaimStatuses(
                        uses.stream().map(NodeAllocatableUses::write).toList())
                .endStatus()
                .build();
    }

    private static NodeAllocatableResourceClaimStatus write(NodeAllocatableUse use) {
        var status = new NodeAllocatableResourceClaimStatus(
                use.containers().stream().distinct().toList(), use.claim(), null);
        if (!use.mapping().isEmpty()) {
            status.setAdditionalProperty(
                    MAPPING,
                    use.mapping().entrySet().stream()
                            .map(each -> Map.of(
                                    "name",
                                    each.getKey(),
                                    "quantity",
                                    each.getValue().toString()))
                            .toList());
        }
        if (!use.overhead().isEmpty()) {
            status.setAdditionalProperty(
                    OVERHEAD,
                    use.overhead().entrySet().stream()
                            .map(each -> overhead(each.getKey(), each.getValue()))
                            .toList());
        }
        return status;
    }

    private static Map<String, String> overhead(String resource, NodeAllocatable.Overhead overhead) {
        var written = new LinkedHashMap<String, String>();
        written.put("name", resource);
        if (overhead.perPod() != null) {
            written.put("perPod", overhead.perPod().toString());
        }
        if (overhead.perContainer() != null) {
            written.put("perContainer", overhead.perContainer().toString());
        }
        return written;
    }
}
