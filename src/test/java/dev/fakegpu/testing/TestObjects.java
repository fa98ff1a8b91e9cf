package dev.fakegpu.testing;

import dev.fakegpu.api.FakeGpu;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;

/**
 * Single API objects for tests, without added fields. The metadata is a YAML value, such as {@code {name: a}}, which is followed by lines
 * such as {@code spec: {nodeName: node-1}}. Use {@link ClusterYaml} for whole clusters.
 */
public final class TestObjects {

    private TestObjects() {}

    public static FakeGpu fakeGpu(String metadata, String... lines) {
        return object(FakeGpu.class, metadata, lines);
    }

    public static Pod pod(String metadata, String... lines) {
        return object(Pod.class, metadata, lines);
    }

    public static Node node(String metadata, String... lines) {
        return object(Node.class, metadata, lines);
    }

    public static ResourceClaim claim(String metadata, String... lines) {
        return object(ResourceClaim.class, metadata, lines);
    }

    public static ResourceSlice slice(String metadata, String... lines) {
        return object(ResourceSlice.class, metadata, lines);
    }

    private static <T extends HasMetadata> T object(Class<T> type, String metadata, String... lines) {
        return Serialization.unmarshal("metadata: " + metadata + "\n" + String.join("\n", lines), type);
    }
}
