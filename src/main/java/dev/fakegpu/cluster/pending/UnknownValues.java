package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.cel.ComparedQuantity;
import dev.fakegpu.engine.cel.ComparedText;
import dev.fakegpu.engine.cel.ComparedValue;
import dev.fakegpu.engine.cel.ComparedVersion;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.util.Suggestion;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds values of attributes and capacities that selectors request but that no device of the cluster has, often because of a typo. */
final class UnknownValues {

    private static final int MAX_LISTED = 8;

    private final ClusterSnapshot cluster;
    private final Selectors selectors;

    UnknownValues(ClusterSnapshot cluster, Selectors selectors) {
        this.cluster = cluster;
        this.selectors = selectors;
    }

    /** One sentence for each such value in the selectors of the claims' requests and their classes. */
    List<String> of(List<Claim> claims) {
        return claims.stream()
                .flatMap(claim -> claim.requests().stream())
                .flatMap(request ->
                        Stream.concat(Stream.ofNullable(request.exactly()), request.firstAvailable().stream()))
                .flatMap(this::ofRequest)
                .distinct()
                .toList();
    }

    private Stream<String> ofRequest(ExactRequest request) {
        DeviceClass deviceClass = cluster.classes().get(request.deviceClassName());
        Stream<String> ofClass = Stream.ofNullable(deviceClass)
                .flatMap(known -> sentences("class \"" + known.name() + "\"", known.selectors()));
        return Stream.concat(ofClass, sentences("request \"" + request.name() + "\"", request.selectors()));
    }

    private Stream<String> sentences(String who, List<String> expressions) {
        return expressions.stream()
                .flatMap(expression -> selectors.compile(expression).compared().stream())
                .flatMap(compared -> sentence(who, compared));
    }

    private Stream<String> sentence(String who, ComparedValue compared) {
        if (compared instanceof ComparedText text) {
            return sentence(who, text);
        }
        if (compared instanceof ComparedVersion version) {
            return sentence(who, version.wish(), values(version::in), version::isMetBy);
        }
        var quantity = (ComparedQuantity) compared;
        return sentence(who, quantity.wish(), values(quantity::in), quantity::isMetBy);
    }

    private Stream<String> sentence(String who, ComparedText compared) {
        SortedSet<String> values = values(compared::in);
        if (values.isEmpty() || values.contains(compared.text())) {
            return Stream.empty();
        }
        String what = compared.isDriver() ? "the driver" : "attribute " + compared.domain() + "/" + compared.name();
        // The class of a driver is named after it and is correct: there are just no devices of the driver.
        boolean isRight = compared.isDriver() && who.equals("class \"" + compared.text() + "\"");
        String hint = isRight ? "" : Suggestion.hint(compared.text(), values);
        return Stream.of("%s compares %s with \"%s\"%s, which no device has; devices have %s"
                .formatted(who, what, compared.text(), hint, listed(values)));
    }

    private static <T> Stream<String> sentence(String who, String wish, SortedSet<T> values, Predicate<T> isMet) {
        return values.isEmpty() || values.stream().anyMatch(isMet)
                ? Stream.empty()
                : Stream.of(
                        "%s asks for %s, which no device has; devices have %s".formatted(who, wish, listed(values)));
    }

    /** @param value returns the value that a device of a driver has */
    private <T> SortedSet<T> values(BiFunction<String, Device, Optional<T>> value) {
        var values = new TreeSet<T>();
        cluster.slices().forEach(known -> {
            Slice slice = known.asStored();
            slice.devices().stream()
                    .flatMap(device -> value.apply(slice.pool().driver(), device).stream())
                    .forEach(values::add);
        });
        return values;
    }

    static String listed(SortedSet<?> values) {
        String first = values.stream().limit(MAX_LISTED).map(Object::toString).collect(Collectors.joining(", "));
        return values.size() > MAX_LISTED ? first + " and " + (values.size() - MAX_LISTED) + " more" : first;
    }
}
