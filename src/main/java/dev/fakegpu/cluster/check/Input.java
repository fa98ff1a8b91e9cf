package dev.fakegpu.cluster.check;

import java.util.List;

/** What is checked together. */
public record Input(List<CheckedSlice> slices, List<CheckedClass> classes) {

    public Input {
        slices = List.copyOf(slices);
        classes = List.copyOf(classes);
    }

    /** Only the slices of a driver, and the classes that name it. */
    public Input ofDriver(String driver) {
        return new Input(
                slices.stream()
                        .filter(slice -> slice.pool().driver().equals(driver))
                        .toList(),
                classes.stream().filter(each -> each.isAbout(driver)).toList());
    }
}
