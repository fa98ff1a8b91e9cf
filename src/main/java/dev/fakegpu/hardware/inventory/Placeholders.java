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

/** Goes through the places of a repeated entry of custom hardware that can depend on its indexes. */
abstract class Placeholders {

    /**
     * A text with placeholders such as {@code {die}}.
     *
     * @param field where it is
     * @return the text that replaces it
     */
    abstract String inText(String field, String written);

    /**
     * An attribute that is an index.
     *
     * @param index its name
     * @return the attribute that replaces it
     */
    abstract AttributeSpec inAttribute(String field, AttributeSpec written, String index);

    /** The counter set without {@code repeat}. */
    final CounterSet in(String field, CounterSet set) {
        return new CounterSet(
                replaced(field + ".name", set.name()),
                List.of(),
                replaced(field + ".includes", set.includes()),
                counters(field + ".counters", set.counters()));
    }

    /** The device without {@code repeat}. */
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

    /** Of two names that become the same, the second stays as it is written, which is refused as malformed. */
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

    /** What is missing stays so, because it is refused later. */
    @SuppressWarnings("NullAway")
    private String replaced(String field, @Nullable String text) {
        return text == null ? null : inText(field, text);
    }
}
