package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.kube.manifest.KnownKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Keeps workloads from making more pods than fit into memory. Not thread-safe. */
final class ReplicaLimit {

    /** Of one workload; many times what a simulation plays in a minute. */
    static final int MOST = 20_000;

    private final Set<String> notes = new LinkedHashSet<>();

    /** What is not played, one sentence each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** The object; with fewer pods if it is a workload with too many. */
    JsonNode limit(JsonNode object) {
        String kind = object.path("kind").asText();
        if (!KnownKind.isWorkload(kind)) {
            return object;
        }
        JsonNode limited = object;
        for (String field : List.of("replicas", "parallelism")) {
            long wanted = limited.path("spec").path(field).asLong();
            if (wanted > MOST) {
                notes.add("%s %s: spec.%s is %s, of which %s pods are played; what the others would need is not counted"
                        .formatted(kind, object.path("metadata").path("name").asText(), field, wanted, MOST));
                ObjectNode copy = limited.deepCopy();
                copy.withObject("/spec").put(field, MOST);
                limited = copy;
            }
        }
        return limited;
    }
}
