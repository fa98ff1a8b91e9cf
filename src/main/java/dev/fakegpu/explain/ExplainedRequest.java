package dev.fakegpu.explain;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A request of one of the claims that are explained, and claims that ask for parts of it. */
record ExplainedRequest(Claim claim, DeviceRequest request) {

    /** Of a claim ({@code AllocationResultsMaxSize} of {@code resource.k8s.io/v1}). */
    private static final long MAX_DEVICES = 32;

    static List<ExplainedRequest> of(List<Claim> claims) {
        return claims.stream()
                .flatMap(claim -> claim.requests().stream().map(request -> new ExplainedRequest(claim, request)))
                .toList();
    }

    /** How many devices claims may get at most. */
    static long devices(List<Claim> claims) {
        return of(claims).stream().mapToLong(ExplainedRequest::devices).sum();
    }

    private long devices() {
        return options().stream()
                .mapToLong(option -> option.isAll() ? MAX_DEVICES : Math.min(MAX_DEVICES, option.count()))
                .max()
                .orElse(0);
    }

    RequestRef ref() {
        return new RequestRef(claim.ref(), request.name());
    }

    boolean hasAlternatives() {
        return !request.firstAvailable().isEmpty();
    }

    /** What would do: the alternatives, or the only thing that is asked for. */
    List<ExactRequest> options() {
        return hasAlternatives() ? request.firstAvailable() : List.of(Objects.requireNonNull(request.exactly()));
    }

    String resultName(ExactRequest option) {
        return hasAlternatives() ? request.name() + "/" + option.name() : request.name();
    }

    /** With only one of the {@link #options}, and that for so many devices. */
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
                        : new DeviceRequest(request.name(), changed, List.of()));
    }

    /** The claims with some of their requests only; the last one is for the last of these. */
    static List<Claim> claims(List<ExplainedRequest> requests) {
        var claims = new ArrayList<Claim>();
        for (ExplainedRequest wanted : requests) {
            int last = claims.size() - 1;
            boolean isNext = last >= 0 && claims.get(last).ref().equals(wanted.claim.ref());
            if (isNext) {
                claims.set(last, wanted.appendedTo(claims.get(last).requests()));
            } else {
                claims.add(wanted.appendedTo(List.of()));
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
