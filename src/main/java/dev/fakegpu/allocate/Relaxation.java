package dev.fakegpu.allocate;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts what devices can serve together when it is settled which devices each request may have. Requests that may have the same
 * devices and take the same of them are of one kind; there are up to {@value KindCounts#KINDS} kinds, beyond which requests are lumped
 * together.
 */
final class Relaxation {

    private static final int MAX_FRONTIER = 2048;
    private static final int MAX_SHARE_COMBINATIONS = 500;
    private static final int MAX_REMEMBERED = 2000;

    private final DeviceNumbering devices;
    private final EligibleComponents components;
    private final PartialAllocation attempt;
    private final Candidates candidates;
    private final int[] kindOfWant;
    private final List<long[]> masks = new ArrayList<>();
    private final List<@Nullable RequestVariant> askOfKind = new ArrayList<>();
    private final int[] requestsOfKind = new int[KindCounts.KINDS];
    private final long most;
    private final @Nullable ParetoFrontier[] oneOfKinds = new ParetoFrontier[1 << KindCounts.KINDS];
    private final Map<Integer, long[]> singlesByKinds = new LinkedHashMap<>();
    private final List<Part> parts;
    private final GroupTransitions groupStates = new GroupTransitions();
    private final Map<Similar, ParetoFrontier> bySimilarity = new HashMap<>();

    /** Two components of which this is equal can serve the same. */
    private record Similar(ComponentProfile shape, ComponentProfile.State state, int[] kinds) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Similar that
                    && shape == that.shape
                    && state.equals(that.state)
                    && Arrays.equals(kinds, that.kinds);
        }

        @Override
        public int hashCode() {
            return 31 * state.hashCode() + Arrays.hashCode(kinds);
        }
    }

    /** The state of a component, and which kinds matter. */
    private record Version(int state, int kinds) {}

    Relaxation(
            DeviceNumbering devices,
            List<ForwardCheck.Want> wants,
            List<long[]> maskOfWant,
            EligibleComponents components,
            PartialAllocation attempt,
            Candidates candidates) {
        this.devices = devices;
        this.components = components;
        this.attempt = attempt;
        this.candidates = candidates;
        kindOfWant = new int[wants.size()];
        long sum = KindCounts.NOTHING;
        for (ForwardCheck.Want want : wants) {
            int kind = kind(maskOfWant.get(want.index()), want);
            kindOfWant[want.index()] = kind;
            requestsOfKind[kind]++;
            sum = KindCounts.with(sum, kind, KindCounts.get(sum, kind) + want.count());
        }
        most = sum;
        sortSingles();
        parts = IntStream.range(0, components.all().size()).mapToObj(Part::new).toList();
    }

    private int kind(long[] mask, ForwardCheck.Want want) {
        RequestVariant ask = want.asks().size() == 1 ? want.asks().get(0) : null;
        for (int kind = 0; kind < masks.size(); kind++) {
            if (Arrays.equals(masks.get(kind), mask) && takeTheSame(askOfKind.get(kind), ask)) {
                return kind;
            }
        }
        if (masks.size() < KindCounts.KINDS) {
            masks.add(mask);
            askOfKind.add(ask);
            return masks.size() - 1;
        }
        int last = KindCounts.KINDS - 1;
        long[] lumped = masks.get(last).clone();
        for (int word = 0; word < lumped.length; word++) {
            lumped[word] |= mask[word];
        }
        masks.set(last, lumped);
        askOfKind.set(last, null);
        return last;
    }

    private static boolean takeTheSame(@Nullable RequestVariant left, @Nullable RequestVariant right) {
        return left == right
                || left != null
                        && right != null
                        && Objects.equals(
                                left.request().capacity(), right.request().capacity());
    }

    private void sortSingles() {
        long[] single = components.single();
        for (int word = 0; word < single.length; word++) {
            for (long rest = single[word]; rest != 0; rest &= rest - 1) {
                int number = (word << 6) + Long.numberOfTrailingZeros(rest);
                int kinds = kinds(number);
                if (kinds != 0) {
                    Bits.set(singlesByKinds.computeIfAbsent(kinds, ignored -> new long[devices.words()]), number);
                }
            }
        }
    }

    /** One bit for each kind that may have a device. */
    private int kinds(int number) {
        int kinds = 0;
        for (int kind = 0; kind < masks.size(); kind++) {
            if (Bits.get(masks.get(kind), number)) {
                kinds |= 1 << kind;
            }
        }
        return kinds;
    }

    /** @param missing how many devices each want needs */
    boolean isPossible(int[] missing) {
        long needed = KindCounts.NOTHING;
        for (int want = 0; want < kindOfWant.length; want++) {
            int kind = kindOfWant[want];
            needed = KindCounts.with(needed, kind, KindCounts.get(needed, kind) + missing[want]);
        }
        int neededKinds = neededKinds(needed);
        ParetoFrontier served = withSingles(ParetoFrontier.ofNothing(), needed);
        for (Part part : parts) {
            if (served.covers(needed) || served.size() > MAX_FRONTIER) {
                return true;
            }
            served = served.plus(part.frontier(neededKinds), needed);
        }
        return served.covers(needed) || served.size() > MAX_FRONTIER;
    }

    private static int neededKinds(long needed) {
        int kinds = 0;
        for (int kind = 0; kind < KindCounts.KINDS; kind++) {
            if (KindCounts.get(needed, kind) > 0) {
                kinds |= 1 << kind;
            }
        }
        return kinds;
    }

    private ParetoFrontier withSingles(ParetoFrontier served, long needed) {
        ParetoFrontier sum = served;
        for (Map.Entry<Integer, long[]> singles : singlesByKinds.entrySet()) {
            int kinds = singles.getKey();
            int free = devices.countFree(singles.getValue(), singles.getValue(), attempt);
            if (Integer.bitCount(kinds) == 1) {
                int kind = Integer.numberOfTrailingZeros(kinds);
                sum = sum.plus(ParetoFrontier.of(KindCounts.with(KindCounts.NOTHING, kind, free)), needed);
            } else {
                sum = withSingles(sum, kinds, free, needed);
            }
        }
        return sum;
    }

    private ParetoFrontier withSingles(ParetoFrontier served, int kinds, int free, long needed) {
        ParetoFrontier sum = served;
        ParetoFrontier one = oneOf(kinds);
        for (int i = 0; i < free && !sum.covers(needed) && sum.size() <= MAX_FRONTIER; i++) {
            sum = sum.plus(one, needed);
        }
        return sum;
    }

    private ParetoFrontier oneOf(int kinds) {
        ParetoFrontier known = oneOfKinds[kinds];
        if (known == null) {
            known = newOneOf(kinds);
            oneOfKinds[kinds] = known;
        }
        return known;
    }

    private static ParetoFrontier newOneOf(int kinds) {
        ParetoFrontier one = ParetoFrontier.empty();
        for (int rest = kinds; rest != 0; rest &= rest - 1) {
            one.add(KindCounts.one(Integer.numberOfTrailingZeros(rest)));
        }
        return one;
    }

    /** A long search goes through more states than are worth keeping. */
    private static <K> void remember(Map<K, ParetoFrontier> known, K key, ParetoFrontier frontier) {
        if (known.size() >= MAX_REMEMBERED) {
            known.clear();
        }
        known.put(key, frontier);
    }

    /** A component, with what is the same for it as long as there is the plan. */
    private final class Part {
        private final int index;
        private final int pool;
        private final CounterComponent component;
        private final int[] kinds;
        private final boolean shareable;
        private final Map<Version, ParetoFrontier> byVersion = new HashMap<>();

        Part(int index) {
            this.index = index;
            pool = components.all().get(index).pool();
            component = components.all().get(index).component();
            kinds = Arrays.stream(component.devices())
                    .map(device -> kinds(devices.number(pool, device)))
                    .toArray();
            shareable = Arrays.stream(component.devices()).anyMatch(device -> candidates.isShareable(pool, device));
        }

        ParetoFrontier frontier(int neededKinds) {
            var version = new Version(components.version(index), neededKinds);
            ParetoFrontier known = byVersion.get(version);
            if (known == null) {
                known = newFrontier(neededKinds);
                remember(byVersion, version, known);
            }
            return known;
        }

        private ParetoFrontier newFrontier(int neededKinds) {
            PoolState books = attempt.books(pool);
            ComponentProfile.State state = component.state(books, groupStates);
            int[] neededNow = neededNow(books, neededKinds);
            var uses = new Uses(this, neededNow, books);
            if (shareable) {
                return component.shape().frontier(state, uses, most, books.checksGroups(), groupStates);
            }
            var similar = new Similar(component.shape(), state, neededNow);
            ParetoFrontier known = bySimilarity.get(similar);
            if (known == null) {
                known = component.shape().frontier(state, uses, most, books.checksGroups(), groupStates);
                remember(bySimilarity, similar, known);
            }
            return known;
        }

        /** For each member the kinds that it is needed for; none if it is in use. */
        private int[] neededNow(PoolState books, int neededKinds) {
            var now = new int[kinds.length];
            for (int member = 0; member < now.length; member++) {
                now[member] = books.isBusy(component.devices()[member]) ? 0 : kinds[member] & neededKinds;
            }
            return now;
        }
    }

    /** What the members of a component can serve as things are now. */
    private final class Uses implements ComponentProfile.Uses {
        private final Part part;
        private final int[] kinds;
        private final PoolState books;

        Uses(Part part, int[] kinds, PoolState books) {
            this.part = part;
            this.kinds = kinds;
            this.books = books;
        }

        @Override
        public ParetoFrontier of(int member) {
            if (kinds[member] == 0) {
                return ParetoFrontier.ofNothing();
            }
            int device = part.component.devices()[member];
            return isShareable(device) ? shares(device, kinds[member]) : oneOf(kinds[member]);
        }

        @Override
        public boolean isCharged(int member) {
            int device = part.component.devices()[member];
            return isShareable(device) && books.isShared(device);
        }

        private boolean isShareable(int device) {
            return part.shareable && candidates.isShareable(part.pool, device);
        }

        private ParetoFrontier shares(int device, int ofMember) {
            ParetoFrontier shares = ParetoFrontier.empty();
            int[] budget = {MAX_SHARE_COMBINATIONS};
            addShares(device, ofMember, null, KindCounts.NOTHING, shares, budget);
            if (budget[0] > 0) {
                return shares;
            }
            long all = KindCounts.NOTHING;
            for (int rest = ofMember; rest != 0; rest &= rest - 1) {
                int kind = Integer.numberOfTrailingZeros(rest);
                all = KindCounts.with(all, kind, requestsOfKind[kind]);
            }
            return ParetoFrontier.of(all);
        }

        /** A request takes one share of a device at most. */
        private void addShares(
                int device, int rest, BigDecimal @Nullable [] taken, long tally, ParetoFrontier shares, int[] budget) {
            if (rest == 0 || budget[0]-- <= 0) {
                shares.add(tally);
                return;
            }
            int kind = Integer.numberOfTrailingZeros(rest);
            BigDecimal[] sum = taken;
            for (int count = 0; count <= requestsOfKind[kind]; count++) {
                addShares(device, rest & rest - 1, sum, KindCounts.with(tally, kind, count), shares, budget);
                ConsumedCapacity.Amounts more = amounts(kind, device);
                if (more != null) {
                    if (sum == null ? !books.fits(device, more) : !books.fits(device, sum, more)) {
                        return;
                    }
                    sum = more.plus(sum);
                }
            }
        }

        /** Null for a kind of which it is not settled how much is asked for: then nothing is. */
        private ConsumedCapacity.@Nullable Amounts amounts(int kind, int device) {
            RequestVariant ask = askOfKind.get(kind);
            return ask == null ? null : candidates.amounts(ask, part.pool, device);
        }
    }
}
