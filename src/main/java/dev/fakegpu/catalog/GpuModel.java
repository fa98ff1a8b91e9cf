package dev.fakegpu.catalog;

import org.jspecify.annotations.Nullable;

/**
 * A GPU model.
 *
 * @param name what users write in {@code spec.model}: the product name without "NVIDIA", spaces as dashes
 * @param identity what the GPU says about itself
 * @param software what the driver says about itself
 * @param mig how Multi-Instance GPU cuts it; null if it cannot
 * @param vgpu its time-sliced vGPU types; null if there are none
 */
public record GpuModel(
        String name,
        Identity identity,
        Software software,
        @Nullable MigTable mig,
        @Nullable VgpuTable vgpu) {

    private static final String VENDOR = "NVIDIA ";

    public GpuModel {
        String canonical = canonicalName(identity.productName);
        Invalid.when(!canonical.equals(name), "model \"%s\" should be named \"%s\"", name, canonical);
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
        }
    }

    private static String canonicalName(String productName) {
        String model = productName.startsWith(VENDOR) ? productName.substring(VENDOR.length()) : productName;
        return model.replace(' ', '-');
    }

    /**
     * What the GPU says about itself through NVML.
     *
     * @param productName NVML device name
     * @param brand NVML brand
     * @param architecture NVML architecture
     * @param pciDeviceId device and vendor ID, {@code 0x<device><vendor>}
     * @param cudaComputeCapability semantic version with three parts, as the DRA driver publishes it
     * @param memoryMiB physical framebuffer
     */
    public record Identity(
            Provenance provenance,
            String productName,
            String brand,
            String architecture,
            String pciDeviceId,
            String cudaComputeCapability,
            int memoryMiB) {

        public Identity {
            Invalid.when(memoryMiB <= 0, "%s: memory of %d MiB", productName, memoryMiB);
            Invalid.when(
                    !pciDeviceId.matches("0x[0-9A-F]{4}10DE"),
                    "%s: PCI ID \"%s\" is not NVIDIA's",
                    productName,
                    pciDeviceId);
            Invalid.when(
                    !cudaComputeCapability.matches("\\d+\\.\\d+\\.0"),
                    "%s: compute capability \"%s\"",
                    productName,
                    cudaComputeCapability);
        }
    }

    /**
     * What the driver says about itself, as semantic versions with three parts. NVIDIA's DRA driver drops leading zeros:
     * 550.163.01 is published as 550.163.1.
     */
    public record Software(Provenance provenance, String driverVersion, String cudaDriverVersion) {

        private static final String VERSION = "(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)";

        public Software {
            Invalid.when(!driverVersion.matches(VERSION), "driver version \"%s\"", driverVersion);
            Invalid.when(!cudaDriverVersion.matches(VERSION), "CUDA version \"%s\"", cudaDriverVersion);
        }
    }
}
