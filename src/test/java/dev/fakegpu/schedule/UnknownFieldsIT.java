package dev.fakegpu.schedule;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.testing.RewritingProxy;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Claims and pods of an API server that has fields which the client does not know, wherever it may have some: no write removes one.
 */
class UnknownFieldsIT extends CompanionCluster {

    private static final String FUTURE = "futureField";

    private final RewritingProxy proxy = new RewritingProxy(client, UnknownFieldsIT::addUnknownFields);

    @Override
    KubernetesClient clientOfCompanion() {
        return proxy.client();
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    @Test
    void noWriteOfAClaimOrPodRemovesThem() {
        // When
        createClaim("shared");
        podWithClaim("a", "shared", "{}");
        podWithClaim("b", "shared", "{nodeSelector: {name: it-a}}");
        pod("impossible", "{nodeSelector: {name: nowhere}}");
        awaitNode("a");
        awaitRefused("impossible");
        delete("a");
        delete("b");
        await(() -> assertThat(claim("shared")).isNotAllocated());

        // Then
        List<String> writes = proxy.writes().stream()
                .filter(write -> write.contains("/resourceclaims/") || write.contains("/pods/"))
                .toList();
        assertThat(writes).hasSizeGreaterThan(4).noneMatch(write -> write.contains("\"" + FUTURE + "\":null"));
        // Lists are replaced as a whole, so what is in their elements has to be sent again.
        assertThat(writes)
                .filteredOn(write -> write.contains("\"reservedFor\":[") && write.contains("\"name\":\"a\",") && write.contains("\"name\":\"b\","))
                .allMatch(write -> write.contains(FUTURE));
    }

    private static void addUnknownFields(ObjectNode object) {
        object.withObject("/spec").withObject("/" + FUTURE).put("a", 1);
        addTo(object.withObject("/status"));
        object.withObject("/metadata").put(FUTURE, "x");
    }

    private static void addTo(JsonNode node) {
        if (node instanceof ObjectNode fields) {
            fields.properties().forEach(field -> {
                // Maps of strings and opaque JSON have no fields of their own.
                if (!List.of("data", "labels", "annotations", "consumedCapacity").contains(field.getKey())) {
                    addTo(field.getValue());
                }
            });
            fields.put(FUTURE, 7);
        } else {
            node.forEach(UnknownFieldsIT::addTo);
        }
    }
}
