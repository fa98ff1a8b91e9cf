package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.cel.ComparedText;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.util.Suggestion;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Values with which selectors compare attributes and that no device of the cluster has: usually misspelt. */
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

    private Stream<String> sentence(String who, ComparedText compared) {
        SortedSet<String> values = values(compared);
        if (values.isEmpty() || values.contains(compared.text())) {
            return Stream.empty();
        }
        String what = compared.isDriver() ? "the driver" : "attribute " + compared.domain() + "/" + compared.name();
        return Stream.of("%s compares %s with \"%s\"%s, which no device has; devices have %s"
                .formatted(who, what, compared.text(), Suggestion.hint(compared.text(), values), listed(values)));
    }

    /** What devices have there as text. */
    private SortedSet<String> values(ComparedText compared) {
        var values = new TreeSet<String>();
        cluster.slices().forEach(known -> {
            Slice slice = known.asStored();
            String driver = slice.pool().driver();
            if (compared.isDriver()) {
                values.add(driver);
            } else {
                slice.devices().stream()
                        .flatMap(device -> names(compared, driver).stream()
                                .flatMap(name ->
                                        Stream.ofNullable(device.attributes().get(name))))
                        .flatMap(value -> value instanceof AttributeValue.StringValue text
                                ? Stream.of(text.value())
                                : Stream.empty())
                        .forEach(values::add);
            }
        });
        return values;
    }

    /** Names without a domain are in the driver's. */
    private static Set<String> names(ComparedText compared, String driver) {
        String qualified = compared.domain() + "/" + compared.name();
        return compared.domain().equals(driver) ? Set.of(qualified, compared.name()) : Set.of(qualified);
    }

    private static String listed(SortedSet<String> values) {
        String first = values.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
        return values.size() > MAX_LISTED ? first + " and " + (values.size() - MAX_LISTED) + " more" : first;
    }
}
