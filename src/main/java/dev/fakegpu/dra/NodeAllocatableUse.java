package dev.fakegpu.dra;

import dev.fakegpu.dra.Device.NodeAllocatable;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the devices of a claim take of the resources of a pod's node ({@code NodeAllocatableResourceClaimStatus}, KEP-5517).
 *
 * @param claim the name of the claim, in the pod's namespace
 * @param containers the names of the pod's containers that refer to the claim, once for each reference
 * @param mapping by resource, such as cpu: the amount that the devices represent
 * @param overhead by resource: the amount that the pod needs in addition because of the devices
 */
public record NodeAllocatableUse(
        String claim,
        List<String> containers,
        SortedMap<String, Quantity> mapping,
        SortedMap<String, NodeAllocatable.Overhead> overhead) {

    public NodeAllocatableUse {
        containers = List.copyOf(containers);
        mapping = Collections.unmodifiableSortedMap(new TreeMap<>(mapping));
        overhead = Collections.unmodifiableSortedMap(new TreeMap<>(overhead));
    }

    /** What the pod takes of its node, by resource. Upstream: {@code addDRANodeAllocatableClaimResources}. */
    public SortedMap<String, Quantity> ofPod() {
        return total(containers.size());
    }

    /** The result of {@link #ofPod} as numbers. */
    public Map<String, BigDecimal> amounts() {
        return ofPod().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().value()));
    }

    /** What a container that refers to the claim may use, by resource. Upstream: {@code GetContainerDRAAllocations}. */
    public SortedMap<String, Quantity> ofContainer() {
        return total(1);
    }

    private SortedMap<String, Quantity> total(int references) {
        var total = new TreeMap<>(mapping);
        overhead.forEach((resource, more) -> {
            add(total, resource, more.perPod(), 1);
            add(total, resource, more.perContainer(), references);
        });
        return total;
    }

    private static void add(Map<String, Quantity> total, String resource, @Nullable Quantity amount, int times) {
        if (amount != null) {
            total.merge(resource, amount.times(times), Quantity::plus);
        }
    }
}
