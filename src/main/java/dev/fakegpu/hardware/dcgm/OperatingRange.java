package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.hardware.catalog.Telemetry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of power, temperature and clocks of a GPU, depending on its load.
 *
 * @param idleMemoryC the temperature of the memory while idle
 */
public record OperatingRange(
        int idleW, int maxW, int idleC, int idleMemoryC, int idleMHz, int maxMHz, int memoryClockMHz) {

    /** Values for GPUs of unknown models, about those of an A100. */
    public static final OperatingRange GENERIC = new OperatingRange(55, 400, 30, 34, 210, 1410, 1215);

    /** The temperature rise of a GPU and its memory under full load, in degrees. In reality it depends on the cooling. */
    private static final int WARMER = 45;

    private static final int MEMORY_WARMER = 50;

    /** The range of a model; {@link #GENERIC} if it is not known. */
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

    /** The power in watts; the load is from 0 to 1. */
    double power(double load) {
        return between(idleW, maxW, load);
    }

    /** The clock of the multiprocessors in MHz. */
    double smClock(double load) {
        return between(idleMHz, maxMHz, load);
    }

    /** The temperature in degrees Celsius. */
    double temperature(double load) {
        return between(idleC, idleC + WARMER, load);
    }

    /** The temperature of the memory in degrees Celsius. */
    double memoryTemperature(double load) {
        return between(idleMemoryC, idleMemoryC + MEMORY_WARMER, load);
    }

    static long between(int idle, int full, double load) {
        return idle + Math.round((full - idle) * load);
    }
}
