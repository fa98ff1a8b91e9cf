package dev.fakegpu.operator.publish.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceField;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which fields of ResourceSlices the API server stores. The OpenAPI document lists the fields of this version; a dry-run create
 * of slices with all fields shows which feature gates are off, because their fields are missing from the response. Needs no permissions
 * beyond those to write slices.
 */
final class FieldProbe {

    private static final String DOCUMENT = "apis/resource.k8s.io/v1";
    private static final String SCHEMA = "io.k8s.api.resource.v1.";
    private static final String PARTITION_TYPE = "probe.fakegpu.dev/type";
    private static final int UNPROCESSABLE = 422;

    /** For nodeAllocatableResources, the API server validates the node selection: a named node would have to exist. */
    private static final NodeSelection NO_NODE = new NodeSelection.Matching(NodeSelector.forNode("probe"));

    private static final Slice MOST = probeOfMost();

    /** Fields get their own slice if an API server refuses the slice with them, or without them. */
    private static final List<Slice> OTHERS = List.of(probeOfCounters(), probeOfLists(), probeOfNodeSelection());

    private final KubernetesClient client;
    private final ObjectMapper json = new ObjectMapper();
    private String documentUrl = "";
    private Set<SliceField> unknown = Set.of();

    FieldProbe(KubernetesClient client) {
        this.client = client;
    }

    /** @throws KubernetesClientException if the API server does not respond */
    ServedFields probe() {
        readDocument();
        var lost = EnumSet.noneOf(SliceField.class);
        lost.addAll(lost(MOST));
        OTHERS.forEach(probe -> lost.addAll(lostOrRefused(probe)));
        return new ServedFields(unknown, Set.of()).andDropped(lost);
    }

    /** The document is large, so it is read again only if its URL changes, which contains a hash of it. */
    private void readDocument() {
        String url = parse(client.raw("/openapi/v3"))
                .path("paths")
                .path(DOCUMENT)
                .path("serverRelativeURL")
                .asText();
        if (url.isEmpty() || url.equals(documentUrl)) {
            return;
        }
        JsonNode schemas = parse(client.raw(url)).path("components").path("schemas");
        var missing = EnumSet.noneOf(SliceField.class);
        for (SliceField field : SliceField.values()) {
            JsonNode type = schemas.path(SCHEMA + field.schema());
            if (!type.path("properties").has(field.property())) {
                missing.add(field);
            }
        }
        unknown = missing;
        documentUrl = url;
    }

    /** The fields that the API server dropped, or all fields of a slice that it refuses. */
    private Set<SliceField> lostOrRefused(Slice probe) {
        try {
            return lost(probe);
        } catch (KubernetesClientException e) {
            if (e.getCode() == UNPROCESSABLE) {
                return SliceField.usedBy(probe);
            }
            throw e;
        }
    }

    /** The fields that the API server dropped. A dry run stores nothing, so no watch ever sees these slices. */
    private Set<SliceField> lost(Slice probe) {
        var stored = client.resource(SliceWriter.write(probe))
                .dryRun()
                .fieldValidation(FieldValidateable.Validation.IGNORE)
                .create();
        return ServedFields.lost(probe, SliceReader.read(stored));
    }

    private JsonNode parse(String text) {
        try {
            return json.readTree(text);
        } catch (JsonProcessingException e) {
            throw new KubernetesClientException("the API server's OpenAPI document cannot be read", e);
        }
    }

    private static Slice probeOfMost() {
        var policy = new DeviceCapacity.RequestPolicy(Quantity.ONE, List.of(Quantity.ONE), null);
        var device = new Device(
                "probe",
                Map.of(),
                Map.of("probe", new DeviceCapacity(Quantity.ONE, policy)),
                List.of(),
                List.of(),
                false,
                null,
                new Device.Binding(true, List.of("probe"), List.of("failed")));
        return slice("most", NO_NODE, SliceField.withExamples(device)).withSkipNodeOperations(List.of("*"));
    }

    /** Kubernetes 1.34 refuses devices whose counter set is in another slice. */
    private static Slice probeOfCounters() {
        var consumption = new CounterConsumption("probe", Map.of("probe", Quantity.ONE), List.of("probe"));
        var device = plain(Map.of(PARTITION_TYPE, AttributeValue.of("probe")), null);
        return slice("counters", NO_NODE, device.withConsumesCounters(List.of(consumption)))
                .withPartitionTypeAttribute(PARTITION_TYPE);
    }

    private static Slice probeOfLists() {
        var attributes = Map.of("probe", AttributeValue.strings(List.of("a", "b")));
        return slice("lists", new NodeSelection.NodeName("probe"), plain(attributes, null));
    }

    private static Slice probeOfNodeSelection() {
        return slice("node-selection", new NodeSelection.None(), plain(Map.of(), new NodeSelection.AllNodes()));
    }

    private static Device plain(Map<String, AttributeValue> attributes, @Nullable NodeSelection nodes) {
        return new Device("probe", attributes, Map.of(), List.of(), List.of(), false, nodes, Device.Binding.NONE);
    }

    private static Slice slice(String name, NodeSelection nodes, Device device) {
        return new Slice(
                "fakegpu-operator-probe-" + name,
                new PoolId("probe.fakegpu.dev", "probe-" + name),
                1,
                1,
                nodes,
                nodes instanceof NodeSelection.None ? true : null,
                List.of(),
                List.of(device),
                List.of(),
                null);
    }
}
