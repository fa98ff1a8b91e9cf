package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.hardware.catalog.Telemetry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values between which power, temperature and clocks of a GPU move with its load.
 *
 * @param idleMemoryC temperature of the memory
 */
public record OperatingRange(
        int idleW, int maxW, int idleC, int idleMemoryC, int idleMHz, int maxMHz, int memoryClockMHz) {

    /** For GPUs whose model is not known: about those of an A100. */
    public static final OperatingRange GENERIC = new OperatingRange(55, 400, 30, 34, 210, 1410, 1215);

    /** How much warmer a GPU and its memory get under full load. What real ones do depends on their cooling. */
    private static final int WARMER = 45;

    private static final int MEMORY_WARMER = 50;

    /** That of a model; {@link #GENERIC} if it is not known. */
    static OperatingRange of(@Nullable Telemetry telemetry) {
        if (telemetry == null) {
            return GENERIC;
        }
        var celsius = telemetry.temperatureC();
        var clocks = telemetry.clocksMHz();
        return new OperatingRange(
                telemetry.powerW().idle(),
                telemetry.powerW().limit(),
                celsius.idle(),
                Objects.requireNonNullElse(celsius.idleMemory(), celsius.idle()),
                clocks.idle(),
                clocks.max(),
                clocks.memory());
    }

    /** In W; the load is from 0 to 1. */
    double power(double load) {
        return between(idleW, maxW, load);
    }

    /** In MHz. */
    double smClock(double load) {
        return between(idleMHz, maxMHz, load);
    }

    /** In degrees Celsius. */
    double temperature(double load) {
        return between(idleC, idleC + WARMER, load);
    }

    /** In degrees Celsius. */
    double memoryTemperature(double load) {
        return between(idleMemoryC, idleMemoryC + MEMORY_WARMER, load);
    }

    static long between(int idle, int full, double load) {
        return idle + Math.round((full - idle) * load);
    }
}
