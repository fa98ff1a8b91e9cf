package dev.fakegpu.hardware.inventory;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.AttributeSpec;
import dev.fakegpu.api.CustomSpec.CounterConsumption;
import dev.fakegpu.api.CustomSpec.CounterSet;
import dev.fakegpu.api.CustomSpec.Device;
import dev.fakegpu.api.NetworkDataSpec;
import dev.fakegpu.hardware.inventory.field.StatusData;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Visits all fields of a repeated entry of custom hardware that can depend on its indexes. */
abstract class Placeholders {

    /**
     * Replaces a text with placeholders such as {@code {die}}.
     *
     * @param field the path of the text
     * @return the replacement
     */
    abstract String inText(String field, String written);

    /**
     * Replaces an attribute whose value is an index.
     *
     * @param index the name of the index
     * @return the replacement
     */
    abstract AttributeSpec inAttribute(String field, AttributeSpec written, String index);

    /** The counter set without {@code repeat}, and with all placeholders replaced. */
    final CounterSet in(String field, CounterSet set) {
        return new CounterSet(
                replaced(field + ".name", set.name()),
                List.of(),
                replaced(field + ".includes", set.includes()),
                counters(field + ".counters", set.counters()));
    }

    /** The device without {@code repeat}, and with all placeholders replaced. */
    final Device in(String field, Device device) {
        return device.copy(
                replaced(field + ".name", device.name()),
                replaced(field + ".includes", device.includes()),
                attributes(field + ".attributes", device.attributes()),
                consumptions(field + ".consumesCounters", device.consumesCounters()),
                replaced(field + ".nodeName", device.nodeName()),
                networkData(field + ".networkData", device.networkData()));
    }

    private @Nullable NetworkDataSpec networkData(String field, @Nullable NetworkDataSpec data) {
        return data == null
                ? null
                : new NetworkDataSpec(
                        replaced(field + ".interfaceName", data.interfaceName()),
                        replaced(field + ".ips", data.ips()),
                        replaced(field + ".ipRanges", data.ipRanges()),
                        replaced(field + ".hardwareAddress", data.hardwareAddress()),
                        data.data() == null
                                ? null
                                : (ObjectNode) StatusData.map(field + ".data", data.data(), this::inText));
    }

    private List<CounterConsumption> consumptions(String field, List<CounterConsumption> consumptions) {
        var replaced = new ArrayList<CounterConsumption>();
        for (int i = 0; i < consumptions.size(); i++) {
            String at = field + "[" + i + "]";
            CounterConsumption consumption = consumptions.get(i);
            replaced.add(new CounterConsumption(
                    replaced(at + ".counterSet", consumption.counterSet()),
                    replaced(at + ".includes", consumption.includes()),
                    counters(at + ".counters", consumption.counters()),
                    replaced(at + ".compatibilityGroups", consumption.compatibilityGroups())));
        }
        return replaced;
    }

    /** If two names become the same, the second keeps its placeholder, which is then refused as malformed. */
    private Map<String, Quantity> counters(String field, Map<String, Quantity> counters) {
        var replaced = new LinkedHashMap<String, Quantity>();
        counters.forEach((name, quantity) -> {
            String changed = inText(field + "[" + name + "]", name);
            replaced.put(replaced.containsKey(changed) ? name : changed, quantity);
        });
        return replaced;
    }

    private Map<String, AttributeSpec> attributes(String field, Map<String, AttributeSpec> attributes) {
        var replaced = new LinkedHashMap<>(attributes);
        attributes.keySet().forEach(name -> {
            String at = field + "[" + name + "]";
            replaced.computeIfPresent(name, (same, attribute) -> attribute(at, attribute));
        });
        return replaced;
    }

    private AttributeSpec attribute(String field, AttributeSpec attribute) {
        if (attribute.index() != null) {
            return inAttribute(field + ".index", attribute, attribute.index());
        }
        return new AttributeSpec(
                replaced(field + ".string", attribute.stringValue()),
                attribute.intValue(),
                attribute.boolValue(),
                replaced(field + ".version", attribute.versionValue()),
                attribute.strings() == null ? null : replaced(field + ".strings", attribute.strings()),
                attribute.ints(),
                attribute.bools(),
                attribute.versions() == null ? null : replaced(field + ".versions", attribute.versions()),
                null);
    }

    private List<String> replaced(String field, List<String> texts) {
        var replaced = new ArrayList<String>();
        for (int i = 0; i < texts.size(); i++) {
            replaced.add(replaced(field + "[" + i + "]", texts.get(i)));
        }
        return replaced;
    }

    /** A missing text stays missing; another check refuses it. */
    @SuppressWarnings("NullAway")
    private String replaced(String field, @Nullable String text) {
        return text == null ? null : inText(field, text);
    }
}
