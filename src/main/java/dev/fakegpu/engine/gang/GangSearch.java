package dev.fakegpu.engine.gang;

import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SearchLimit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds nodes and devices for as many members of a gang as possible, if these are enough, and for none otherwise.
 *
 * <p>Each member is put on the first node with place for it, in the order of the members, as kube-scheduler does. Where that does not
 * serve all, other nodes are tried for those that came before, and the devices of all members are chosen together, also those that several
 * nodes can access. So a place is found where there is one, unless a limit is reached. With two exceptions: nodes that share a device do
 * not get other shares of it, and where it matters on which nodes other members are, no other nodes are tried, which kube-scheduler does not
 * do either.
 */
public final class GangSearch {

    /** How many allocations may be tried to distribute the devices that nodes share. After that, nodes get them in the order of members. */
    private static final long MAX_DISTRIBUTIONS = 1_000;

    private final GangProblem problem;
    private final SearchLimit limit;
    private final int maxSteps;

    private GangSearch(GangProblem problem, SearchLimit limit, int maxSteps) {
        this.problem = problem;
        this.limit = limit;
        this.maxSteps = maxSteps;
    }

    /**
     * Places members.
     *
     * @param limit the limit of the whole search
     * @param maxSteps how often a member is tried on a node at most, once the simple search has failed
     */
    public static GangOutcome place(GangProblem problem, SearchLimit limit, int maxSteps) {
        try {
            return new GangSearch(problem, limit, maxSteps).place();
        } catch (GangException e) {
            return e.outcome();
        }
    }

    private GangOutcome place() {
        List<GangProblem> domains = domains().toList();
        GangOutcome.Places best = new GangOutcome.Places(Map.of(), Map.of());
        for (GangProblem domain : domains) {
            GangOutcome.Places places = oneAfterTheOther(domain);
            if (places.nodes().size() == problem.members().size()) {
                return new GangOutcome.Placed(places);
            }
            best = places.nodes().size() > best.nodes().size() ? places : best;
        }
        if (problem.fit().dependsOnOthers()) {
            return best.nodes().size() >= problem.atLeast()
                    ? new GangOutcome.Placed(best)
                    : new GangOutcome.NotPlaced(best);
        }
        try {
            return backtracking(domains, best);
        } catch (GangException e) {
            if (e.outcome() instanceof GangOutcome.Aborted && best.nodes().size() >= problem.atLeast()) {
                return new GangOutcome.Placed(best);
            }
            throw e;
        }
    }

    /** @param best the best result so far */
    private GangOutcome backtracking(List<GangProblem> domains, GangOutcome.Places best) {
        int most = problem.members().size() - problem.atLeast();
        SearchLimit distributions = SearchLimit.steps(MAX_DISTRIBUTIONS);
        List<Backtracking> searches = domains.stream()
                .map(each -> new Backtracking(each, limit, maxSteps, distributions))
                .toList();
        for (int without = 0; without <= most; without++) {
            if (best.nodes().size() >= problem.members().size() - without) {
                return new GangOutcome.Placed(best);
            }
            for (Backtracking search : searches) {
                Optional<GangOutcome.Places> found = search.without(without);
                if (found.isPresent()) {
                    return new GangOutcome.Placed(found.get());
                }
            }
        }
        return new GangOutcome.NotPlaced(best);
    }

    /** Groups the nodes by the value of the label, in the order of the first node with it; one group of all nodes if there is no label. */
    private Stream<GangProblem> domains() {
        return problem.topology()
                .map(key -> problem.nodes().stream()
                        .flatMap(node -> Stream.ofNullable(node.labels().get(key)))
                        .distinct()
                        .map(value -> problem.on(nodesWith(key, value))))
                .orElseGet(() -> Stream.of(problem));
    }

    private List<NodeInfo> nodesWith(String key, String value) {
        return problem.nodes().stream()
                .filter(node -> value.equals(node.labels().get(key)))
                .toList();
    }

    /** Places each member on the first node where it fits. A member that fits on no node is omitted. */
    private GangOutcome.Places oneAfterTheOther(GangProblem domain) {
        var state = new GangState(domain, limit, null);
        var firstNodes = new HashMap<Object, Integer>();
        for (int member = 0; member < domain.members().size(); member++) {
            Object key = domain.members().get(member).key();
            int node = domain.fit().dependsOnOthers() ? 0 : firstNodes.getOrDefault(key, 0);
            while (node < domain.nodes().size() && state.add(member, node) == null) {
                node++;
            }
            firstNodes.put(key, node); // no previous node has room for another member like this
        }
        return state.places();
    }
}
