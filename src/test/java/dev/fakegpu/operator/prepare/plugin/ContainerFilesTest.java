package dev.fakegpu.operator.prepare.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.hardware.dcgm.NvmlReadings;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.operator.prepare.DeviceSetup;
import dev.fakegpu.operator.prepare.config.Conventions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what a container gets for one claim: the CDI file, device info files, and the output of {@code nvidia-smi}. {@code
 * -Dgolden.update=true} rewrites the golden files and fails, so that the changes are reviewed.
 */
class ContainerFilesTest {

    private static final Path GOLDEN = Path.of("src/test/resources/golden/kubelet-plugin");
    private static final String NOW = "1784019627";
    private static final List<SmiShell> SHELLS = SmiShell.ofThisMachine();

    /** The fields for which nvidia-smi has values. */
    static final String KNOWN =
            "timestamp,index,count,name,uuid,serial,pci.bus_id,driver_version,compute_cap,mig.mode.current,"
                    + "ecc.mode.current,memory.total,memory.used,memory.free,utilization.gpu,utilization.memory,temperature.gpu,power.draw";

    @TempDir
    Path answers;

    @Test
    void twoMigDevicesOfAGpu() throws Exception {
        var spec = Specs.spec(
                "{model: A100-SXM4-40GB, count: 1, partitions: {mig: {static: [{devices: {2g.10gb: 1, 3g.20gb: 1}}]}}}");
        check("static-mig", spec, "gpu-0-mig-2g10gb-14-0", "gpu-0-mig-3g20gb-9-4");
    }

    @Test
    void wholeGpuAndVgpuAndMigDeviceOfAnother() throws Exception {
        check("mixed", model(), "gpu-0", "gpu-1-mig-1g5gb-19-3", "vgpu-gpu-1-10c-0");
    }

    @Test
    void gpuThatIsSharedByMps() throws Exception {
        var settings = Map.of("SHARING_STRATEGY", "MPS", "MPS_ACTIVE_THREAD_PERCENTAGE", "50");

        check("mps", "gpu.nvidia.com", model(), settings, "gpu-0");
    }

    @Test
    void gpuOfTheExampleDriver() throws Exception {
        check("example", "my-gpus.example.com", Specs.spec("{model: LATEST-GPU-MODEL, count: 2}"), Map.of(), "gpu-1");
    }

    @Test
    void containersGetFilesForCustomHardware() throws Exception {
        var spec = Specs.spec("{custom: {devices: [{name: foo-0, attributes: {color: {string: \"a\\nb=c\"}}}]}}");
        check("custom", spec, "foo-0");
    }

    @Test
    void sharesOfADeviceHaveDistinctNames() {
        // Given
        var one = new PreparedResult(Claims.device("gpu-0"), List.of("gpu"), "5f4dcc3b", Map.of(), null);
        var other = new PreparedResult(Claims.device("gpu-0"), List.of("gpu"), "cc3b5f4d", Map.of(), null);

        // Then
        assertThat(one.container().cdiId("uid")).isEqualTo("k8s.gpu.example.com/claim=uid-gpu-0-5f4dcc3b");
        assertThat(other.container().cdiId("uid")).isEqualTo("k8s.gpu.example.com/claim=uid-gpu-0-cc3b5f4d");
    }

    @Test
    void aCdiFileContainsThePreparedClaim() {
        // Given
        var claim = Claims.prepared("pod-a", "gpu-0");

        // When
        var text = CdiSpec.text(
                Claims.DRIVER,
                claim,
                new ContainerEdits(
                        Map.of(), List.of(), Map.of("gpu-0", new ContainerEdits.OfDevice(Map.of("X", "1"), false))),
                Path.of("/s"),
                Path.of("/t"),
                Claims.metadata("pod-a"));

        // Then
        assertThat(CdiSpec.read(text)).isEqualTo(claim);
        assertThat(CdiSpec.read("{}")).isNull();
        assertThat(CdiSpec.read("{\"annotations\":{\"fakegpu.dev/prepared\":\"{}\"}}"))
                .isNull();
        assertThat(CdiSpec.read("no JSON")).isNull();
    }

    private static FakeGpuSpec model() {
        return Specs.spec(
                "{model: A100-SXM4-40GB, count: 2, partitions: {whole: true, mig: {profiles: [1g.5gb]}, vgpu: {types: [10C]}}}");
    }

    private void check(String folder, FakeGpuSpec spec, String... names) throws Exception {
        check(folder, Claims.DRIVER, spec, Map.of(), names);
    }

    private void check(String folder, String driver, FakeGpuSpec spec, Map<String, String> settings, String... names)
            throws Exception {
        Inventory inventory = Specs.plan(spec);
        var nvml = Specs.PLANNER.nvmlGpu(spec, "fake");
        List<Device> devices =
                Arrays.stream(names).map(name -> Specs.device(inventory, name)).toList();
        var claim = new PreparedClaim(
                Claims.ref("pod-a"),
                devices.stream()
                        .map(device -> new PreparedResult(
                                new DeviceId(driver, Claims.POOL, device.name()),
                                List.of("gpu"),
                                null,
                                Map.of(),
                                new CompatibilityGroups(
                                        device.compatibilityGroups().byCounterSet())))
                        .toList());
        var data = Path.of("/var/lib/kubelet/plugins", driver);
        Map<String, String> actual = new TreeMap<>();
        Map<String, DeviceSetup> setups = new HashMap<>();
        for (int i = 0; i < devices.size(); i++) {
            var result = claim.results().get(i);
            var readings = NvmlReadings.of(devices.get(i), inventory.counterSets(), null, nvml);
            var infoFile = new DeviceInfoFile(claim.claim(), result, devices.get(i), readings);
            var conventions =
                    Conventions.of(Specs.PLANNER.hasEqualParts(spec), spec.containersOrDefault(), devices.get(i));
            setups.put(result.label(), new DeviceSetup(result.id(), null, devices.get(i), settings, conventions));
            actual.put("sheet-" + result.label(), infoFile.text());
            Files.writeString(answers.resolve(result.label()), infoFile.answers());
        }
        var metadata = new ClaimMetadata(driver, claim.claim(), null, Map.of());
        actual.put(
                "cdi.json",
                CdiSpec.text(
                        driver,
                        claim,
                        ContainerEdits.of(driver, "node-1", claim, setups),
                        data.resolve("claims").resolve(claim.claim().uid()),
                        data.resolve("nvidia-smi"),
                        metadata));
        actual.put(
                "metadata.json",
                metadata.text(
                        "gpu",
                        claim.results().stream()
                                .map(result -> setups.get(result.label()))
                                .toList()));
        actual.put("nvidia-smi.txt", run(0));
        actual.put("nvidia-smi-L.txt", run(0, "-L"));
        actual.put("nvidia-smi-q.txt", run(0, "-q"));
        actual.put("nvidia-smi-q-x.txt", run(0, "-q", "-x"));
        actual.put("nvidia-smi-csv.txt", run(0, "--query-gpu=" + KNOWN + ",fan.speed", "--format=csv"));
        compare(GOLDEN.resolve(folder), actual);
    }

    private static void compare(Path folder, Map<String, String> actual) throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(folder);
            for (Map.Entry<String, String> file : actual.entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue());
            }
            fail(folder + " is written anew; review it and run again without golden.update");
        }
        for (Map.Entry<String, String> file : actual.entrySet()) {
            assertThat(file.getValue()).as(file.getKey()).isEqualTo(Files.readString(folder.resolve(file.getKey())));
        }
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).hasSameElementsAs(actual.keySet());
        }
    }

    /** Runs it in each installed shell; the output is the same in all of them. */
    private String run(int exitCode, String... arguments) throws IOException, InterruptedException {
        return SmiShell.run(SHELLS, answers, NOW, exitCode, arguments);
    }
}
