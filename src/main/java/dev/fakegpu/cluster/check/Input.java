package dev.fakegpu.cluster.check;

import java.util.List;

/** What is checked together. */
public record Input(List<CheckedSlice> slices, List<CheckedClass> classes, List<CheckedObject> objects) {

    public Input {
        slices = List.copyOf(slices);
        classes = List.copyOf(classes);
        objects = List.copyOf(objects);
    }

    public boolean isEmpty() {
        return slices.isEmpty() && classes.isEmpty() && objects.isEmpty();
    }

    /** Only the slices of a driver, and the classes and other objects that name it. */
    public Input ofDriver(String driver) {
        return new Input(
                slices.stream()
                        .filter(slice -> slice.pool().driver().equals(driver))
                        .toList(),
                classes.stream().filter(each -> each.isAbout(driver)).toList(),
                objects.stream().filter(each -> each.isAbout(driver)).toList());
    }
}
