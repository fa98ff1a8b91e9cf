package dev.fakegpu.hardware.catalog;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An NVIDIA GPU model.
 *
 * @param name the value of {@code spec.model}; for models that come with the operator, the product name without "NVIDIA" and with dashes
 *     for spaces
 * @param aliases other names, such as the product name and the name in the PCI database; null for none
 * @param identity the properties that NVML reports
 * @param software the driver versions
 * @param mig how Multi-Instance GPU divides the GPU; null without MIG
 * @param vgpu its vGPU types; null if there are none
 * @param fabric how the GPUs of a board are connected; null if that is not known, or if NVSwitches do not connect them
 * @param telemetry its limits and idle readings; null if they are not known
 */
public record GpuModel(
        String name,
        @Nullable List<String> aliases,
        Identity identity,
        Software software,
        @Nullable MigTable mig,
        @Nullable VgpuTable vgpu,
        @Nullable FabricTable fabric,
        @Nullable Telemetry telemetry)
        implements Model {

    public GpuModel {
        Names.check(name, aliases);
        if (mig != null) {
            MigCapacity total = mig.total();
            Invalid.when(
                    total.memoryMiB() > identity.memoryMiB,
                    "%s: MIG instances of %d MiB exceed the GPU's %d MiB",
                    name,
                    total.memoryMiB(),
                    identity.memoryMiB);
        }
        if (vgpu != null) {
            for (VgpuType type : vgpu.types()) {
                long used = (long) type.framebufferMiB() * type.maxInstances().equalSize();
                Invalid.when(
                        used > identity.memoryMiB,
                        "%s: %d vGPUs of type %s need %d MiB, more than the GPU's %d MiB",
                        name,
                        type.maxInstances().equalSize(),
                        type.name(),
                        used,
                        identity.memoryMiB);
            }
            if (vgpu.migBacked() != null) {
                checkMigBacked(name, identity, mig, vgpu.migBacked());
            }
        }
    }

    private static void checkMigBacked(
            String name, Identity identity, @Nullable MigTable mig, MigBackedVgpuTable table) {
        for (MigBackedVgpuType type : table.types()) {
            var profile = mig == null ? Optional.<MigProfile>empty() : mig.profile(type.migProfile());
            Invalid.when(
                    profile.isEmpty(),
                    "%s: MIG-backed vGPU type %s sits on %s, which is not a MIG profile",
                    name,
                    type.name(),
                    type.migProfile());
            Invalid.when(
                    profile.filter(known -> known.maxInstances() != type.maxInstances())
                            .isPresent(),
                    "%s: %d vGPUs of type %s, but not as many instances of %s",
                    name,
                    type.maxInstances(),
                    type.name(),
                    type.migProfile());
            Invalid.when(
                    (long) type.framebufferMiB() * type.maxInstances() > identity.memoryMiB,
                    "%s: %d vGPUs of type %s need more than the GPU's %d MiB",
                    name,
                    type.maxInstances(),
                    type.name(),
                    identity.memoryMiB);
        }
    }

    /**
     * The properties of the GPU that NVML reports.
     *
     * @param productName the NVML device name
     * @param brand the NVML brand
     * @param architecture the NVML architecture
     * @param pciDeviceId the device and vendor ID, {@code 0x<device><vendor>}
     * @param cudaComputeCapability a semantic version with three parts, as the DRA driver publishes it
     * @param memoryMiB the physical framebuffer, which vGPUs divide
     * @param nvmlMemoryMiB the total memory that NVML and {@code nvidia-smi} report; null if it is {@code memoryMiB}
     */
    public record Identity(
            Provenance provenance,
            String productName,
            String brand,
            String architecture,
            String pciDeviceId,
            String cudaComputeCapability,
            int memoryMiB,
            @Nullable Integer nvmlMemoryMiB) {

        public Identity {
            Names.checkText("productName", productName);
            Names.checkText("brand", brand);
            Names.checkText("architecture", architecture);
            Invalid.when(memoryMiB <= 0, "%s: memory of %d MiB", productName, memoryMiB);
            if (nvmlMemoryMiB != null) {
                Invalid.when(
                        nvmlMemoryMiB <= 0 || nvmlMemoryMiB > memoryMiB,
                        "%s: NVML reports %d of %d MiB",
                        productName,
                        nvmlMemoryMiB,
                        memoryMiB);
            }
            Invalid.when(
                    !pciDeviceId.matches("0x[0-9A-F]{8}"),
                    "%s: PCI ID \"%s\" is not eight hexadecimal digits, device and vendor, after 0x",
                    productName,
                    pciDeviceId);
            Invalid.when(
                    !cudaComputeCapability.matches("\\d{1,4}\\.\\d{1,4}\\.0"),
                    "%s: compute capability \"%s\" is not three numbers such as 8.0.0",
                    productName,
                    cudaComputeCapability);
        }

        /** The memory that the GPU reports to its users. */
        public int reportedMemoryMiB() {
            return nvmlMemoryMiB == null ? memoryMiB : nvmlMemoryMiB;
        }
    }

    /**
     * The properties that depend on the driver and the kernel of the node. The versions are semantic versions with three parts. NVIDIA's
     * DRA driver drops leading zeros: it publishes 550.163.01 as 550.163.1.
     *
     * @param addressingMode how the GPU addresses the host's memory, one of {@code HMM}, {@code ATS} and {@code None}; null if NVML does
     *     not report it
     */
    public record Software(
            Provenance provenance,
            String driverVersion,
            String cudaDriverVersion,
            @Nullable String addressingMode) {

        private static final List<String> ADDRESSING_MODES = List.of("HMM", "ATS", "None");

        static final String VERSION = "(0|[1-9]\\d{0,8})\\.(0|[1-9]\\d{0,8})\\.(0|[1-9]\\d{0,8})";

        public Software {
            Invalid.when(
                    !driverVersion.matches(VERSION),
                    "driver version \"%s\" is not three numbers such as 550.163.1",
                    driverVersion);
            Invalid.when(
                    !cudaDriverVersion.matches(VERSION),
                    "CUDA version \"%s\" is not three numbers such as 12.4.0",
                    cudaDriverVersion);
            if (addressingMode != null) {
                Invalid.when(
                        !ADDRESSING_MODES.contains(addressingMode),
                        "addressing mode \"%s\" is none of %s",
                        addressingMode,
                        ADDRESSING_MODES);
            }
        }
    }
}
