package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@link CompactSlice}s as JSON straight from their values: a slice has thousands of them, and an object of the client's model for
 * each would take most of the time and memory of publishing. Writes what {@link SliceWriter} does.
 */
final class SliceJson extends JsonSerializer<CompactSlice> {

    @Override
    public void serialize(CompactSlice written, JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeStartObject();
        json.writeStringField("apiVersion", written.getApiVersion());
        json.writeStringField("kind", written.getKind());
        if (written.replaced() == null) {
            provider.defaultSerializeField("metadata", written.getMetadata(), json);
        } else {
            changes(written.getMetadata(), json, provider);
        }
        json.writeObjectFieldStart("spec");
        spec(written.slice(), written.replaced(), json, provider);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** For a merge patch: an annotation whose value is null is removed, which the client's model cannot express. */
    private static void changes(ObjectMeta metadata, JsonGenerator json, SerializerProvider provider)
            throws IOException {
        json.writeObjectFieldStart("metadata");
        json.writeStringField("name", metadata.getName());
        if (metadata.getResourceVersion() != null) {
            json.writeStringField("uid", metadata.getUid());
            json.writeStringField("resourceVersion", metadata.getResourceVersion());
        }
        provider.defaultSerializeField("labels", metadata.getLabels(), json);
        provider.defaultSerializeField("ownerReferences", metadata.getOwnerReferences(), json);
        json.writeObjectFieldStart("annotations");
        for (var annotation : metadata.getAnnotations().entrySet()) {
            json.writeStringField(annotation.getKey(), annotation.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    /** @param replaced for a merge patch: what this slice does not have and that one has is removed */
    private static void spec(Slice slice, @Nullable Slice replaced, JsonGenerator json, SerializerProvider provider)
            throws IOException {
        json.writeStringField("driver", slice.pool().driver());
        json.writeObjectFieldStart("pool");
        json.writeStringField("name", slice.pool().name());
        json.writeNumberField("generation", slice.generation());
        json.writeNumberField("resourceSliceCount", slice.sliceCount());
        json.writeEndObject();
        boolean isNodes = nodes(slice.nodes(), json, provider);
        if (!isNodes && !slice.selectsNodesPerDevice()) {
            throw new IllegalArgumentException("cannot publish a slice with " + slice.nodes());
        }
        if (replaced != null) {
            removeNodes(slice.nodes(), replaced.nodes(), json);
        }
        optional("perDeviceNodeSelection", slice.perDeviceNodeSelection(), replaced != null, json);
        optional("partitionTypeAttribute", slice.partitionTypeAttribute(), replaced != null, json);
        if (isWritten("skipNodeOperations", slice.skipNodeOperations(), replaced, json)) {
            texts(slice.skipNodeOperations(), json);
        }
        if (isWritten("sharedCounters", slice.counterSets(), replaced, json)) {
            counterSets(slice.counterSets(), json);
        }
        if (isWritten("devices", slice.devices(), replaced, json)) {
            json.writeStartArray();
            for (Device device : slice.devices()) {
                device(device, json, provider);
            }
            json.writeEndArray();
        }
    }

    /** Writes the name of a field with elements. The API server tells an empty list from none, so none is written as null. */
    private static boolean isWritten(String field, List<?> list, @Nullable Slice replaced, JsonGenerator json)
            throws IOException {
        if (!list.isEmpty()) {
            json.writeFieldName(field);
            return true;
        }
        if (replaced != null) {
            json.writeNullField(field);
        }
        return false;
    }

    private static void removeNodes(NodeSelection now, NodeSelection before, JsonGenerator json) throws IOException {
        if (before instanceof NodeSelection.AllNodes && !(now instanceof NodeSelection.AllNodes)) {
            json.writeNullField("allNodes");
        }
        if (before instanceof NodeSelection.Matching && !(now instanceof NodeSelection.Matching)) {
            json.writeNullField("nodeSelector");
        }
    }

    private static void optional(String field, @Nullable Object value, boolean writeNull, JsonGenerator json)
            throws IOException {
        if (value != null) {
            json.writeObjectField(field, value);
        } else if (writeNull) {
            json.writeNullField(field);
        }
    }

    /** @return whether there is anything to write */
    private static boolean nodes(@Nullable NodeSelection nodes, JsonGenerator json, SerializerProvider provider)
            throws IOException {
        if (nodes instanceof NodeSelection.NodeName node) {
            json.writeStringField("nodeName", node.name());
        } else if (nodes instanceof NodeSelection.Matching matching) {
            provider.defaultSerializeField("nodeSelector", NodeSelectors.write(matching.selector()), json);
        } else if (nodes instanceof NodeSelection.AllNodes) {
            json.writeBooleanField("allNodes", true);
        } else {
            return false;
        }
        return true;
    }

    private static void counterSets(List<CounterSet> sets, JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (CounterSet set : sets) {
            json.writeStartObject();
            json.writeStringField("name", set.name());
            counters(set.counters(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void device(Device device, JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", device.name());
        if (!device.attributes().isEmpty()) {
            json.writeObjectFieldStart("attributes");
            for (var attribute : device.attributes().entrySet()) {
                json.writeObjectFieldStart(attribute.getKey());
                attribute(attribute.getValue(), json);
                json.writeEndObject();
            }
            json.writeEndObject();
        }
        capacity(device.capacity(), json);
        consumption(device.consumesCounters(), json);
        taints(device.taints(), json);
        if (device.allowMultipleAllocations()) {
            json.writeBooleanField("allowMultipleAllocations", true);
        }
        binding(device.binding(), json);
        nodes(device.nodes(), json, provider);
        json.writeEndObject();
    }

    private static void binding(Device.Binding binding, JsonGenerator json) throws IOException {
        if (binding.bindsToNode()) {
            json.writeBooleanField("bindsToNode", true);
        }
        if (!binding.conditions().isEmpty()) {
            json.writeFieldName("bindingConditions");
            texts(binding.conditions(), json);
        }
        if (!binding.failureConditions().isEmpty()) {
            json.writeFieldName("bindingFailureConditions");
            texts(binding.failureConditions(), json);
        }
    }

    private static void attribute(AttributeValue value, JsonGenerator json) throws IOException {
        if (value instanceof AttributeValue.StringValue text) {
            json.writeStringField("string", text.value());
        } else if (value instanceof AttributeValue.IntValue number) {
            json.writeNumberField("int", number.value());
        } else if (value instanceof AttributeValue.BoolValue bool) {
            json.writeBooleanField("bool", bool.value());
        } else if (value instanceof AttributeValue.VersionValue version) {
            json.writeStringField("version", version.value());
        } else if (value instanceof AttributeValue.ListValue list) {
            json.writeArrayFieldStart(
                    switch (list.kind()) {
                        case STRING -> "strings";
                        case INT -> "ints";
                        case BOOL -> "bools";
                        case VERSION -> "versions";
                    });
            for (AttributeValue element : list.values()) {
                element(element, json);
            }
            json.writeEndArray();
        }
    }

    private static void element(AttributeValue element, JsonGenerator json) throws IOException {
        if (element instanceof AttributeValue.IntValue number) {
            json.writeNumber(number.value());
        } else if (element instanceof AttributeValue.BoolValue bool) {
            json.writeBoolean(bool.value());
        } else {
            json.writeString(element.toString());
        }
    }

    private static void capacity(Map<String, DeviceCapacity> capacity, JsonGenerator json) throws IOException {
        if (capacity.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("capacity");
        for (var entry : capacity.entrySet()) {
            json.writeObjectFieldStart(entry.getKey());
            json.writeStringField("value", entry.getValue().value().toString());
            if (entry.getValue().requestPolicy() != null) {
                policy(entry.getValue().requestPolicy(), json);
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void policy(DeviceCapacity.RequestPolicy policy, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("requestPolicy");
        quantity("default", policy.defaultValue(), json);
        if (!policy.validValues().isEmpty()) {
            json.writeArrayFieldStart("validValues");
            for (Quantity value : policy.validValues()) {
                json.writeString(value.toString());
            }
            json.writeEndArray();
        }
        DeviceCapacity.Range range = policy.validRange();
        if (range != null) {
            json.writeObjectFieldStart("validRange");
            quantity("min", range.min(), json);
            quantity("max", range.max(), json);
            quantity("step", range.step(), json);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void consumption(List<CounterConsumption> consumption, JsonGenerator json) throws IOException {
        if (consumption.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("consumesCounters");
        for (CounterConsumption entry : consumption) {
            json.writeStartObject();
            json.writeStringField("counterSet", entry.counterSet());
            counters(entry.counters(), json);
            if (!entry.compatibilityGroups().isEmpty()) {
                json.writeFieldName("compatibilityGroups");
                texts(entry.compatibilityGroups(), json);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void counters(Map<String, Quantity> counters, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("counters");
        for (var counter : counters.entrySet()) {
            json.writeObjectFieldStart(counter.getKey());
            json.writeStringField("value", counter.getValue().toString());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void taints(List<DeviceTaint> taints, JsonGenerator json) throws IOException {
        if (taints.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("taints");
        for (DeviceTaint taint : taints) {
            json.writeStartObject();
            json.writeStringField("key", taint.key());
            if (!taint.value().isEmpty()) {
                json.writeStringField("value", taint.value());
            }
            json.writeStringField("effect", taint.effect());
            if (taint.timeAdded() != null) {
                json.writeStringField("timeAdded", taint.timeAdded().toString());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void quantity(String field, @Nullable Quantity value, JsonGenerator json) throws IOException {
        if (value != null) {
            json.writeStringField(field, value.toString());
        }
    }

    private static void texts(List<String> texts, JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }
}
