package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How busy the GPUs appear in the metrics of dcgm-exporter. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.curve) == (has(self.mode) && self.mode == 'Curve')",
        message = "mode Curve and curve go together")
@ValidationRule(
        value = "!has(self.utilization) || !has(self.mode) || self.mode != 'Curve'",
        message = "utilization does not go with mode Curve: the points of the curve have it")
public record LoadSpec(
        @JsonPropertyDescription(
                "What the load depends on. FollowPods (default): devices that a running pod holds are busy, others idle. Constant:"
                        + " all are always busy. Curve: all follow a curve over time, which repeats.")
        @Default("FollowPods")
        Mode mode,

        @JsonPropertyDescription("Utilization of a busy device in percent, 0 to 100 (default). Not with mode Curve.")
        @Min(0) @Max(100) @Nullable Integer utilization,

        @JsonPropertyDescription(
                "Part of a busy device's memory that is in use, in percent, 0 to 100. Default: the same as the utilization.")
        @Min(0) @Max(100) @Nullable Integer memory,

        @JsonPropertyDescription(
                "Points of the curve, 2 to 64, each later than the one before; the first is at 0. Between two points, the"
                        + " utilization changes linearly. After the last point, the curve starts again. Only with mode Curve.")
        @Size(min = 2, max = 64) List<Point> curve) {

    public static final LoadSpec DEFAULT = new LoadSpec(Mode.FollowPods, null, null, List.of());

    private static final int FULL = 100;

    /** What determines the load. */
    public enum Mode {
        FollowPods,
        Constant,
        Curve
    }

    /** A point of a curve. */
    public record Point(
            @JsonPropertyDescription(
                    "Seconds since the start of the curve, 0 to 86400. Curves start at multiples of their length since 1970.")
            @Required
            @Min(0) @Max(86_400) int atSeconds,

            @JsonPropertyDescription("Utilization in percent, 0 to 100.") @Required @Min(0) @Max(100) int utilization) {}

    public LoadSpec {
        mode = Objects.requireNonNullElse(mode, Mode.FollowPods);
        curve = Defaults.list(curve);
    }

    /** Whether the curve, if there is one, begins at 0 and its points are in ascending order of time. */
    public boolean ascends() {
        return IntStream.range(0, curve.size())
                .allMatch(i -> i == 0
                        ? curve.get(0).atSeconds() == 0
                        : curve.get(i).atSeconds() > curve.get(i - 1).atSeconds());
    }

    /** {@code utilization} with its default. */
    public int utilizationOrDefault() {
        return Objects.requireNonNullElse(utilization, FULL);
    }
}
