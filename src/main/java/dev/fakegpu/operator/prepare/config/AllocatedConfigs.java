package dev.fakegpu.operator.prepare.config;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.OpaqueConfig;
import dev.fakegpu.dra.RequestName;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The opaque configuration of an allocation, and where users wrote it. An allocation has copies: first those of classes, grouped by class
 * and in the order of the class, then those of the claim. A message with the path of the copy would not help users to find the original.
 *
 * @param configs in the allocation's order
 * @param claim the requests; only read if a place has to be named
 * @param served the value of {@code request} for each allocated device
 */
public record AllocatedConfigs(List<Allocation.Config> configs, Supplier<Claim> claim, List<String> served) {

    public AllocatedConfigs {
        configs = List.copyOf(configs);
        served = List.copyOf(served);
    }

    /**
     * The place of a configuration, such as {@code in DeviceClass "gpu", spec.config[0]}.
     *
     * @param prefix ends with a space, or is empty
     * @param path the path of the configuration in its object
     */
    record Place(String prefix, String path) {}

    /** Where the configuration was written, or its place in the allocation if that is uncertain. */
    Place place(int index) {
        Allocation.Config config = configs.get(index);
        Optional<Place> written = config.source() == Allocation.Source.FromClass ? inClass(config) : inClaim(config);
        return written.orElseGet(() -> new Place("", "status.allocation.devices.config[" + index + "]"));
    }

    /** If several are equal, all have the same error, so the first one is returned. */
    private Optional<Place> inClass(Allocation.Config config) {
        List<Allocation.Config> ofClass = configs.stream()
                .filter(each -> each.source() == config.source()
                        && each.opaque().requests().equals(config.opaque().requests()))
                .toList();
        return deviceClass(config.opaque().requests())
                .map(name ->
                        new Place("in DeviceClass \"" + name + "\", ", "spec.config[" + ofClass.indexOf(config) + "]"));
    }

    /**
     * The class that all these requests have in common; without requests, all requests that were served count. Empty if there are several
     * classes.
     */
    private Optional<String> deviceClass(List<String> requests) {
        List<String> classes = (requests.isEmpty() ? served : requests)
                .stream().map(this::deviceClass).distinct().toList();
        return classes.size() == 1 && !classes.get(0).isEmpty() ? Optional.of(classes.get(0)) : Optional.empty();
    }

    /** Returns an empty string if the claim has no such request. */
    private String deviceClass(String request) {
        return claim.get().requests().stream()
                .filter(each -> each.name().equals(RequestName.main(request)))
                .flatMap(each -> options(each)
                        .filter(option ->
                                each.firstAvailable().isEmpty() || request.equals(each.name() + "/" + option.name())))
                .map(ExactRequest::deviceClassName)
                .findFirst()
                .orElse("");
    }

    private static Stream<ExactRequest> options(DeviceRequest request) {
        return Stream.concat(Stream.ofNullable(request.exactly()), request.firstAvailable().stream());
    }

    private Optional<Place> inClaim(Allocation.Config config) {
        List<OpaqueConfig> written = claim.get().configs();
        OpaqueConfig copy = config.opaque();
        int same = written.indexOf(copy);
        // An allocator may omit the names of requests if the configuration is for all of them.
        int index = same >= 0 || !copy.requests().isEmpty()
                ? same
                : written.stream()
                        .map(each -> each.forRequests(List.of()))
                        .toList()
                        .indexOf(copy);
        return index < 0
                ? Optional.empty()
                : Optional.of(new Place("in the claim, ", "spec.devices.config[" + index + "]"));
    }
}
