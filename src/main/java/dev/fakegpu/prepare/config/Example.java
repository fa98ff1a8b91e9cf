package dev.fakegpu.prepare.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code gpu.resource.example.com/v1alpha1} of kubernetes-sigs/dra-example-driver, which has one type of device. */
final class Example {

    private static final String TIME_SLICING = "TimeSlicing";
    private static final String SPACE_PARTITIONING = "SpacePartitioning";

    private Example() {}

    record GpuConfig(
            String apiVersion, String kind, @Nullable Sharing sharing) implements VendorConfig {

        @Override
        public Optional<String> deviceType() {
            return Optional.empty();
        }

        @Override
        public Optional<Flaw> flaw(List<Target> targets) {
            return sharing == null ? Optional.empty() : sharing.flaw();
        }

        @Override
        public Map<String, String> settings() {
            return sharing == null ? Nvidia.TimeSlicing.settings(null) : sharing.settings();
        }
    }

    record Sharing(
            @Nullable String strategy,
            Nvidia.@Nullable TimeSlicing timeSlicingConfig,
            @Nullable SpacePartitioning spacePartitioningConfig) {

        Optional<Flaw> flaw() {
            Optional<Flaw> unknown = Flaw.unlessOneOf("sharing.strategy", strategy, TIME_SLICING, SPACE_PARTITIONING);
            if (unknown.isPresent()) {
                return unknown;
            }
            return TIME_SLICING.equals(strategy)
                    ? Flaw.first(
                            timeSlicingConfig == null ? Optional.empty() : timeSlicingConfig.flaw(),
                            Flaw.ifBeside("sharing.spacePartitioningConfig", spacePartitioningConfig, TIME_SLICING))
                    : Flaw.first(
                            Flaw.unlessBetween(
                                    "sharing.spacePartitioningConfig.partitionCount",
                                    spacePartitioningConfig == null ? null : spacePartitioningConfig.partitionCount(),
                                    0,
                                    Integer.MAX_VALUE),
                            Flaw.ifBeside("sharing.timeSlicingConfig", timeSlicingConfig, SPACE_PARTITIONING));
        }

        Map<String, String> settings() {
            if (SPACE_PARTITIONING.equals(strategy)) {
                int count = spacePartitioningConfig == null
                        ? 1
                        : Objects.requireNonNullElse(spacePartitioningConfig.partitionCount(), 0);
                return Map.of("SHARING_STRATEGY", SPACE_PARTITIONING, "PARTITION_COUNT", String.valueOf(count));
            }
            return Nvidia.TimeSlicing.settings(timeSlicingConfig);
        }
    }

    record SpacePartitioning(@Nullable Integer partitionCount) {}
}
