package dev.fakegpu.hardware.catalog;

import org.jspecify.annotations.Nullable;

/**
 * The limits of a model's GPUs and their readings while idle, as {@code nvidia-smi -q} prints them.
 *
 * @param rowRemapBanks the number of banks with spare rows; null if it is not known
 * @param nvlink the NVLinks; null if there are none
 * @param board the part numbers of the board; null if they are not known
 */
public record Telemetry(
        Provenance provenance,
        PowerW powerW,
        ClocksMHz clocksMHz,
        TemperatureC temperatureC,
        Pcie pcie,
        DriverMemoryMiB memoryMiB,
        @Nullable Integer rowRemapBanks,
        @Nullable Nvlink nvlink,
        @Nullable Board board) {

    /**
     * The power of a board in watts.
     *
     * @param limit the default limit, which is also the highest one
     */
    public record PowerW(int idle, int min, int limit) {
        public PowerW {
            Invalid.when(
                    idle < 0 || min < 0 || limit < idle || limit < min,
                    "the power limit of %d W is less than %d W idle or the lowest limit of %d W",
                    limit,
                    idle,
                    min);
        }
    }

    /**
     * The clocks of a GPU in MHz.
     *
     * @param idle the clock of the multiprocessors while idle, which is also the lowest one that can be set
     * @param max the highest clock of the multiprocessors
     * @param supported the number of clocks from {@code idle} to {@code max} that can be set
     * @param memory the clock of the memory, which does not depend on the load
     */
    public record ClocksMHz(int idle, int max, int supported, int memory, int idleVideo, int maxVideo) {

        private static final int MAX_SUPPORTED = 1000;

        public ClocksMHz {
            Invalid.when(
                    idle < 1 || max <= idle || memory < 1 || idleVideo < 1 || maxVideo < idleVideo,
                    "the clocks go from %d to %d MHz, and those for video from %d to %d MHz",
                    idle,
                    max,
                    idleVideo,
                    maxVideo);
            Invalid.when(
                    supported < 2 || supported > MAX_SUPPORTED,
                    "%d clocks are supported, 2 to %d are possible",
                    supported,
                    MAX_SUPPORTED);
        }

        /** The supported clock with this index; index 0 is the highest. */
        public int supported(int index) {
            return max - (int) Math.ceil((double) index * (max - idle) / (supported - 1));
        }
    }

    /**
     * Temperatures in degrees Celsius.
     *
     * @param idleMemory null if the memory has no sensor
     * @param maxMemory null if the memory has no limit of its own
     */
    public record TemperatureC(
            int idle,
            @Nullable Integer idleMemory,
            int maxOperating,
            int slowdown,
            int shutdown,
            @Nullable Integer maxMemory) {
        public TemperatureC {
            Invalid.when(
                    idle > maxOperating || maxOperating > slowdown || slowdown > shutdown,
                    "the temperatures %d, %d, %d and %d do not ascend",
                    idle,
                    maxOperating,
                    slowdown,
                    shutdown);
        }
    }

    /** The link to the host. */
    public record Pcie(int generation, int width) {
        public Pcie {
            Invalid.when(generation < 1 || width < 1, "a PCIe link of generation %d, width %d", generation, width);
        }
    }

    /**
     * Memory that programs cannot use as framebuffer.
     *
     * @param reserved the memory of the driver and the firmware
     * @param bar1 the window through which the host reads the framebuffer
     */
    public record DriverMemoryMiB(int reserved, int bar1) {
        public DriverMemoryMiB {
            Invalid.when(reserved < 0 || bar1 < 0, "%d MiB are reserved, and %d MiB are BAR1", reserved, bar1);
        }
    }

    /**
     * The links to other GPUs.
     *
     * @param speedMBps the speed of a link in one direction, in MB/s
     * @param c2c whether NVLink-C2C connects the GPU with its CPU
     */
    public record Nvlink(int links, int speedMBps, boolean c2c) {
        public Nvlink {
            Invalid.when(links < 1 || speedMBps < 1, "%d NVLinks of %d MB/s", links, speedMBps);
        }
    }

    /**
     * The part numbers of a board and the versions of its firmware.
     *
     * @param subsystemId the subsystem's device and vendor ID, {@code 0x<device><vendor>}
     */
    public record Board(
            String subsystemId,
            String vbiosVersion,
            String boardPartNumber,
            String gpuPartNumber,
            String inforomImage,
            String inforomOem,
            String inforomEcc) {}
}
