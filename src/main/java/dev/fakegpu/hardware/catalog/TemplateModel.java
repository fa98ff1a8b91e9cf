package dev.fakegpu.hardware.catalog;

import dev.fakegpu.api.CustomSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hardware of any kind, such as network cards and CPUs, whose devices are written as in {@code spec.custom}. A node has {@code spec.count}
 * units of it.
 *
 * @param name the value of {@code spec.model}
 * @param aliases other names; null for none
 * @param template the devices of a unit
 */
public record TemplateModel(String name, @Nullable List<String> aliases, Template template) implements Model {

    public TemplateModel {
        Names.check(name, aliases);
    }

    /**
     * The devices of a unit.
     *
     * @param kind the kind of the unit, for which node profiles have places
     * @param hardware the counter sets and devices of one unit, with placeholders for what differs between units
     */
    public record Template(Provenance provenance, String kind, CustomSpec hardware) {

        private static final List<String> KINDS = List.of("nic", "cpu", "memory", "gpu");

        public Template {
            Invalid.when(!KINDS.contains(kind), "kind \"%s\" is none of %s", kind, KINDS);
        }
    }
}
