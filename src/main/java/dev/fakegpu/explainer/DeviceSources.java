package dev.fakegpu.explainer;

import dev.fakegpu.cel.Selector;
import dev.fakegpu.cel.SelectorResult;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Slice;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Who has devices that requests select, whether they are free or not. For one thread. */
final class DeviceOwners {

    private final Map<Optional<DeviceOwner>, List<Slice>> slices;
    private final Map<String, DeviceClass> classes;
    private final Selectors selectors;
    private final Map<List<String>, Set<Optional<DeviceOwner>>> known = new HashMap<>();

    /**
     * @param slices of one pool of each FakeGpu, since all its nodes have the same; under the empty key those of drivers that are
     *     no FakeGpu
     */
    DeviceOwners(
            Map<Optional<DeviceOwner>, List<Slice>> slices, Map<String, DeviceClass> classes, Selectors selectors) {
        this.slices = slices;
        this.classes = classes;
        this.selectors = selectors;
    }

    /** Who has a device that the request wants; empty for those that are no FakeGpu. */
    Set<Optional<DeviceOwner>> of(ExactRequest request) {
        return matching(request.deviceClassName(), request.selectors());
    }

    /** Who has a device that the request's class is for, whatever the request wants beside that. */
    Set<Optional<DeviceOwner>> ofClass(ExactRequest request) {
        return matching(request.deviceClassName(), List.of());
    }

    private Set<Optional<DeviceOwner>> matching(String className, List<String> ofRequest) {
        DeviceClass deviceClass = classes.get(className);
        return deviceClass == null
                ? Set.of()
                : known.computeIfAbsent(
                        Stream.concat(deviceClass.selectors().stream(), ofRequest.stream())
                                .toList(),
                        this::find);
    }

    private Set<Optional<DeviceOwner>> find(List<String> expressions) {
        List<Selector> compiled = expressions.stream().map(selectors::compile).toList();
        var found = new HashSet<Optional<DeviceOwner>>();
        slices.forEach((owner, ofOwner) -> {
            if (ofOwner.stream().anyMatch(slice -> selectsAny(compiled, slice))) {
                found.add(owner);
            }
        });
        return Collections.unmodifiableSet(found);
    }

    private static boolean selectsAny(List<Selector> compiled, Slice slice) {
        return slice.devices().stream()
                .anyMatch(device -> compiled.stream()
                        .allMatch(selector ->
                                selector.evaluate(slice.pool().driver(), device) instanceof SelectorResult.Match));
    }
}
