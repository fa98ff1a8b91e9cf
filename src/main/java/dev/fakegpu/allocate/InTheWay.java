package dev.fakegpu.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.CounterConsumption;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Who takes devices, counters and capacity away from others: those who hold them, and those for whom they are picked. */
final class InTheWay {

    private final Attempt attempt;
    private final Holdings holdings;

    /** What many devices of a pool ask for again, as long as nothing more is picked. */
    private final Map<Question, Holders> known = new HashMap<>();

    private int picksKnown;

    private record Question(int pool, String counterSet, String counter) {}

    InTheWay(Attempt attempt, Holdings holdings) {
        this.attempt = attempt;
        this.holdings = holdings;
    }

    /** Who has a device whole. */
    Holders of(Ask ask, int pool, int device) {
        var holders = new Holders.Collector();
        if (!ask.isAdmin()) {
            holders(pool, device)
                    .filter(held -> held.share() == null)
                    .forEach(held -> holders.add(held.holder(), ""));
        }
        picks(pool)
                .filter(pick -> pick.device() == device && pick.share() == null)
                .forEach(pick -> holders.add(pick.ask().claim(), pick.ask().resultName()));
        return holders.collect();
    }

    /** Who has shares of a device. */
    Holders sharing(int pool, int device) {
        var holders = new Holders.Collector();
        holders(pool, device)
                .filter(held -> held.share() != null)
                .forEach(held -> holders.add(held.holder(), ""));
        picks(pool)
                .filter(pick -> pick.device() == device && pick.share() != null)
                .forEach(pick -> holders.add(pick.ask().claim(), pick.ask().resultName()));
        return holders.collect();
    }

    /** Who is on a counter set with groups, or without. */
    Holders inGroups(int pool, String counterSet) {
        return remember(new Question(pool, counterSet, ""), () -> {
            var holders = new Holders.Collector();
            holdings.members(attempt.books(pool).pool()).stream()
                    .filter(member -> member.groups().byCounterSet().containsKey(counterSet))
                    .map(Holdings.Member::holder)
                    .forEach(held -> holders.add(held.holder(), "", held.id().device()));
            addPicks(holders, pool, entry -> entry.counterSet().equals(counterSet));
            return holders.collect();
        });
    }

    /** Who takes from a counter. */
    Holders ofCounter(int pool, String counterSet, String counter) {
        Predicate<CounterConsumption> takesIt = entry ->
                entry.counterSet().equals(counterSet) && entry.counters().containsKey(counter);
        return remember(new Question(pool, counterSet, counter), () -> {
            var holders = new Holders.Collector();
            Pool.Usable usable = attempt.books(pool).pool();
            Stream.concat(usable.devices().stream(), usable.elsewhere())
                    .filter(device -> device.device().consumesCounters().stream().anyMatch(takesIt))
                    .flatMap(device -> holdings.holdersOf(device.id()).stream())
                    .forEach(held -> holders.add(held.holder(), "", held.id().device()));
            addPicks(holders, pool, takesIt);
            return holders.collect();
        });
    }

    private void addPicks(Holders.Collector holders, int pool, Predicate<CounterConsumption> concerns) {
        picks(pool).filter(pick -> pick.groupsBefore() != null).forEach(pick -> {
            PoolDevice device = device(pool, pick.device());
            if (device.device().consumesCounters().stream().anyMatch(concerns)) {
                holders.add(pick.ask().claim(), pick.ask().resultName(), device.id().device());
            }
        });
    }

    private Holders remember(Question question, Supplier<Holders> answer) {
        if (picksKnown != attempt.picks().size()) {
            known.clear();
            picksKnown = attempt.picks().size();
        }
        Holders holders = known.get(question);
        if (holders == null) {
            holders = answer.get();
            known.put(question, holders);
        }
        return holders;
    }

    private Stream<AllocatedDevice> holders(int pool, int device) {
        return holdings.holdersOf(device(pool, device).id()).stream();
    }

    private Stream<Attempt.Pick> picks(int pool) {
        return attempt.picks().stream().filter(pick -> pick.pool() == pool);
    }

    private PoolDevice device(int pool, int device) {
        return attempt.books(pool).pool().devices().get(device);
    }
}
