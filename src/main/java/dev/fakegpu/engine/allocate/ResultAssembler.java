package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.OpaqueConfig;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the picks for a claim to an allocation, as upstream does at the end of {@code Allocate}. */
final class ResultAssembler {

    private final NodeInfo node;
    private final PartialAllocation partial;
    private final boolean bindingConditions;

    ResultAssembler(NodeInfo node, PartialAllocation partial, AllocatorOptions options) {
        this.node = node;
        this.partial = partial;
        bindingConditions = options.has(Feature.DEVICE_BINDING_AND_STATUS);
    }

    /**
     * Assembles the allocation of a claim.
     *
     * @param variants for each request of the claim, the variant that was satisfied
     * @param picks the picks for the claim, in their order
     * @throws AllocationException if a slice has a node selector that cannot be merged
     */
    Allocation assemble(Claim claim, List<RequestVariant> variants, List<PartialAllocation.Pick> picks) {
        var results = new ArrayList<Allocation.Result>(picks.size());
        for (PartialAllocation.Pick pick : picks) {
            results.add(result(pick));
        }
        return new Allocation(results, configs(claim, variants), nodeSelector(claim, picks));
    }

    private PoolDevice device(PartialAllocation.Pick pick) {
        return partial.state(pick.pool()).pool().devices().get(pick.device());
    }

    private Allocation.Result result(PartialAllocation.Pick pick) {
        PoolDevice device = device(pick);
        Device.Binding binding = device.device().binding();
        return new Allocation.Result(
                pick.variant().resultName(),
                device.id(),
                pick.variant().isAdmin(),
                pick.variant().request().tolerations(),
                partial.share(pick),
                bindingConditions ? binding : Device.Binding.NONE,
                device.slice().skipNodeOperations());
    }

    private static List<Allocation.Config> configs(Claim claim, List<RequestVariant> variants) {
        var configs = new ArrayList<Allocation.Config>();
        requestsByClass(variants)
                .forEach((deviceClass, requests) -> deviceClass
                        .configs()
                        .forEach(config -> configs.add(
                                config(Allocation.Source.FromClass, config.forRequests(requests), variants))));
        for (OpaqueConfig config : claim.configs()) {
            if (config.requests().isEmpty()
                    || variants.stream().anyMatch(variant -> variant.isNamedIn(config.requests()))) {
                configs.add(config(Allocation.Source.FromClaim, config, variants));
            }
        }
        return configs;
    }

    /** Each class occurs once, in the order of first use, with all requests that use it. */
    private static Map<DeviceClass, List<String>> requestsByClass(List<RequestVariant> variants) {
        var byClass = new LinkedHashMap<DeviceClass, List<String>>();
        for (RequestVariant variant : variants) {
            if (!variant.deviceClass().configs().isEmpty()) {
                byClass.computeIfAbsent(variant.deviceClass(), ignored -> new ArrayList<>())
                        .add(variant.resultName());
            }
        }
        return byClass;
    }

    /** The names of requests are omitted from a config that applies to every request of the claim. */
    private static Allocation.Config config(
            Allocation.Source source, OpaqueConfig config, List<RequestVariant> variants) {
        boolean isForAll = variants.stream().allMatch(variant -> variant.isNamedIn(config.requests()));
        return new Allocation.Config(source, isForAll ? config.forRequests(List.of()) : config);
    }

    private @Nullable NodeSelector nodeSelector(Claim claim, List<PartialAllocation.Pick> picks) {
        List<NodeSelector.Requirement> fields = new ArrayList<>();
        List<NodeSelector.Requirement> expressions = new ArrayList<>();
        for (PartialAllocation.Pick pick : picks) {
            PoolDevice device = device(pick);
            NodeSelection nodes = device.nodes();
            if (device.device().binding().bindsToNode()
                    || nodes instanceof NodeSelection.NodeName
                    || nodes instanceof NodeSelection.WithEmptyNodeName) {
                return NodeSelector.forNode(node.name());
            }
            if (nodes instanceof NodeSelection.Matching matching) {
                NodeSelector.Term term = onlyTerm(claim, matching.selector());
                term.fields().forEach(requirement -> addNew(fields, requirement));
                term.expressions().forEach(requirement -> addNew(expressions, requirement));
            }
        }
        return fields.isEmpty() && expressions.isEmpty()
                ? null
                : new NodeSelector(List.of(new NodeSelector.Term(expressions, fields)));
    }

    private static NodeSelector.Term onlyTerm(Claim claim, NodeSelector selector) {
        if (selector.terms().size() != 1) {
            throw new AllocationException("create NodeSelector for claim " + claim.ref()
                    + ": unsupported ResourceSlice.NodeSelector with "
                    + selector.terms().size() + " terms");
        }
        return selector.terms().get(0);
    }

    private static void addNew(List<NodeSelector.Requirement> requirements, NodeSelector.Requirement candidate) {
        boolean known = requirements.stream()
                .anyMatch(existing -> existing.key().equals(candidate.key())
                        && existing.operator().equals(candidate.operator())
                        && new HashSet<>(existing.values()).equals(new HashSet<>(candidate.values())));
        if (!known) {
            requirements.add(candidate);
        }
    }
}
