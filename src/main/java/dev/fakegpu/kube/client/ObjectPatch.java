package dev.fakegpu.kube.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.function.UnaryOperator;

/**
 * Writes the difference between an object as it was read and the desired object, as a patch with the resource version and UID that were
 * read. Unlike an update, it preserves fields that this client does not know, and the bytes of opaque JSON. Opaque JSON that a patch adds
 * is stored as the API server formats it.
 *
 * <p>A status is written as a JSON patch (RFC 6902), because it may contain opaque JSON of users. The API server parses what a merge patch
 * adds again at each level of nesting, so an allocation with 24 deeply nested configurations would take it a minute and half a gigabyte.
 * Other changes are hardly nested. They are written as a JSON merge patch (RFC 7386), which depends less on which fields of an object the
 * operator has kept. {@code hack/bench writes} compares both with updates.
 *
 * <p>All methods return the object as stored after the write, or {@code before} if nothing differs. They throw
 * {@link KubernetesClientException}: 409 if the stored object is another version or another object of that name.
 */
public final class ObjectPatch {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final PatchContext OPERATIONS = PatchContext.of(PatchType.JSON);

    private static final int UNPROCESSABLE = 422;

    private static final ObjectMapper PATCHES = ClientSerialization.plainMapper();

    private ObjectPatch() {}

    /** Writes everything except the status. */
    public static <T extends HasMetadata> T update(KubernetesClient client, T before, T after) {
        ObjectNode patch = difference(tree(client, before), tree(client, after));
        patch.remove("status");
        if (patch.isEmpty()) {
            return before;
        }
        try {
            return client.resource(before).patch(MERGE, versioned(patch, before));
        } catch (KubernetesClientException e) {
            return orByBytes(
                    client,
                    before,
                    e,
                    bytes -> bytes.withMetadataOf((ResourceClaim) before, (ResourceClaim) after),
                    "");
        }
    }

    /** Writes only the status. */
    public static <T extends HasMetadata> T updateStatus(KubernetesClient client, T before, T after) {
        JsonNode desired = tree(client, after);
        JsonNode difference = difference(tree(client, before), desired).get("status");
        if (difference == null) {
            return before;
        }
        try {
            return client.resource(before)
                    .subresource("status")
                    .patch(OPERATIONS, text(statusOperations(before, difference, desired)));
        } catch (KubernetesClientException e) {
            return orByBytes(client, before, e, bytes -> bytes.withStatusOf((ResourceClaim) after), "/status");
        }
    }

    /**
     * Creates one operation for each field of the status that differs. No operation fails because of the stored content, since the status
     * always exists: {@code add} replaces an existing value, and adds null to remove a field.
     */
    private static ArrayNode statusOperations(HasMetadata before, JsonNode difference, JsonNode desired) {
        var operations = JsonNodeFactory.instance.arrayNode();
        add(operations, "/metadata/resourceVersion", before.getMetadata().getResourceVersion());
        add(operations, "/metadata/uid", before.getMetadata().getUid());
        difference
                .fieldNames()
                .forEachRemaining(field -> operation(operations, "/status/" + field)
                        .set("value", desired.path("status").get(field)));
        return operations;
    }

    /**
     * Writes a patch of a claim. The API server may reject it because JSON cannot reproduce the stored bytes of opaque parameters ("field
     * is immutable", "field cannot be modified once set"). Then the claim is written as protobuf. If something else is wrong with it, that
     * write is rejected, too.
     */
    @SuppressWarnings("unchecked")
    private static <T extends HasMetadata> T orByBytes(
            KubernetesClient client,
            T before,
            KubernetesClientException refusal,
            UnaryOperator<ClaimBytes> change,
            String subresource) {
        if (before instanceof ResourceClaim claim && refusal.getCode() == UNPROCESSABLE) {
            return (T) new ClaimByteWriter(client).write(claim, change, subresource);
        }
        throw refusal;
    }

    private static JsonNode tree(KubernetesClient client, HasMetadata object) {
        return client.getKubernetesSerialization().convertValue(object, JsonNode.class);
    }

    private static String versioned(ObjectNode patch, HasMetadata before) {
        patch.withObject("/metadata")
                .put("resourceVersion", before.getMetadata().getResourceVersion())
                .put("uid", before.getMetadata().getUid());
        return text(patch);
    }

    private static void add(ArrayNode operations, String path, String value) {
        operation(operations, path).put("value", value);
    }

    private static ObjectNode operation(ArrayNode operations, String path) {
        return operations.addObject().put("op", "add").put("path", path);
    }

    private static String text(JsonNode patch) {
        try {
            return PATCHES.writeValueAsString(patch);
        } catch (JsonProcessingException e) {
            throw KubernetesClientException.launderThrowable(e);
        }
    }

    /** The merge patch from {@code before} to {@code after}: removed fields are null, lists are replaced. */
    static ObjectNode difference(JsonNode before, JsonNode after) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        after.properties().forEach(field -> {
            JsonNode known = before.get(field.getKey());
            if (known == null || known.isNull()) {
                patch.set(field.getKey(), field.getValue());
            } else if (known.isObject() && field.getValue().isObject()) {
                ObjectNode inside = difference(known, field.getValue());
                if (!inside.isEmpty()) {
                    patch.set(field.getKey(), inside);
                }
            } else if (!known.equals(field.getValue())) {
                patch.set(field.getKey(), field.getValue());
            }
        });
        before.fieldNames().forEachRemaining(name -> {
            if (!after.has(name)) {
                patch.putNull(name);
            }
        });
        return patch;
    }
}
