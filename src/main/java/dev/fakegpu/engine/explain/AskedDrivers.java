package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.cel.ComparedText;
import dev.fakegpu.engine.cel.Selectors;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The drivers whose devices requests can get, as far as the selectors of the requests or their classes compare the driver's name with a
 * text.
 *
 * @param areAll whether any request does not specify the driver
 */
public record AskedDrivers(Set<String> names, boolean areAll) {

    public AskedDrivers {
        names = Set.copyOf(names);
    }

    public static AskedDrivers of(List<Claim> claims, Map<String, DeviceClass> classes, Selectors selectors) {
        return of(
                claims.stream()
                        .flatMap(claim -> claim.requests().stream())
                        .flatMap(request ->
                                Stream.concat(Stream.ofNullable(request.exactly()), request.firstAvailable().stream())),
                classes,
                selectors);
    }

    static AskedDrivers of(Stream<ExactRequest> requests, Map<String, DeviceClass> classes, Selectors selectors) {
        var names = new HashSet<String>();
        List<Boolean> areNamed = requests.map(request -> names(request, classes, selectors))
                .map(ofRequest -> names.addAll(ofRequest) || !ofRequest.isEmpty())
                .toList();
        return new AskedDrivers(names, areNamed.contains(false));
    }

    private static Set<String> names(ExactRequest request, Map<String, DeviceClass> classes, Selectors selectors) {
        DeviceClass deviceClass = classes.get(request.deviceClassName());
        return Stream.concat(
                        Stream.ofNullable(deviceClass).flatMap(known -> known.selectors().stream()),
                        request.selectors().stream())
                .flatMap(expression -> selectors.compile(expression).compared().stream())
                .filter(compared -> compared instanceof ComparedText text && text.isDriver())
                .map(compared -> ((ComparedText) compared).text())
                .collect(Collectors.toSet());
    }

    public boolean include(String driver) {
        return areAll || names.contains(driver);
    }
}
