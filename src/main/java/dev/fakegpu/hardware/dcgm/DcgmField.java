package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.hardware.dcgm.LoadCurve.Load;
import java.util.OptionalDouble;

/**
 * The fields, with the types and help of dcgm-exporter's {@code etc/default-counters.csv}. Power and clocks depend on the load and the
 * limits of the model. The temperature rises by the same number of degrees for all models.
 */
enum DcgmField {
    DCGM_FI_DEV_SM_CLOCK("SM clock frequency (in MHz).") {
        @Override
        double value(Reading reading) {
            return reading.range().smClock(reading.gpuLoad());
        }
    },
    DCGM_FI_DEV_MEM_CLOCK("Memory clock frequency (in MHz).") {
        @Override
        double value(Reading reading) {
            return reading.range().memoryClockMHz();
        }
    },
    DCGM_FI_DEV_MEMORY_TEMP("Memory temperature (in C).") {
        @Override
        double value(Reading reading) {
            return reading.range().memoryTemperature(reading.gpuLoad());
        }
    },
    DCGM_FI_DEV_GPU_TEMP("GPU temperature (in C).") {
        @Override
        double value(Reading reading) {
            return reading.range().temperature(reading.gpuLoad());
        }
    },
    DCGM_FI_DEV_POWER_USAGE("Power draw (in W).") {
        @Override
        double value(Reading reading) {
            return reading.range().power(reading.gpuLoad());
        }
    },
    DCGM_FI_DEV_GPU_UTIL("GPU utilization (in %).") {
        @Override
        double value(Reading reading) {
            return Math.round(100 * reading.load().utilization());
        }
    },
    DCGM_FI_DEV_MEM_COPY_UTIL("Memory utilization (in %).") {
        @Override
        double value(Reading reading) {
            return Math.round(60 * reading.load().utilization());
        }
    },
    /** The only field that a GPU has after it has fallen off the bus, which NVIDIA's driver reports as XID 79. */
    DCGM_FI_DEV_XID_ERRORS("Value of the last XID error encountered.") {
        @Override
        double value(Reading reading) {
            return reading.errors().lost()
                    ? FALLEN_OFF_THE_BUS
                    : reading.errors().xid();
        }
    },
    DCGM_FI_DEV_FB_FREE("Framebuffer memory free (in MiB).") {
        @Override
        double value(Reading reading) {
            return reading.memoryMiB() - DCGM_FI_DEV_FB_USED.value(reading);
        }
    },
    DCGM_FI_DEV_FB_USED("Framebuffer memory used (in MiB).") {
        @Override
        double value(Reading reading) {
            return Math.round(reading.memoryMiB() * reading.load().memory());
        }
    },
    DCGM_FI_PROF_GR_ENGINE_ACTIVE("Ratio of time the graphics engine is active.") {
        @Override
        double value(Reading reading) {
            return reading.load().utilization();
        }
    };

    static final int FALLEN_OFF_THE_BUS = 79;

    private final String help;

    /**
     * The input of a value.
     *
     * @param load the load of the GPU or the partition
     * @param gpuLoad the utilization of the whole GPU, which determines the temperature and power of a partition
     */
    record Reading(OperatingRange range, DcgmGpu.Errors errors, long memoryMiB, Load load, double gpuLoad) {}

    DcgmField(String help) {
        this.help = help;
    }

    String help() {
        return help;
    }

    abstract double value(Reading reading);

    /** The value; empty if it cannot be read, since dcgm-exporter omits such samples. */
    OptionalDouble read(Reading reading) {
        return reading.errors().lost() && this != DCGM_FI_DEV_XID_ERRORS
                ? OptionalDouble.empty()
                : OptionalDouble.of(value(reading));
    }
}
