package dev.fakegpu.cluster.pending;

import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.cel.InterruptCheck;
import dev.fakegpu.engine.cel.Selector;
import dev.fakegpu.engine.cel.SelectorResult;
import dev.fakegpu.engine.cel.Selectors;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the FakeGpus with devices that a request selects, whether these are free or in use. Not thread-safe. */
final class DeviceSources {

    private final Map<Optional<DeviceSource>, List<Slice>> slices;
    private final Map<String, DeviceClass> classes;
    private final Selectors selectors;
    private final Map<List<String>, Set<Optional<DeviceSource>>> known = new HashMap<>();

    /**
     * @param slices the slices of one pool of each FakeGpu, which is enough because the pools of all its nodes are alike; the empty key has
     *     the slices that belong to no FakeGpu
     */
    DeviceSources(
            Map<Optional<DeviceSource>, List<Slice>> slices, Map<String, DeviceClass> classes, Selectors selectors) {
        this.slices = slices;
        this.classes = classes;
        this.selectors = selectors;
    }

    /**
     * Returns the sources with a device that the request selects; the empty source stands for devices that belong to no FakeGpu.
     *
     * @throws EvaluationInterrupted if the check ends the evaluation of a selector
     */
    Set<Optional<DeviceSource>> of(ExactRequest request, InterruptCheck check) {
        return matching(request.deviceClassName(), request.selectors(), check);
    }

    /** Does the same for the request's class, and ignores the request's own selectors. */
    Set<Optional<DeviceSource>> ofClass(ExactRequest request, InterruptCheck check) {
        return matching(request.deviceClassName(), List.of(), check);
    }

    private Set<Optional<DeviceSource>> matching(String className, List<String> ofRequest, InterruptCheck check) {
        DeviceClass deviceClass = classes.get(className);
        return deviceClass == null
                ? Set.of()
                : known.computeIfAbsent(
                        Stream.concat(deviceClass.selectors().stream(), ofRequest.stream())
                                .toList(),
                        expressions -> find(expressions, check));
    }

    private Set<Optional<DeviceSource>> find(List<String> expressions, InterruptCheck check) {
        List<Selector> compiled = expressions.stream().map(selectors::compile).toList();
        var found = new HashSet<Optional<DeviceSource>>();
        slices.forEach((source, ofSource) -> {
            if (ofSource.stream().anyMatch(slice -> selectsAny(compiled, slice, check))) {
                found.add(source);
            }
        });
        return Collections.unmodifiableSet(found);
    }

    private static boolean selectsAny(List<Selector> compiled, Slice slice, InterruptCheck check) {
        return slice.devices().stream()
                .anyMatch(device -> compiled.stream()
                        .allMatch(selector -> selector.evaluate(slice.pool().driver(), device, check)
                                instanceof SelectorResult.Match));
    }
}
