package dev.fakegpu.hardware.importer;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options for how the FakeGpus should differ from the imported cluster.
 *
 * @param simulated whether the FakeGpus have simulated nodes
 * @param nodeNames new names of the nodes, in the order of their old names; empty to keep the old names
 * @param name the name of the FakeGpu, with a number if there are several; null for names made of driver and pool
 * @param withoutAttributes names of attributes to omit, such as serial numbers that make every node different
 */
public record ImportOptions(
        boolean simulated, List<String> nodeNames, @Nullable String name, Set<String> withoutAttributes) {

    public static final ImportOptions NONE = new ImportOptions(false, List.of(), null, Set.of());

    public ImportOptions {
        nodeNames = List.copyOf(nodeNames);
        withoutAttributes = Set.copyOf(withoutAttributes);
    }
}
