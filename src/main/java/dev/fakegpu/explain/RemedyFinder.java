package dev.fakegpu.explain;

import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Finds the smallest change that would make claims fit on a node, by trying changes with the allocator. */
final class RemedyFinder {

    private static final int MAX_TRIED_CLAIMS = 8;
    private static final int MAX_TRIED_TAINTS = 3;
    private static final int MAX_TRIED_POOLS = 2;

    private final HypotheticalState state;
    private final NodeInfo node;
    private final List<Claim> claims;
    private final int devices;
    private final ExplanationBudget budget;

    RemedyFinder(HypotheticalState state, NodeInfo node, List<Claim> claims, int devices, ExplanationBudget budget) {
        this.state = state;
        this.node = node;
        this.claims = claims;
        this.devices = devices;
        this.budget = budget;
    }

    Optional<Remedy> find(Finding finding) {
        return Stream.<Supplier<Optional<Remedy>>>of(
                        () -> releaseOne(finding),
                        () -> tolerate(finding),
                        () -> complete(finding),
                        () -> releaseSome(finding))
                .map(Supplier::get)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private boolean fits(HypotheticalState changed) {
        return !budget.isSpent()
                && changed.allocate(node, claims, budget.search(devices, ExplainedRequest.devices(claims)))
                        instanceof Outcome.Allocated;
    }

    private boolean fitsWithout(List<ClaimRef> released) {
        return fits(state.without(Set.copyOf(released)));
    }

    private Optional<Remedy> releaseOne(Finding finding) {
        return finding.blockers().stream()
                .limit(MAX_TRIED_CLAIMS)
                .map(List::of)
                .filter(this::fitsWithout)
                .findFirst()
                .map(Remedy.Release::new);
    }

    private Optional<Remedy> tolerate(Finding finding) {
        return finding.taints().stream()
                .limit(MAX_TRIED_TAINTS)
                .filter(taint -> fits(state.tolerating(taint)))
                .findFirst()
                .map(Remedy.Tolerate::new);
    }

    private Optional<Remedy> complete(Finding finding) {
        return finding.pools().stream()
                .flatMap(problem -> Stream.ofNullable(problem.incomplete()))
                .limit(MAX_TRIED_POOLS)
                .filter(pool -> fits(state.withComplete(pool)))
                .findFirst()
                .map(Remedy.CompletePool::new);
    }

    private Optional<Remedy> releaseSome(Finding finding) {
        List<ClaimRef> all = finding.blockers();
        return all.size() > 1 && fitsWithout(all)
                ? Optional.of(new Remedy.Release(withoutUnneeded(shortestPrefix(all))))
                : Optional.empty();
    }

    /** Binary search: releasing more claims never makes the others fit worse. */
    private List<ClaimRef> shortestPrefix(List<ClaimRef> all) {
        int tooFew = 1;
        int enough = all.size();
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) >>> 1;
            if (fitsWithout(all.subList(0, middle))) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return all.subList(0, enough);
    }

    private List<ClaimRef> withoutUnneeded(List<ClaimRef> claimRefs) {
        var needed = new ArrayList<>(claimRefs);
        for (int i = 0; i < claimRefs.size() && claimRefs.size() <= MAX_TRIED_CLAIMS; i++) {
            var fewer = new ArrayList<>(needed);
            fewer.remove(claimRefs.get(i));
            if (fitsWithout(fewer)) {
                needed = fewer;
            }
        }
        return needed;
    }
}
