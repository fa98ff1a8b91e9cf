package dev.fakegpu.allocate;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceToleration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The depth-first search for the first solution: claims and requests in their order, devices in the order of trial. Within a
 * request devices are chosen in rising order; each request starts again at the first device. Upstream: {@code allocateOne} and
 * {@code allocateDevice} in {@code allocator_experimental.go}.
 */
final class Search {

    private final List<Demand> demands;
    private final List<Candidate> candidates;
    private final Holdings holdings;
    private final Verdicts verdicts;
    private final List<DeviceToleration> tolerations;
    private final List<Pick> picks = new ArrayList<>();
    private final Set<DeviceId> picked = new HashSet<>();

    Search(
            List<Demand> demands,
            List<Candidate> candidates,
            Holdings holdings,
            Verdicts verdicts,
            List<DeviceToleration> tolerations) {
        this.demands = demands;
        this.candidates = candidates;
        this.holdings = holdings;
        this.verdicts = verdicts;
        this.tolerations = tolerations;
    }

    /** A device that may be picked, with the books of its pool. */
    record Candidate(PoolDevice device, CounterLedger counters, GroupLedger groups) {

        static List<Candidate> of(List<Pool> pools, Function<Pool.Usable, Function<PoolDevice, Candidate>> books) {
            var candidates = new ArrayList<Candidate>();
            for (Pool pool : pools) {
                if (pool instanceof Pool.Usable usable) {
                    usable.devices().stream().map(books.apply(usable)).forEach(candidates::add);
                }
            }
            return candidates;
        }
    }

    /** A device picked for a demand. */
    record Pick(Demand demand, PoolDevice device) {}

    /** The picks of the first solution in the order in which they were made; empty also where nothing was demanded. */
    List<Pick> picks() {
        return List.copyOf(picks);
    }

    /**
     * Looks for a solution, once.
     *
     * @throws AllocationException if a selector fails for a device that the search reaches
     */
    boolean run() {
        return fill(0, 0, 0);
    }

    private boolean fill(int demandIndex, long filled, int start) {
        if (demandIndex == demands.size()) {
            return true;
        }
        Demand demand = demands.get(demandIndex);
        if (filled == demand.request().count()) {
            return fill(demandIndex + 1, 0, firstPosition(demandIndex + 1, start));
        }
        for (int position = start; position < candidates.size(); position++) {
            Candidate candidate = candidates.get(position);
            if (isCandidateFor(demand, candidate) && tryWith(candidate, demand, demandIndex, filled, position)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Two neighbouring requests that ask the same could exchange their picks, so what lies before the first one's picks has been
     * tried already, with the same errors: going on behind them finds the same first solution without trying all permutations.
     */
    private int firstPosition(int demandIndex, int behindPrevious) {
        boolean repeats = demandIndex < demands.size()
                && demands.get(demandIndex).isInterchangeableWith(demands.get(demandIndex - 1));
        return repeats ? behindPrevious : 0;
    }

    private boolean isCandidateFor(Demand demand, Candidate candidate) {
        DeviceId id = candidate.device().id();
        return !holdings.isHeld(id) && !picked.contains(id) && isSelected(demand, candidate.device());
    }

    private boolean isSelected(Demand demand, PoolDevice device) {
        Verdict verdict = verdicts.of(demand.request(), device);
        if (verdict instanceof Verdict.Failed failed) {
            String origin = failed.origin() == Verdict.Origin.CLASS
                    ? "class " + demand.request().deviceClassName()
                    : "claim " + demand.claim();
            throw new AllocationException(
                    origin + ": selector #" + failed.index() + " on device " + device.id() + ": " + failed.message());
        }
        return verdict instanceof Verdict.Selected;
    }

    private boolean tryWith(Candidate candidate, Demand demand, int demandIndex, long filled, int position) {
        int groupMark = candidate.groups().mark();
        int counterMark = candidate.counters().mark();
        if (candidate.groups().tryPlace(candidate.device())
                && candidate.counters().tryPlace(candidate.device())
                && isTolerated(demand, candidate)) {
            picks.add(new Pick(demand, candidate.device()));
            picked.add(candidate.device().id());
            if (fill(demandIndex, filled + 1, position + 1)) {
                return true;
            }
            picked.remove(candidate.device().id());
            picks.remove(picks.size() - 1);
        }
        candidate.counters().undo(counterMark);
        candidate.groups().undo(groupMark);
        return false;
    }

    private boolean isTolerated(Demand demand, Candidate candidate) {
        return Taints.untolerated(candidate.device().device(), demand.request(), tolerations)
                .isEmpty();
    }
}
