package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.dra.ExactRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Two constraints of a claim that require the same devices to both agree and differ in an attribute, which is impossible. Found without
 * examining devices.
 */
public record ContradictoryConstraints(Claim claim, String attribute) {

    public static Optional<ContradictoryConstraints> of(List<Claim> claims) {
        return claims.stream()
                .flatMap(claim -> claim.constraints().stream()
                        .flatMap(match -> Stream.ofNullable(match.matchAttribute())
                                .filter(attribute -> isContradicted(claim, match, attribute)))
                        .map(attribute -> new ContradictoryConstraints(claim, attribute)))
                .findFirst();
    }

    private static boolean isContradicted(Claim claim, DeviceConstraint match, String attribute) {
        return claim.constraints().stream()
                .filter(distinct -> attribute.equals(distinct.distinctAttribute()))
                .anyMatch(distinct -> devicesOfBoth(claim, match, distinct) > 1);
    }

    /** The minimum number of devices to which both constraints apply. */
    private static long devicesOfBoth(Claim claim, DeviceConstraint one, DeviceConstraint other) {
        return claim.requests().stream()
                .mapToLong(request -> request.options()
                        .mapToLong(option -> one.appliesTo(request, option) && other.appliesTo(request, option)
                                ? devices(option)
                                : 0)
                        .min()
                        .orElse(0))
                .sum();
    }

    private static long devices(ExactRequest option) {
        return option.isAll() ? 1 : option.count();
    }
}
