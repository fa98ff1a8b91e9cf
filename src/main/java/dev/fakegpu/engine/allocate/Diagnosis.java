package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolState;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says what refuses each device to the requests of claims on a node. Devices may have been picked for the claims. A request is identified
 * by the index of its claim and by its name in results, which for an alternative is {@code request/alternative}.
 */
public final class Diagnosis {

    private final NodePools pools;
    private final Candidates candidates;
    private final PartialAllocation partial;
    private final RefusalFinder refusals;
    private final Map<Name, RequestVariant> variants = new HashMap<>();

    private record Name(int claim, String resultName) {}

    /**
     * A device that was judged for a request.
     *
     * @param refusal null if the request can have the device
     */
    public record Judged(DeviceId device, @Nullable Refusal refusal) {}

    Diagnosis(SearchProblem problem, RefusalFinder refusals) {
        pools = problem.pools();
        candidates = problem.candidates();
        partial = problem.partial();
        this.refusals = refusals;
        problem.requests().stream()
                .flatMap(request -> request.variants().stream())
                .forEach(variant -> variants.put(new Name(variant.claimIndex(), variant.resultName()), variant));
    }

    private RequestVariant variant(int claim, String request) {
        return Objects.requireNonNull(variants.get(new Name(claim, request)));
    }

    /** The number of devices that the request needs; for allocation mode All, the number of all devices. */
    public long requested(int claim, String request) {
        return variant(claim, request).count();
    }

    /** The number of devices that the claim can still get before it reaches the limit of results. */
    public long resultsLeft(int claim) {
        return Limits.RESULTS
                - partial.picks().stream()
                        .filter(pick -> pick.variant().claimIndex() == claim)
                        .count();
    }

    /** Picks the devices of an allocation, as far as possible. */
    public void pick(int claim, Allocation allocation) {
        for (Allocation.Result result : allocation.results()) {
            RequestVariant variant = variant(claim, result.request());
            place(result.device()).filter(place -> isFree(variant, place)).ifPresent(place -> pick(variant, place));
        }
    }

    /** Picks up to {@code most} of the first devices that a request can have. Returns the number of picked devices. */
    public long pickFirst(int claim, String request, long most) {
        RequestVariant variant = variant(claim, request);
        return places(variant)
                .filter(place -> isFree(variant, place))
                .limit(Math.max(0, most))
                .peek(place -> pick(variant, place))
                .count();
    }

    /** The number of devices that are picked for a request. */
    public long picked(int claim, String request) {
        RequestVariant variant = variant(claim, request);
        return partial.picks().stream()
                .filter(pick -> pick.variant().equals(variant))
                .count();
    }

    /** Judges all devices that the request could get, except those picked for it, in the order of the search. */
    public Stream<Judged> judge(int claim, String request) {
        RequestVariant variant = variant(claim, request);
        return places(variant)
                .filter(place -> !isPicked(variant, place))
                .map(place -> new Judged(id(place), refusals.find(variant, place.pool(), place.device())));
    }

    /** The result of {@link #times} if nothing limits the number of shares. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /**
     * How many such requests could get a device that this request can have: one if the device is allocated as a whole, otherwise as many as
     * its capacity allows.
     */
    public long times(int claim, String request, DeviceId device) {
        RequestVariant variant = variant(claim, request);
        return place(device).map(place -> times(variant, place)).orElse(0L);
    }

    private long times(RequestVariant variant, RequestVariant.Place place) {
        if (!candidates.isShareable(place.pool(), place.device())) {
            return 1;
        }
        PoolState state = partial.state(place.pool());
        Device published = state.pool().devices().get(place.device()).device();
        return Objects.requireNonNull(candidates.amounts(variant, place.pool(), place.device()))
                .byName()
                .entrySet()
                .stream()
                .filter(amount -> amount.getValue().signum() > 0)
                .mapToLong(amount -> times(
                        Objects.requireNonNull(published.capacity().get(amount.getKey()))
                                .value()
                                .minus(state.taken(place.device(), amount.getKey())),
                        amount.getValue()))
                .min()
                .orElse(UNLIMITED);
    }

    private static long times(Quantity left, Quantity amount) {
        BigInteger times = left.value().divideToIntegralValue(amount.value()).toBigInteger();
        return times.min(BigInteger.valueOf(UNLIMITED - 1)).longValue();
    }

    private boolean isFree(RequestVariant variant, RequestVariant.Place place) {
        return partial.isFree(variant, place.pool(), place.device())
                && refusals.find(variant, place.pool(), place.device()) == null;
    }

    private void pick(RequestVariant variant, RequestVariant.Place place) {
        if (!partial.tryPick(variant, place.pool(), place.device())) {
            throw new IllegalStateException(id(place) + " is refused for no known reason");
        }
    }

    private boolean isPicked(RequestVariant variant, RequestVariant.Place place) {
        return partial.picks().stream()
                .anyMatch(pick -> pick.variant().equals(variant)
                        && pick.pool() == place.pool()
                        && pick.device() == place.device());
    }

    /** The devices of a request for all devices. If there are none, or for other requests, all devices of the node. */
    private Stream<RequestVariant.Place> places(RequestVariant variant) {
        return variant.all().isEmpty() ? allPlaces() : variant.all().stream();
    }

    private Stream<RequestVariant.Place> allPlaces() {
        return IntStream.range(0, pools.pools().size())
                .filter(pool -> pools.pools().get(pool) instanceof Pool.Usable)
                .boxed()
                .flatMap(pool -> IntStream.range(
                                0, partial.state(pool).pool().devices().size())
                        .mapToObj(device -> new RequestVariant.Place(pool, device)));
    }

    private DeviceId id(RequestVariant.Place place) {
        return partial.state(place.pool()).pool().devices().get(place.device()).id();
    }

    private Optional<RequestVariant.Place> place(DeviceId device) {
        return IntStream.range(0, pools.pools().size())
                .filter(pool -> pools.pools().get(pool) instanceof Pool.Usable usable
                        && usable.caches().position(device) != null)
                .mapToObj(pool -> new RequestVariant.Place(
                        pool,
                        Objects.requireNonNull(
                                partial.state(pool).pool().caches().position(device))))
                .findFirst();
    }
}
