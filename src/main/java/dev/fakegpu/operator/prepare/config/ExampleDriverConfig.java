package dev.fakegpu.operator.prepare.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API {@code gpu.resource.example.com/v1alpha1} of kubernetes-sigs/dra-example-driver, which has one type of device. */
final class ExampleDriverConfig {

    private static final String TIME_SLICING = "TimeSlicing";
    private static final String SPACE_PARTITIONING = "SpacePartitioning";

    private ExampleDriverConfig() {}

    record GpuConfig(
            String apiVersion, String kind, @Nullable Sharing sharing) implements VendorConfig {

        @Override
        public Optional<String> deviceType() {
            return Optional.empty();
        }

        @Override
        public Optional<ConfigError> validate(List<ConfigTarget> targets) {
            return sharing == null ? Optional.empty() : sharing.validate();
        }

        @Override
        public Map<String, String> settings() {
            return sharing == null ? NvidiaConfig.TimeSlicing.settings(null) : sharing.settings();
        }
    }

    record Sharing(
            @Nullable String strategy,
            NvidiaConfig.@Nullable TimeSlicing timeSlicingConfig,
            @Nullable SpacePartitioning spacePartitioningConfig) {

        Optional<ConfigError> validate() {
            Optional<ConfigError> unknown =
                    ConfigError.unlessOneOf("sharing.strategy", strategy, TIME_SLICING, SPACE_PARTITIONING);
            if (unknown.isPresent()) {
                return unknown;
            }
            return TIME_SLICING.equals(strategy)
                    ? ConfigError.first(
                            timeSlicingConfig == null ? Optional.empty() : timeSlicingConfig.validate(),
                            ConfigError.ifBeside(
                                    "sharing.spacePartitioningConfig", spacePartitioningConfig, TIME_SLICING))
                    : ConfigError.first(
                            ConfigError.unlessBetween(
                                    "sharing.spacePartitioningConfig.partitionCount",
                                    spacePartitioningConfig == null ? null : spacePartitioningConfig.partitionCount(),
                                    0,
                                    Integer.MAX_VALUE),
                            ConfigError.ifBeside("sharing.timeSlicingConfig", timeSlicingConfig, SPACE_PARTITIONING));
        }

        Map<String, String> settings() {
            if (SPACE_PARTITIONING.equals(strategy)) {
                int count = spacePartitioningConfig == null
                        ? 1
                        : Objects.requireNonNullElse(spacePartitioningConfig.partitionCount(), 0);
                return Map.of("SHARING_STRATEGY", SPACE_PARTITIONING, "PARTITION_COUNT", String.valueOf(count));
            }
            return NvidiaConfig.TimeSlicing.settings(timeSlicingConfig);
        }
    }

    record SpacePartitioning(@Nullable Integer partitionCount) {}
}
