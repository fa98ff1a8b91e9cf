package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Remedy;
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
    private List<Allocation> lastFit = List.of();

    /**
     * A remedy that works.
     *
     * @param allocations what the claims would get, in their order
     */
    record Found(Remedy remedy, List<Allocation> allocations) {}

    /** @param state {@linkplain HypotheticalState#on restricted to the node} */
    RemedyFinder(HypotheticalState state, NodeInfo node, List<Claim> claims, int devices, ExplanationBudget budget) {
        this.state = state;
        this.node = node;
        this.claims = claims;
        this.devices = devices;
        this.budget = budget;
    }

    Optional<Found> find(Finding finding) {
        Optional<Remedy.Recover> recovery = recover(finding);
        List<ClaimRef> blockers = state.releasable(finding.blockers());
        return Stream.<Supplier<Optional<Remedy>>>of(
                        () -> releaseOne(blockers, recovery),
                        () -> tolerate(finding),
                        () -> recovery.map(Remedy.class::cast),
                        () -> complete(finding),
                        () -> deleteSlices(finding),
                        () -> releaseSome(blockers, 1),
                        () -> releaseSome(state.releasable(state.delayingChanges(node)), 0),
                        () -> addDevices(finding))
                .map(Supplier::get)
                .flatMap(Optional::stream)
                .findFirst()
                .map(remedy -> new Found(remedy, lastFit));
    }

    private boolean fits(HypotheticalState changed) {
        if (!budget.isSpent()
                && changed.allocate(node, claims, budget.search(devices, ExplainedRequest.devices(claims)))
                        instanceof Outcome.Allocated allocated) {
            lastFit = allocated.allocations();
            return true;
        }
        return false;
    }

    private boolean fitsWithout(List<ClaimRef> released) {
        return fits(state.without(Set.copyOf(released)));
    }

    private Optional<Remedy> releaseOne(List<ClaimRef> blockers, Optional<Remedy.Recover> recovery) {
        return blockers.stream()
                .limit(MAX_TRIED_CLAIMS)
                .map(List::of)
                .filter(this::fitsWithout)
                .findFirst()
                .map(claims -> new Remedy.Release(
                        claims, recovery.map(Remedy.Recover::devices).orElse(List.of())));
    }

    private Optional<Remedy> tolerate(Finding finding) {
        return finding.taints().stream()
                .filter(taint -> !taint.meansUnhealthy())
                .limit(MAX_TRIED_TAINTS)
                .filter(taint -> fits(state.tolerating(List.of(taint))))
                .findFirst()
                .map(Remedy.Tolerate::new);
    }

    /** Finds unhealthy devices that would be allocated if they recovered. Tolerating the taint of broken hardware is not a remedy. */
    private Optional<Remedy.Recover> recover(Finding finding) {
        List<DeviceTaint> unhealthy =
                finding.taints().stream().filter(DeviceTaint::meansUnhealthy).toList();
        return !unhealthy.isEmpty() && fits(state.tolerating(unhealthy))
                ? Optional.of(new Remedy.Recover(allocatedWith(unhealthy)))
                : Optional.empty();
    }

    private List<DeviceId> allocatedWith(List<DeviceTaint> taints) {
        Set<DeviceId> tainted = state.devicesWith(node, taints);
        return lastFit.stream()
                .flatMap(allocation -> allocation.results().stream())
                .map(Allocation.Result::device)
                .filter(tainted::contains)
                .distinct()
                .toList();
    }

    private Optional<Remedy> complete(Finding finding) {
        return finding.pools().stream()
                .flatMap(problem -> Stream.ofNullable(problem.incomplete()))
                .limit(MAX_TRIED_POOLS)
                .filter(pool -> fits(state.withComplete(pool)))
                .findFirst()
                .map(Remedy.CompletePool::new);
    }

    private Optional<Remedy> deleteSlices(Finding finding) {
        return finding.pools().stream()
                .map(Finding.PoolProblem::superseding)
                .filter(names -> !names.isEmpty())
                .limit(MAX_TRIED_POOLS)
                .filter(names -> fits(state.withoutSlices(Set.copyOf(names))))
                .findFirst()
                .map(Remedy.DeleteSlices::new);
    }

    private Optional<Remedy> addDevices(Finding finding) {
        List<ClaimRef> blockers = finding.blockers();
        return blockers.stream().noneMatch(state.kept()::contains)
                ? Optional.empty()
                : releaseOne(blockers, Optional.empty())
                        .or(() -> releaseSome(blockers, 1))
                        .map(found -> new Remedy.AddDevices());
    }

    /** @param tooFew it is known that releasing this many claims is not enough */
    private Optional<Remedy> releaseSome(List<ClaimRef> all, int tooFew) {
        return all.size() > tooFew && fitsWithout(all)
                ? Optional.of(new Remedy.Release(withoutUnneeded(shortestPrefix(all, tooFew))))
                : Optional.empty();
    }

    /** A binary search: releasing more claims never makes the others fit worse. */
    private List<ClaimRef> shortestPrefix(List<ClaimRef> all, int known) {
        int tooFew = known;
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
