package dev.fakegpu.prepare.config;

import dev.fakegpu.dra.Allocation;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The configuration in an allocation that is for one driver. Drivers whose configuration API is known ({@code gpu.nvidia.com}, {@code
 * gpu.example.com}) get what {@code prepareDevices} of NVIDIA's driver makes of it: all of it is decoded strictly, and for each device the
 * last that fits is applied, that of classes before that of the claim. For other drivers it is left alone.
 */
public final class OpaqueConfigs {

    /**
     * What becomes of it.
     *
     * @param settings what containers are told, for each device in the order of the targets; none where nothing was configured
     * @param problem why the claim cannot be prepared
     */
    public record Result(List<Map<String, String>> settings, Optional<String> problem) {
        static Result failed(String problem) {
            return new Result(List.of(), Optional.of(problem));
        }

        static Result none(List<ConfigTarget> targets) {
            return new Result(
                    targets.stream().map(target -> Map.<String, String>of()).toList(), Optional.empty());
        }
    }

    /** @param where the object's path from the claim's root */
    private record Candidate(List<String> requests, String where, VendorConfig config) {

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
     * @param configs all of the allocation, in its order
     * @param targets the driver's devices
     */
    public static Result apply(String driver, List<Allocation.Config> configs, List<ConfigTarget> targets) {
        return VendorApi.of(driver)
                .map(api -> apply(api, driver, configs, targets))
                .orElseGet(() -> Result.none(targets));
    }

    private static Result apply(
            VendorApi api, String driver, List<Allocation.Config> configs, List<ConfigTarget> targets) {
        var candidates = new ArrayList<Candidate>();
        for (Allocation.Source source : Allocation.Source.values()) {
            for (int i = 0; i < configs.size(); i++) {
                Allocation.Config config = configs.get(i);
                if (config.source() == source && config.opaque().driver().equals(driver)) {
                    String where = "status.allocation.devices.config[" + i + "].opaque.parameters";
                    var decoded = api.decode(config.opaque().parameters());
                    if (decoded.flaw() != null) {
                        return Result.failed(decoded.flaw().sentence(where));
                    }
                    candidates.add(
                            new Candidate(config.opaque().requests(), where, Objects.requireNonNull(decoded.config())));
                }
            }
        }
        return apply(api, candidates, targets);
    }

    private static Result apply(VendorApi api, List<Candidate> candidates, List<ConfigTarget> targets) {
        var settings = new ArrayList<Map<String, String>>();
        var applied = new IdentityHashMap<Candidate, List<ConfigTarget>>();
        for (ConfigTarget target : targets) {
            var candidate = last(candidates, target);
            if (candidate.isPresent() && !candidate.get().fits(target)) {
                return Result.failed(unfitting(api, candidate.get(), target));
            }
            candidate.ifPresent(one ->
                    applied.computeIfAbsent(one, key -> new ArrayList<>()).add(target));
            settings.add(candidate.map(one -> one.config().settings()).orElse(Map.of()));
        }
        return candidates.stream()
                .filter(applied::containsKey)
                .flatMap(candidate -> candidate
                        .config()
                        .flaw(Objects.requireNonNull(applied.get(candidate)))
                        .map(flaw -> flaw.sentence(candidate.where()))
                        .stream())
                .findFirst()
                .map(Result::failed)
                .orElseGet(() -> new Result(settings, Optional.empty()));
    }

    /** What is for the device's request has to fit; what is for all requests is for the devices that it fits. */
    private static Optional<Candidate> last(List<Candidate> candidates, ConfigTarget target) {
        return candidates.stream()
                .filter(candidate -> candidate.requests().isEmpty() ? candidate.fits(target) : candidate.isFor(target))
                .reduce((earlier, later) -> later);
    }

    private static String unfitting(VendorApi api, Candidate candidate, ConfigTarget target) {
        String type = target.type().orElse("");
        return new ConfigError(
                        "kind",
                        candidate.config().getClass().getSimpleName(),
                        "cannot be applied to device %s of type %s (request %s)"
                                .formatted(target.device().name(), type, target.request()),
                        api.kindsFor(type))
                .sentence(candidate.where());
    }
}
