package dev.fakegpu.testing;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** API objects as YAML documents, parsed as clients do. UIDs and creation timestamps may be omitted. */
public final class ClusterYaml {

    private static final KubernetesSerialization SERIALIZATION = serialization();

    private ClusterYaml() {}

    private static KubernetesSerialization serialization() {
        var mapper = ClientSerialization.mapper();
        var serialization = new KubernetesSerialization(mapper, true);
        serialization.registerKubernetesResource(FakeGpu.class);
        serialization.registerKubernetesResource(PodGroup.class);
        return serialization;
    }

    /** The objects in order, with UIDs made from their kinds and names. */
    public static List<HasMetadata> objects(String... yaml) {
        return documents(yaml).<HasMetadata>map(ClusterYaml::object).toList();
    }

    /** The objects as JSON, without added fields. */
    public static List<JsonNode> json(String... yaml) {
        return documents(yaml)
                .map(document -> SERIALIZATION.unmarshal("---\n" + document, JsonNode.class))
                .toList();
    }

    private static Stream<String> documents(String... yaml) {
        return Arrays.stream(yaml)
                .flatMap(documents -> Arrays.stream(documents.split("(?m)^---$")))
                .filter(document -> !document.isBlank());
    }

    /** A single object. */
    public static <T extends HasMetadata> T object(String document) {
        T object = SERIALIZATION.unmarshal("---\n" + document); // otherwise a flow mapping would be read as JSON
        var metadata = object.getMetadata();
        if (metadata.getUid() == null) {
            metadata.setUid(object.getKind() + "-" + metadata.getName());
        }
        if (metadata.getCreationTimestamp() == null) {
            metadata.setCreationTimestamp("2026-01-01T00:00:00Z");
        }
        return object;
    }
}
