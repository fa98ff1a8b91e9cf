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
 * @param claim its name, in the pod's namespace
 * @param containers of the pod that refer to the claim, each as often as it does
 * @param mapping by resource, such as cpu: how much of it the devices are
 * @param overhead by resource: what the pod needs of it besides, because of the devices
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

    /** By resource, what the pod takes of its node. Upstream: {@code addDRANodeAllocatableClaimResources}. */
    public SortedMap<String, Quantity> ofPod() {
        return total(containers.size());
    }

    /** The numbers of {@link #ofPod}. */
    public Map<String, BigDecimal> amounts() {
        return ofPod().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().value()));
    }

    /** By resource, what a container that refers to the claim may use. Upstream: {@code GetContainerDRAAllocations}. */
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
