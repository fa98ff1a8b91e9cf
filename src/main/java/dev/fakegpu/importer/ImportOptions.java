package dev.fakegpu.importer;

import java.util.List;
import java.util.Set;

/**
 * What may differ from the cluster that was copied.
 *
 * @param simulated whether nodes become simulated ones
 * @param nodeNames what the nodes are called, in the order of their old names; empty to keep those
 * @param withoutAttributes names of attributes to leave out, such as serial numbers that make every node different
 */
public record ImportOptions(boolean simulated, List<String> nodeNames, Set<String> withoutAttributes) {

    public static final ImportOptions NONE = new ImportOptions(false, List.of(), Set.of());

    public ImportOptions {
        nodeNames = List.copyOf(nodeNames);
        withoutAttributes = Set.copyOf(withoutAttributes);
    }
}
