package dev.fakegpu.hardware.dcgm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Entity;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Errors;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Identity;
import dev.fakegpu.hardware.dcgm.DcgmGpu.MigInstance;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Mode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DcgmTextTest {

    private static final Holder HOLDER = new Holder("team-a", "claim-x", "trainer", "main", true);

    private static final Identity IDENTITY = new Identity(
            new PoolId("gpu.nvidia.com", "node-1/a100"),
            3,
            "GPU-1",
            "00005774:0D:00.0",
            "NVIDIA A100-SXM4-40GB",
            "node-1",
            "550.163.1");

    @Test
    void wholeGpuHasTheLabelsOfDcgmExporter() {
        String text = text(gpu(new Errors(0, false), new Entity("gpu-3", 40960, null, "", true, HOLDER)));

        assertThat(text.lines()).contains("""
                DCGM_FI_DEV_GPU_UTIL{gpu="3",UUID="GPU-1",pci_bus_id="00005774:0D:00.0",device="nvidia3",\
                modelName="NVIDIA A100-SXM4-40GB",Hostname="node-1",DCGM_FI_DRIVER_VERSION="550.163.1",container="main",\
                dra_claim_name="claim-x",dra_claim_namespace="team-a",dra_device_name="gpu-3",dra_driver_name="gpu.nvidia.com",\
                dra_pool_name="node-1/a100",namespace="team-a",pod="trainer"} 100""");
    }

    @Test
    void idleGpuIsColdAndEmpty() {
        String text = text(gpu(new Errors(0, false), new Entity("gpu-3", 40960, null, "", false, null)));

        assertThat(value(text, "DCGM_FI_DEV_GPU_UTIL")).isEqualTo("0");
        assertThat(value(text, "DCGM_FI_DEV_FB_USED")).isEqualTo("0");
        assertThat(value(text, "DCGM_FI_DEV_FB_FREE")).isEqualTo("40960");
        assertThat(value(text, "DCGM_FI_DEV_GPU_TEMP")).isEqualTo("30");
        assertThat(value(text, "DCGM_FI_DEV_POWER_USAGE")).isEqualTo("55");
        assertThat(value(text, "DCGM_FI_DEV_XID_ERRORS")).isEqualTo("0");
        assertThat(text).doesNotContain("pod=", "dra_", "GPU_I_ID", "vgpu=");
    }

    @Test
    void instanceIsLabeledAndWarmsItsGpuByItsPart() {
        String text = text(gpu(
                new Errors(0, false), new Entity("gpu-3-mig", 10240, new MigInstance("2g.10gb", 4), "", true, null)));

        assertThat(text).contains("GPU_I_PROFILE=\"2g.10gb\",GPU_I_ID=\"4\"");
        assertThat(value(text, "DCGM_FI_DEV_GPU_UTIL")).isEqualTo("100");
        assertThat(value(text, "DCGM_FI_DEV_FB_USED")).isEqualTo("10240");
        assertThat(value(text, "DCGM_FI_DEV_POWER_USAGE"))
                .as("a quarter of the GPU is busy")
                .isEqualTo("141");
    }

    @Test
    void instanceThatSeveralClaimsShareIsCountedOnce() {
        var mig = new MigInstance("2g.10gb", 4);
        var other = new Holder("team-b", "claim-y", "notebook", "main", true);
        String text = text(gpu(
                new Errors(0, false),
                new Entity("gpu-3-mig", 10240, mig, "", true, HOLDER),
                new Entity("gpu-3-mig", 10240, mig, "", true, other)));

        assertThat(text).contains("dra_claim_name=\"claim-x\"", "dra_claim_name=\"claim-y\"");
        assertThat(value(text, "DCGM_FI_DEV_POWER_USAGE"))
                .as("a quarter of the GPU is busy")
                .isEqualTo("141");
    }

    @Test
    void errorIsAValueAndALabel() {
        String text = text(gpu(new Errors(48, false), new Entity("gpu-3", 40960, null, "", false, null)));

        assertThat(text.lines().filter(line -> line.startsWith("DCGM_FI_DEV_XID_ERRORS{")))
                .singleElement()
                .asString()
                .endsWith(",err_code=\"48\"} 48");
    }

    @Test
    void lostGpuHasItsErrorOnly() {
        String text = text(gpu(new Errors(0, true), new Entity("gpu-3", 40960, null, "", true, null)));

        assertThat(text.lines().filter(line -> !line.startsWith("#")))
                .singleElement()
                .asString()
                .startsWith("DCGM_FI_DEV_XID_ERRORS{")
                .endsWith(" 79");
    }

    /** Users decide what is published for custom hardware: two pools may have the same attributes. */
    @Test
    void gpusThatLabelsDoNotTellApartAreOneSample() throws IOException {
        var gpu = gpu(new Errors(0, false), new Entity("gpu-3", 40960, null, "", false, null));
        var text = new StringBuilder();

        DcgmText.write(List.of(gpu, gpu), Instant.EPOCH, text);

        assertThat(text.toString().lines()).doesNotHaveDuplicates();
    }

    @Test
    void namesCannotEndTheirLabel() {
        var holder = new Holder("team-a", "claim-x", "a\"} 1\nb\\", "", true);
        String text = text(gpu(new Errors(0, false), new Entity("gpu-3", 1, null, "", true, holder)));

        assertThat(text).contains("pod=\"a\\\"} 1\\nb\\\\\"}");
    }

    private static DcgmGpu gpu(Errors errors, Entity... entities) {
        return new DcgmGpu(
                IDENTITY, 40960, LoadSpec.DEFAULT, OperatingRange.GENERIC, errors, Mode.WHOLE, List.of(entities));
    }

    private static String text(DcgmGpu gpu) {
        var text = new StringBuilder();
        try {
            DcgmText.write(List.of(gpu), Instant.EPOCH, text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return text.toString();
    }

    private static String value(String text, String field) {
        String line = text.lines()
                .filter(each -> each.startsWith(field + "{"))
                .findFirst()
                .orElseThrow();
        return line.substring(line.lastIndexOf(' ') + 1);
    }
}
