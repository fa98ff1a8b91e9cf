package dev.fakegpu.operator.prepare.config;

import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.dra.Allocation;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Applies the opaque configuration of an allocation to a driver's devices. For devices that follow the conventions of a driver whose
 * configuration API is known, it follows {@code prepareDevices} of NVIDIA's driver: all objects are decoded strictly, and for each device
 * the last matching object wins; objects of classes come before those of the claim. Other hardware may use any API: objects of known APIs
 * are decoded, and others are ignored.
 */
public final class OpaqueConfigs {

    /**
     * The result of applying configuration.
     *
     * @param settings what containers see, as one map per target and in the order of the targets; empty for a device without configuration
     * @param problem why the claim cannot be prepared
     */
    public record Result(List<Map<String, String>> settings, Optional<String> problem) {
        static Result failed(String problem) {
            return new Result(List.of(), Optional.of(problem));
        }
    }

    /** @param place where the object was written */
    private record Candidate(
            List<String> requests, Supplier<AllocatedConfigs.Place> place, VendorApi api, VendorConfig config) {

        boolean isFor(ConfigTarget target) {
            return requests.contains(target.request()) || requests.contains(target.mainRequest());
        }

        boolean fits(ConfigTarget target) {
            var needed = config.deviceType();
            return needed.isEmpty() || target.type().isEmpty() || needed.equals(target.type());
        }
    }

    private OpaqueConfigs() {}

    /**
     * Applies configuration to devices.
     *
     * @param allocated all configuration of the allocation
     * @param targets the driver's devices
     */
    public static Result apply(String driver, AllocatedConfigs allocated, List<ConfigTarget> targets) {
        Set<Convention> conventions = targets.stream()
                .flatMap(target -> target.conventions().stream())
                .collect(Collectors.toSet());
        List<Allocation.Config> configs = allocated.configs();
        var candidates = new ArrayList<Candidate>();
        for (Allocation.Source source : Allocation.Source.values()) {
            for (int i = 0; i < configs.size(); i++) {
                Allocation.Config config = configs.get(i);
                if (config.source() == source && config.opaque().driver().equals(driver)) {
                    int index = i;
                    Supplier<AllocatedConfigs.Place> place = () -> allocated.place(index);
                    var decoded = VendorApi.decode(config.opaque().parameters(), conventions);
                    if (decoded instanceof VendorApi.Decoded.Wrong wrong) {
                        return Result.failed(wrong.error().sentence(place.get()));
                    }
                    if (decoded instanceof VendorApi.Decoded.Config known) {
                        candidates.add(new Candidate(config.opaque().requests(), place, known.api(), known.config()));
                    }
                }
            }
        }
        return apply(candidates, targets);
    }

    private static Result apply(List<Candidate> candidates, List<ConfigTarget> targets) {
        var settings = new ArrayList<Map<String, String>>();
        var applied = new IdentityHashMap<Candidate, List<ConfigTarget>>();
        for (ConfigTarget target : targets) {
            var candidate = last(candidates, target);
            if (candidate.isPresent() && !candidate.get().fits(target)) {
                return Result.failed(unfitting(candidate.get(), target));
            }
            candidate.ifPresent(one ->
                    applied.computeIfAbsent(one, key -> new ArrayList<>()).add(target));
            settings.add(candidate.map(one -> one.config().settings()).orElse(Map.of()));
        }
        return candidates.stream()
                .filter(applied::containsKey)
                .flatMap(candidate -> candidate
                        .config()
                        .validate(Objects.requireNonNull(applied.get(candidate)))
                        .map(error -> error.sentence(candidate.place().get()))
                        .stream())
                .findFirst()
                .map(Result::failed)
                .orElseGet(() -> new Result(settings, Optional.empty()));
    }

    /**
     * An object that names the device's request always matches, and it is an error if its type does not fit; an object for all requests
     * matches only if its type fits.
     */
    private static Optional<Candidate> last(List<Candidate> candidates, ConfigTarget target) {
        return candidates.stream()
                .filter(candidate -> candidate.requests().isEmpty() ? candidate.fits(target) : candidate.isFor(target))
                .reduce((earlier, later) -> later);
    }

    private static String unfitting(Candidate candidate, ConfigTarget target) {
        String type = target.type().orElse("");
        return new ConfigError(
                        "kind",
                        candidate.config().getClass().getSimpleName(),
                        "cannot be applied to device %s of type %s (request %s)"
                                .formatted(target.device().name(), type, target.request()),
                        candidate.api().kindsFor(type))
                .sentence(candidate.place().get());
    }
}
