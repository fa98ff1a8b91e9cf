package dev.fakegpu.cluster.check;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * The objects that are checked together.
 *
 * @param fakeGpus the name of one FakeGpu for each driver and node that has any
 * @param nodes the allocatable resources of nodes, by name
 */
public record Input(
        List<CheckedSlice> slices,
        List<CheckedClass> classes,
        List<CheckedObject> objects,
        Map<DriverNode, String> fakeGpus,
        Map<String, Map<String, BigDecimal>> nodes) {

    /** A driver on a node. */
    public record DriverNode(String driver, String node) {}

    public Input {
        slices = List.copyOf(slices);
        classes = List.copyOf(classes);
        objects = List.copyOf(objects);
        fakeGpus = Map.copyOf(fakeGpus);
        nodes = Map.copyOf(nodes);
    }

    public boolean isEmpty() {
        return slices.isEmpty() && classes.isEmpty() && objects.isEmpty();
    }

    /** Only the slices of a driver, and the classes and other objects that refer to it. */
    public Input ofDriver(String driver) {
        return new Input(
                slices.stream()
                        .filter(slice -> slice.pool().driver().equals(driver))
                        .toList(),
                classes.stream().filter(each -> each.isAbout(driver)).toList(),
                objects.stream().filter(each -> each.isAbout(driver)).toList(),
                fakeGpus,
                nodes);
    }
}
