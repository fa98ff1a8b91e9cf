package dev.fakegpu.allocate;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.DeviceId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claims on a node, some of whose devices may have been picked, and what keeps each device from their requests. A request is named
 * by the number of its claim and its name in results, which for an alternative is {@code request/alternative}.
 */
public final class Diagnosis {

    private final NodePools pools;
    private final PartialAllocation attempt;
    private final RefusalFinder refusals;
    private final Map<Name, RequestVariant> asks = new HashMap<>();

    private record Name(int claim, String resultName) {}

    /**
     * A device that was looked at for a request.
     *
     * @param refusal null if the request can have it
     */
    public record Judged(DeviceId device, @Nullable Refusal refusal) {}

    Diagnosis(NodePools pools, List<ResolvedRequest> demands, PartialAllocation attempt, RefusalFinder refusals) {
        this.pools = pools;
        this.attempt = attempt;
        this.refusals = refusals;
        demands.stream()
                .flatMap(demand -> demand.asks().stream())
                .forEach(ask -> asks.put(new Name(ask.claimIndex(), ask.resultName()), ask));
    }

    private RequestVariant ask(int claim, String request) {
        return Objects.requireNonNull(asks.get(new Name(claim, request)));
    }

    /** How many devices the request is for; all there are, if that is what it asks for. */
    public long wanted(int claim, String request) {
        return ask(claim, request).count();
    }

    /** How many more devices the claim can get. */
    public long room(int claim) {
        return RequestValidator.MAX_RESULTS
                - attempt.picks().stream()
                        .filter(pick -> pick.ask().claimIndex() == claim)
                        .count();
    }

    /** Picks what an allocator gave to a claim, as far as that is possible. */
    public void pick(int claim, Allocation allocation) {
        for (Allocation.Result result : allocation.results()) {
            RequestVariant ask = ask(claim, result.request());
            place(result.device()).filter(place -> isFree(ask, place)).ifPresent(place -> pick(ask, place));
        }
    }

    /** Picks devices for a request, the first ones that can be had, up to so many; returns how many there were. */
    public long pickFirst(int claim, String request, long most) {
        RequestVariant ask = ask(claim, request);
        return places(ask)
                .filter(place -> isFree(ask, place))
                .limit(Math.max(0, most))
                .peek(place -> pick(ask, place))
                .count();
    }

    /** How many devices a request has got. */
    public long picked(int claim, String request) {
        RequestVariant ask = ask(claim, request);
        return attempt.picks().stream().filter(pick -> pick.ask().equals(ask)).count();
    }

    /** Looks at all devices that the request could be given, without those that it has got, in the order of trial. */
    public Stream<Judged> judge(int claim, String request) {
        RequestVariant ask = ask(claim, request);
        return places(ask)
                .filter(place -> !isPicked(ask, place))
                .map(place -> new Judged(id(place), refusals.whyNot(ask, place.pool(), place.device())));
    }

    private boolean isFree(RequestVariant ask, RequestVariant.Place place) {
        return attempt.isFree(ask, place.pool(), place.device())
                && refusals.whyNot(ask, place.pool(), place.device()) == null;
    }

    private void pick(RequestVariant ask, RequestVariant.Place place) {
        if (!attempt.tryPick(ask, place.pool(), place.device())) {
            throw new IllegalStateException(id(place) + " is refused for no known reason");
        }
    }

    private boolean isPicked(RequestVariant ask, RequestVariant.Place place) {
        return attempt.picks().stream()
                .anyMatch(pick ->
                        pick.ask().equals(ask) && pick.pool() == place.pool() && pick.device() == place.device());
    }

    /** A request for all devices is about those, unless there are none, which is what has to be explained then. */
    private Stream<RequestVariant.Place> places(RequestVariant ask) {
        return ask.all().isEmpty() ? allPlaces() : ask.all().stream();
    }

    private Stream<RequestVariant.Place> allPlaces() {
        return IntStream.range(0, pools.pools().size())
                .filter(pool -> pools.pools().get(pool) instanceof Pool.Usable)
                .boxed()
                .flatMap(pool -> IntStream.range(
                                0, attempt.books(pool).pool().devices().size())
                        .mapToObj(device -> new RequestVariant.Place(pool, device)));
    }

    private DeviceId id(RequestVariant.Place place) {
        return attempt.books(place.pool()).pool().devices().get(place.device()).id();
    }

    private Optional<RequestVariant.Place> place(DeviceId device) {
        return IntStream.range(0, pools.pools().size())
                .filter(pool ->
                        pools.pools().get(pool) instanceof Pool.Usable usable && usable.position(device) != null)
                .mapToObj(pool -> new RequestVariant.Place(
                        pool, Objects.requireNonNull(attempt.books(pool).pool().position(device))))
                .findFirst();
    }
}
