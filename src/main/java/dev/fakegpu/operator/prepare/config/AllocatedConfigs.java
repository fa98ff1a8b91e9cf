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
 * The opaque configuration of an allocation, and where it was written. An allocation has copies: those of classes, all of one class together
 * and in its order, then those of the claim. Nobody finds what to correct under the copy's path.
 *
 * @param configs in the allocation's order
 * @param claim what is requested; asked for only if a place is to be named
 * @param served the {@code request} of each allocated device
 */
public record AllocatedConfigs(List<Allocation.Config> configs, Supplier<Claim> claim, List<String> served) {

    public AllocatedConfigs {
        configs = List.copyOf(configs);
        served = List.copyOf(served);
    }

    /**
     * A configuration's place, such as {@code in DeviceClass "gpu", spec.config[0]}.
     *
     * @param prefix ends with a blank, or is empty
     * @param path of the configuration in its object
     */
    record Place(String prefix, String path) {}

    /** Where the configuration was written; its place in the allocation if that is not certain. */
    Place place(int index) {
        Allocation.Config config = configs.get(index);
        Optional<Place> written = config.source() == Allocation.Source.FromClass ? inClass(config) : inClaim(config);
        return written.orElseGet(() -> new Place("", "status.allocation.devices.config[" + index + "]"));
    }

    /** Equal ones are all wrong in the same way, so that the first of them will do. */
    private Optional<Place> inClass(Allocation.Config config) {
        List<Allocation.Config> ofClass = configs.stream()
                .filter(each -> each.source() == config.source()
                        && each.opaque().requests().equals(config.opaque().requests()))
                .toList();
        return deviceClass(config.opaque().requests())
                .map(name ->
                        new Place("in DeviceClass \"" + name + "\", ", "spec.config[" + ofClass.indexOf(config) + "]"));
    }

    /** The class of all these requests; none names all that were served. Empty if they have several. */
    private Optional<String> deviceClass(List<String> requests) {
        List<String> classes = (requests.isEmpty() ? served : requests)
                .stream().map(this::deviceClass).distinct().toList();
        return classes.size() == 1 && !classes.get(0).isEmpty() ? Optional.of(classes.get(0)) : Optional.empty();
    }

    /** Empty if the claim has no such request. */
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
        // An allocator may leave out names of requests if it is for all.
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
