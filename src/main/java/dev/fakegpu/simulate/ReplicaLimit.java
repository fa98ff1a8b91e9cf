package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.kube.manifest.KnownKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Limits the pods of workloads to a number that fits into memory. Not thread-safe. */
final class ReplicaLimit {

    /** The limit for one workload, which is many times what a simulation processes in a minute. */
    static final int MOST = 20_000;

    private final Set<String> notes = new LinkedHashSet<>();

    /** One sentence for each workload whose pods are limited. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** The object; with fewer pods if it is a workload with too many. */
    JsonNode limit(JsonNode object) {
        if (!KnownKind.isWorkload(object.path("kind").asText())) {
            return object;
        }
        ObjectNode copy = object.deepCopy();
        JsonNode spec = copy.path("spec");
        limit(copy, spec, "spec", "replicas", MOST);
        limit(copy, spec, "spec", "parallelism", MOST);
        limit(copy, spec.path("jobTemplate").path("spec"), "spec.jobTemplate.spec", "parallelism", MOST);
        JsonNode group = spec.path("leaderWorkerTemplate");
        limit(copy, group, "spec.leaderWorkerTemplate", "size", MOST);
        limit(
                copy,
                spec,
                "spec",
                "replicas",
                MOST / Math.max(1, group.path("size").asLong(1)));
        for (int i = 0; i < spec.path("replicatedJobs").size(); i++) {
            JsonNode replicated = spec.path("replicatedJobs").get(i);
            JsonNode job = replicated.path("template").path("spec");
            String path = "spec.replicatedJobs[" + i + "]";
            limit(copy, job, path + ".template.spec", "parallelism", MOST);
            limit(
                    copy,
                    replicated,
                    path,
                    "replicas",
                    MOST / Math.max(1, job.path("parallelism").asLong(1)));
        }
        return copy.equals(object) ? object : copy;
    }

    private void limit(JsonNode object, JsonNode part, String path, String field, long most) {
        long wanted = part.path(field).asLong();
        if (wanted > most && part instanceof ObjectNode parent) {
            notes.add("%s %s: %s.%s is %s, of which %s are played; what the others would need is not counted"
                    .formatted(
                            object.path("kind").asText(),
                            object.path("metadata").path("name").asText(),
                            path,
                            field,
                            wanted,
                            most));
            parent.put(field, most);
        }
    }
}
