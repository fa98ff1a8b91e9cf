package dev.fakegpu.allocate;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.OpaqueConfig;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes up what the search picked for a claim as upstream does at the end of {@code Allocate}. */
final class ResultAssembler {

    private final Node node;
    private final Map<String, DeviceClass> classes;

    ResultAssembler(Node node, Map<String, DeviceClass> classes) {
        this.node = node;
        this.classes = classes;
    }

    /** @throws AllocationException if a slice has a node selector that cannot be merged */
    Allocation assemble(Claim claim, List<Search.Pick> picks) {
        List<Allocation.Result> results = picks.stream()
                .map(pick -> new Allocation.Result(
                        pick.demand().request().name(),
                        pick.device().id(),
                        pick.demand().request().tolerations()))
                .toList();
        return new Allocation(results, configs(claim), nodeSelector(claim, picks));
    }

    private List<Allocation.Config> configs(Claim claim) {
        var configs = new ArrayList<Allocation.Config>();
        requestsByClass(claim)
                .forEach((className, requests) -> classConfigs(className)
                        .forEach(config -> configs.add(
                                new Allocation.Config(Allocation.Source.FromClass, config.forRequests(requests)))));
        claim.configs().stream()
                .filter(config -> config.requests().isEmpty() || concerns(claim, config))
                .forEach(config -> configs.add(new Allocation.Config(Allocation.Source.FromClaim, config)));
        return configs.stream()
                .map(config -> coversAll(claim, config.opaque())
                        ? new Allocation.Config(config.source(), config.opaque().forRequests(List.of()))
                        : config)
                .toList();
    }

    /** Each class once, at the place of the first request that uses it, with all requests that do. */
    private static Map<String, List<String>> requestsByClass(Claim claim) {
        var byClass = new LinkedHashMap<String, List<String>>();
        for (DeviceRequest request : claim.requests()) {
            byClass.computeIfAbsent(
                            java.util.Objects.requireNonNull(request.exactly()).deviceClassName(),
                            ignored -> new ArrayList<>())
                    .add(request.name());
        }
        return byClass;
    }

    private List<OpaqueConfig> classConfigs(String className) {
        DeviceClass deviceClass = classes.get(className);
        return deviceClass == null ? List.of() : deviceClass.configs();
    }

    private static boolean concerns(Claim claim, OpaqueConfig config) {
        return claim.requests().stream().anyMatch(request -> config.requests().contains(request.name()));
    }

    private static boolean coversAll(Claim claim, OpaqueConfig config) {
        return claim.requests().stream().allMatch(request -> config.requests().contains(request.name()));
    }

    private @Nullable NodeSelector nodeSelector(Claim claim, List<Search.Pick> picks) {
        var fields = new ArrayList<NodeSelector.Requirement>();
        var expressions = new ArrayList<NodeSelector.Requirement>();
        for (Search.Pick pick : picks) {
            NodeSelection nodes = pick.device().nodes();
            if (nodes instanceof NodeSelection.NodeName) {
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
