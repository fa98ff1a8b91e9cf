package dev.fakegpu.operator.prepare.config;

import dev.fakegpu.dra.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The API {@code resource.nvidia.com/v1beta1}, validated like {@code api/nvidia.com/resource/v1beta1} of
 * kubernetes-sigs/dra-driver-nvidia-gpu with its feature gates for time-slicing, MPS and passthrough enabled. VgpuDeviceConfig follows the
 * proposal in NVIDIA's vGPU branch.
 */
final class NvidiaConfig {

    private static final String TIME_SLICING = "TimeSlicing";
    private static final String MPS = "MPS";
    private static final Quantity SMALLEST_LIMIT = Quantity.ofMebibytes(1);

    private NvidiaConfig() {}

    record GpuConfig(
            String apiVersion, String kind, @Nullable GpuSharing sharing) implements VendorConfig {

        @Override
        public Optional<String> deviceType() {
            return Optional.of("gpu");
        }

        @Override
        public Optional<ConfigError> validate(List<ConfigTarget> targets) {
            return sharing == null ? Optional.empty() : sharing.validate(targets);
        }

        @Override
        public Map<String, String> settings() {
            return sharing == null ? Map.of() : sharing.settings();
        }
    }

    record GpuSharing(
            @Nullable String strategy,
            @Nullable TimeSlicing timeSlicingConfig,
            @Nullable Mps mpsConfig) {

        Optional<ConfigError> validate(List<ConfigTarget> targets) {
            Optional<ConfigError> unknown = ConfigError.unlessOneOf("sharing.strategy", strategy, TIME_SLICING, MPS);
            if (unknown.isPresent()) {
                return unknown;
            }
            return TIME_SLICING.equals(strategy)
                    ? ConfigError.first(
                            timeSlicingConfig == null ? Optional.empty() : timeSlicingConfig.validate(),
                            ConfigError.ifBeside("sharing.mpsConfig", mpsConfig, TIME_SLICING))
                    : ConfigError.first(
                            mpsConfig == null ? Optional.empty() : mpsConfig.validate(targets),
                            ConfigError.ifBeside("sharing.timeSlicingConfig", timeSlicingConfig, MPS),
                            mpsOfShared(targets));
        }

        Map<String, String> settings() {
            if (MPS.equals(strategy)) {
                return mpsSettings(mpsConfig);
            }
            return TimeSlicing.settings(timeSlicingConfig);
        }
    }

    /** Also used by dra-example-driver. */
    record TimeSlicing(@Nullable String interval) {

        /** @param config null for the default interval */
        static Map<String, String> settings(@Nullable TimeSlicing config) {
            String interval = config == null ? null : config.interval();
            return Map.of(
                    "SHARING_STRATEGY", TIME_SLICING, "TIMESLICE_INTERVAL", interval == null ? "Default" : interval);
        }

        Optional<ConfigError> validate() {
            return ConfigError.unlessOneOf(
                    "sharing.timeSlicingConfig.interval", interval, "Default", "Short", "Medium", "Long");
        }
    }

    record MigDeviceConfig(
            String apiVersion, String kind, @Nullable MigSharing sharing) implements VendorConfig {

        @Override
        public Optional<String> deviceType() {
            return Optional.of("mig");
        }

        @Override
        public Optional<ConfigError> validate(List<ConfigTarget> targets) {
            return sharing == null ? Optional.empty() : sharing.validate(targets);
        }

        @Override
        public Map<String, String> settings() {
            if (sharing == null) {
                return Map.of();
            }
            return MPS.equals(sharing.strategy())
                    ? mpsSettings(sharing.mpsConfig())
                    : Map.of("SHARING_STRATEGY", TIME_SLICING);
        }
    }

    /** A MIG device uses the time slices of its GPU, so this has no settings for them. */
    record MigSharing(@Nullable String strategy, @Nullable Mps mpsConfig) {

        Optional<ConfigError> validate(List<ConfigTarget> targets) {
            Optional<ConfigError> unknown = ConfigError.unlessOneOf("sharing.strategy", strategy, TIME_SLICING, MPS);
            return unknown.isPresent() || !MPS.equals(strategy)
                    ? unknown
                    : ConfigError.first(
                            mpsConfig == null ? Optional.empty() : mpsConfig.validate(targets), mpsOfShared(targets));
        }
    }

    /** The driver refuses MPS while its feature gate ConsumableShares is in use ({@code device_state.go}). */
    private static Optional<ConfigError> mpsOfShared(List<ConfigTarget> targets) {
        return targets.stream()
                .filter(target -> target.device().allowMultipleAllocations())
                .findFirst()
                .flatMap(target -> ConfigError.of(
                        "sharing.strategy",
                        MPS,
                        "does not go with device %s, which several claims can share"
                                .formatted(target.device().name()),
                        TIME_SLICING));
    }

    /** @param defaultPerDevicePinnedMemoryLimit by UUID, or by index among the devices to which the object applies */
    record Mps(
            @Nullable Integer defaultActiveThreadPercentage,
            @Nullable Quantity defaultPinnedDeviceMemoryLimit,
            @Nullable Map<String, Quantity> defaultPerDevicePinnedMemoryLimit) {

        private static final String FIELD = "sharing.mpsConfig.";

        Optional<ConfigError> validate(List<ConfigTarget> targets) {
            return ConfigError.first(
                    ConfigError.unlessBetween(
                            FIELD + "defaultActiveThreadPercentage", defaultActiveThreadPercentage, 0, 100),
                    tooLow(FIELD + "defaultPinnedDeviceMemoryLimit", defaultPinnedDeviceMemoryLimit),
                    perDevice(targets));
        }

        private Optional<ConfigError> perDevice(List<ConfigTarget> targets) {
            String field = FIELD + "defaultPerDevicePinnedMemoryLimit";
            return defaultPerDevicePinnedMemoryLimit == null
                    ? Optional.empty()
                    : defaultPerDevicePinnedMemoryLimit.entrySet().stream()
                            .flatMap(limit -> ConfigError.first(
                                    noDevice(field, limit.getKey(), targets),
                                    tooLow(field + "[" + limit.getKey() + "]", limit.getValue()))
                                    .stream())
                            .findFirst();
        }

        private static Optional<ConfigError> noDevice(String field, String device, List<ConfigTarget> targets) {
            boolean isIndex = device.matches("[0-9]{1,4}") && Integer.parseInt(device) < targets.size();
            return isIndex || targets.stream().anyMatch(target -> target.uuid().equals(device))
                    ? Optional.empty()
                    : ConfigError.of(
                            field,
                            device,
                            "is none of the devices",
                            "0 to %d, or the UUID of one of them".formatted(targets.size() - 1));
        }

        private static Optional<ConfigError> tooLow(String field, @Nullable Quantity limit) {
            return limit == null || limit.compareTo(SMALLEST_LIMIT) >= 0
                    ? Optional.empty()
                    : ConfigError.of(field, limit, "is too low", "1Mi and more");
        }
    }

    record VfioDeviceConfig(
            String apiVersion, String kind, @Nullable Iommu iommu) implements VendorConfig {

        @Override
        public Optional<String> deviceType() {
            return Optional.of("vfio");
        }

        @Override
        public Optional<ConfigError> validate(List<ConfigTarget> targets) {
            String policy = iommu == null ? null : iommu.backendPolicy();
            return policy == null || policy.isEmpty()
                    ? Optional.empty()
                    : ConfigError.unlessOneOf("iommu.backendPolicy", policy, "LegacyOnly", "PreferIommuFD");
        }

        @Override
        public Map<String, String> settings() {
            String policy = iommu == null ? null : iommu.backendPolicy();
            return Map.of("IOMMU_BACKEND_POLICY", policy == null || policy.isEmpty() ? "LegacyOnly" : policy);
        }
    }

    record Iommu(@Nullable String backendPolicy, @Nullable Boolean enableAPIDevice) {}

    /** @param params parameters of the vGPU manager, which containers do not see */
    record VgpuDeviceConfig(
            String apiVersion,
            String kind,
            @Nullable String profile,
            @Nullable Integer profileID,
            @Nullable Map<String, String> params)
            implements VendorConfig {

        @Override
        public Optional<String> deviceType() {
            return Optional.of("vgpu");
        }

        @Override
        public Optional<ConfigError> validate(List<ConfigTarget> targets) {
            return ConfigError.first(
                    ConfigError.unlessBetween("profileID", profileID, 0, Integer.MAX_VALUE),
                    params != null && params.containsKey("")
                            ? ConfigError.of("params", "", "has a parameter without a name", "names that are not empty")
                            : Optional.empty(),
                    profile == null || profile.isEmpty()
                            ? Optional.empty()
                            : otherDevice("profile", profile, "profile", targets),
                    profileID == null
                            ? Optional.empty()
                            : otherDevice("profileID", profileID.toString(), "typeID", targets));
        }

        private static Optional<ConfigError> otherDevice(
                String field, String value, String attribute, List<ConfigTarget> targets) {
            return targets.stream()
                    .filter(target -> !target.attribute(attribute).equals(Optional.of(value)))
                    .findFirst()
                    .flatMap(target -> ConfigError.of(
                            field,
                            value,
                            "is not the %s of device %s"
                                    .formatted(attribute, target.device().name()),
                            target.attribute(attribute).orElse("none, since the device has no " + attribute)));
        }

        @Override
        public Map<String, String> settings() {
            return Map.of();
        }
    }

    private static Map<String, String> mpsSettings(@Nullable Mps mps) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("SHARING_STRATEGY", MPS);
        if (mps != null && mps.defaultActiveThreadPercentage() != null) {
            settings.put(
                    "MPS_ACTIVE_THREAD_PERCENTAGE",
                    mps.defaultActiveThreadPercentage().toString());
        }
        return settings;
    }
}
