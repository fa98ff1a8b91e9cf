package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.engine.explain.finding.RequestRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A request of one of the explained claims, with methods that build claims from a subset of the requests.
 *
 * @param position the index among the requests of all claims
 */
record ExplainedRequest(Claim claim, DeviceRequest request, int position) {

    static List<ExplainedRequest> of(List<Claim> claims) {
        var requests = new ArrayList<ExplainedRequest>();
        for (Claim claim : claims) {
            claim.requests().forEach(request -> requests.add(new ExplainedRequest(claim, request, requests.size())));
        }
        return List.copyOf(requests);
    }

    /** The largest number of devices that the claims can get. */
    static long devices(List<Claim> claims) {
        return of(claims).stream().mapToLong(ExplainedRequest::devices).sum();
    }

    private long devices() {
        return options().stream()
                .mapToLong(option -> option.isAll() ? Limits.RESULTS : Math.min(Limits.RESULTS, option.count()))
                .max()
                .orElse(0);
    }

    RequestRef ref() {
        return new RequestRef(claim.ref(), request.name());
    }

    boolean hasAlternatives() {
        return !request.firstAvailable().isEmpty();
    }

    /** The alternatives of the request, or else the request itself. */
    List<ExactRequest> options() {
        return hasAlternatives() ? request.firstAvailable() : List.of(Objects.requireNonNull(request.exactly()));
    }

    String resultName(ExactRequest option) {
        return hasAlternatives() ? request.name() + "/" + option.name() : request.name();
    }

    /** The same request with only one of its {@link #options}, for a different number of devices. */
    ExplainedRequest only(ExactRequest option, long count) {
        var changed = new ExactRequest(
                option.name(),
                option.deviceClassName(),
                option.selectors(),
                option.hasUnknownSelector(),
                option.allocationMode(),
                count,
                option.tolerations(),
                option.capacity(),
                option.derivedAttributes(),
                option.adminAccess());
        return new ExplainedRequest(
                claim,
                hasAlternatives()
                        ? new DeviceRequest(request.name(), null, List.of(changed))
                        : new DeviceRequest(request.name(), changed, List.of()),
                position);
    }

    /** Claims with only these requests. The last claim has the last request. */
    static List<Claim> claims(List<ExplainedRequest> requests) {
        var claims = new ArrayList<Claim>();
        for (ExplainedRequest each : requests) {
            int last = claims.size() - 1;
            boolean isNext = last >= 0 && claims.get(last).ref().equals(each.claim.ref());
            if (isNext) {
                claims.set(last, each.appendedTo(claims.get(last).requests()));
            } else {
                claims.add(each.appendedTo(List.of()));
            }
        }
        return claims;
    }

    private Claim appendedTo(List<DeviceRequest> before) {
        List<DeviceRequest> requests =
                Stream.concat(before.stream(), Stream.of(request)).toList();
        return new Claim(claim.ref(), requests, claim.constraints(), List.of());
    }

    static List<ExplainedRequest> append(List<ExplainedRequest> before, ExplainedRequest last) {
        return IntStream.rangeClosed(0, before.size())
                .mapToObj(i -> i < before.size() ? before.get(i) : last)
                .toList();
    }
}
