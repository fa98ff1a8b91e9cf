package dev.fakegpu.e2e.faults;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.OperatorProcess;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests an API server that has unknown fields in all possible places: no write of the operator removes one. {@code NewerApiServerE2E} shows
 * that such fields stay stored, for the few that Kubernetes really has.
 */
@Tag("long")
class UnknownFieldsE2E {

    private static final String GPU = "gpu.example.com";
    private static final String STATUS = "/status/";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String[] KINDS = {
        "pods",
        "pods/status",
        "resourceclaims",
        "resourceclaims/status",
        "nodes",
        "nodes/status",
        "resourceslices",
        "deviceclasses",
        "fakegpus",
        "fakegpus/status"
    };

    /** The fields that identify the elements of a list; the first one that an element has is used. */
    private static final List<String> KEYS = List.of("type", "device", "name");

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withControllerManager().withoutOperator();

    @Test
    void writesKeepUnknownFields() {
        try (var proxy = FaultProxy.to(cluster.controlPlane().config(), 0)) {
            proxy.recordWrites();
            proxy.inject(FaultRule.always(new Fault.Rewritten(ObjectRewrite.unknownFields()))
                    .of(KINDS));
            try (var operator = OperatorProcess.start(cluster.controlPlane(), proxy.address(), Map.of());
                    var scenario = cluster.scenario(AllocatorName.Companion)) {
                // When
                scenario.apply("example-3.yaml");
                scenario.claim("shared", GPU, "mig-1g");
                scenario.pod("a", "shared");
                scenario.awaitRunning("a");
                scenario.pod("b", "shared");
                scenario.awaitRunning("b");
                scenario.podWithClaim("impossible", GPU, "nothing");
                scenario.awaitUnschedulable("impossible");
                String node = scenario.storedPod("a").getSpec().getNodeName();
                makeNotReady(node);
                scenario.await(() -> assertThat(Readiness.isNodeReady(
                                cluster.client().nodes().withName(node).require()))
                        .isTrue());
                scenario.deletePod("a");
                scenario.deletePod("b");
                scenario.await(() -> assertThat(scenario.storedClaim("shared")).isNotAllocated());

                // Then
                operator.assertHealthy();
                List<FaultProxy.Write> writes = patches(proxy);
                assertThat(writes)
                        .extracting(write -> write.request().resource())
                        .contains("resourceclaims", "resourceclaims/status", "pods/status", "nodes/status");
                assertThat(proxy.stored())
                        .filteredOn(
                                write -> List.of(KINDS).contains(write.request().resource()))
                        .isNotEmpty()
                        .noneMatch(write -> write.request().verb().equals("update"))
                        .noneMatch(write -> write.body().contains("\"" + ObjectRewrite.FUTURE + "\":null"));
                assertThat(elementsWrittenAgain(writes)).isGreaterThan(2);
            }
        }
    }

    /**
     * The merge patches and JSON patches. Other writes, server-side apply and strategic merge patches, do not touch fields that they do not
     * contain, even in list elements.
     */
    private static List<FaultProxy.Write> patches(FaultProxy proxy) {
        return proxy.stored().stream()
                .filter(write -> write.contentType().startsWith("application/merge-patch+json")
                        || write.contentType().startsWith("application/json-patch+json"))
                .toList();
    }

    /** The node lifecycle controller does this; the operator then writes the node's status as its kubelet would. */
    private static void makeNotReady(String node) {
        cluster.client()
                .nodes()
                .withName(node)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.STRATEGIC_MERGE),
                        "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"Unknown\",\"reason\":\"NodeStatusUnknown\"}]}}");
    }

    /** Both kinds of patch replace lists as a whole, so the fields of list elements that were stored before must be sent again. */
    private static int elementsWrittenAgain(List<FaultProxy.Write> writes) {
        int again = 0;
        Map<String, Set<String>> known = new HashMap<>();
        for (FaultProxy.Write write : writes) {
            Set<String> before = known.computeIfAbsent(write.uri(), ignored -> new HashSet<>());
            var elements = new HashMap<String, JsonNode>();
            collect("", status(write), elements);
            for (var element : elements.entrySet()) {
                if (!before.add(element.getKey())) {
                    again++;
                    assertThat(element.getValue().has(ObjectRewrite.FUTURE))
                            .as("%s in %s", element.getKey(), write)
                            .isTrue();
                }
            }
        }
        return again;
    }

    /** The status after the patch; the operations of a JSON patch add its fields. */
    private static JsonNode status(FaultProxy.Write write) {
        JsonNode patch = read(write.body());
        if (!patch.isArray()) {
            return patch.path("status");
        }
        var status = JSON.createObjectNode();
        patch.forEach(operation -> {
            String path = operation.path("path").asText();
            if (path.startsWith(STATUS)) {
                status.set(path.substring(STATUS.length()), operation.path("value"));
            }
        });
        return status;
    }

    private static void collect(String path, JsonNode node, Map<String, JsonNode> elements) {
        node.properties().forEach(field -> {
            String inside = path + "/" + field.getKey();
            field.getValue().forEach(element -> {
                if (field.getValue().isArray() && element.isObject()) {
                    KEYS.stream()
                            .filter(element::has)
                            .findFirst()
                            .ifPresent(key -> elements.put(inside + "/" + element.get(key), element));
                }
            });
            collect(inside, field.getValue(), elements);
        });
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }
}
