package dev.fakegpu.prepare.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.Device;
import dev.fakegpu.inventory.Inventory;
import dev.fakegpu.inventory.Specs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a container gets: CDI file, device info files, and the output of {@code nvidia-smi}, for one claim each. {@code
 * -Dgolden.update=true} rewrites the golden files and fails, so that someone reviews them.
 */
class ContainerFilesTest {

    private static final Path GOLDEN = Path.of("src/test/resources/golden/kubelet-plugin");
    private static final Path SCRIPT = Path.of("src/main/resources/dev/fakegpu/prepare/plugin/nvidia-smi");

    @TempDir
    Path infoFiles;

    @Test
    void twoMigDevicesOfAGpu() throws Exception {
        check("mig", model(), "gpu-0-mig-1g5gb-19-0", "gpu-0-mig-1g5gb-19-1");
    }

    @Test
    void wholeGpuAndVgpuAndMigDeviceOfAnother() throws Exception {
        check("mixed", model(), "gpu-0", "gpu-1-mig-1g5gb-19-3", "vgpu-gpu-1-10c-0");
    }

    @Test
    void customHardware() throws Exception {
        var spec = Specs.spec("{custom: {devices: [{name: foo-0, attributes: {color: {string: \"a\\nb=c\"}}}]}}");
        check("custom", Specs.plan(spec), "foo-0");
    }

    @Test
    void unknownOptionIsRefused() throws Exception {
        var output = run(2, "-q");
        assertThat(output)
                .isEqualTo("nvidia-smi (fakegpu): \"-q\" is not known; there is -L, and without an option a table\n");
    }

    @Test
    void nvidiaSmiSaysThatThereAreNoDevices() throws Exception {
        assertThat(run(0, "-L")).isEqualTo("No devices found.\n");
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
        var text =
                CdiSpec.text(Claims.DRIVER, claim, Map.of("gpu-0", Map.of("X", "GPU-1")), Path.of("/s"), Path.of("/t"));

        // Then
        assertThat(CdiSpec.read(text)).isEqualTo(claim);
        assertThat(CdiSpec.read("{}")).isNull();
        assertThat(CdiSpec.read("{\"annotations\":{\"fakegpu.dev/prepared\":\"{}\"}}"))
                .isNull();
        assertThat(CdiSpec.read("no JSON")).isNull();
    }

    private static Inventory model() {
        return Specs.plan(
                Specs.spec(
                        "{model: A100-SXM4-40GB, count: 2, partitions: {whole: true, mig: {profiles: [1g.5gb]}, vgpu: {types: [10C]}}}"));
    }

    private void check(String folder, Inventory inventory, String... names) throws Exception {
        List<Device> devices = Arrays.stream(names)
                .map(name -> inventory.devices().stream()
                        .filter(device -> device.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("there is no " + name)))
                .toList();
        var claim = new PreparedClaim(
                Claims.ref("pod-a"),
                devices.stream()
                        .map(device -> new PreparedResult(
                                Claims.device(device.name()),
                                List.of("gpu"),
                                null,
                                Map.of(),
                                new CompatibilityGroups(
                                        device.compatibilityGroups().byCounterSet())))
                        .toList());
        Map<String, String> actual = new TreeMap<>();
        Map<String, Map<String, String>> env = new HashMap<>();
        for (int i = 0; i < devices.size(); i++) {
            var result = claim.results().get(i);
            var infoFile = new DeviceInfoFile(claim.claim(), result, devices.get(i));
            env.put(result.label(), result.container().env(devices.get(i), Map.of()));
            actual.put("sheet-" + result.label(), infoFile.text());
            Files.writeString(infoFiles.resolve(result.label()), infoFile.text());
        }
        actual.put(
                "cdi.json",
                CdiSpec.text(
                        Claims.DRIVER,
                        claim,
                        env,
                        Path.of("/var/lib/kubelet/plugins/gpu.example.com/claims/978ca343-fc35-399b-8b56-81874fd1b0aa"),
                        Path.of("/var/lib/kubelet/plugins/gpu.example.com/nvidia-smi")));
        actual.put("nvidia-smi.txt", run(0));
        actual.put("nvidia-smi-L.txt", run(0, "-L"));
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

    private String run(int exitCode, String... arguments) throws IOException, InterruptedException {
        var builder = new ProcessBuilder("sh", SCRIPT.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().put("FAKEGPU_DEVICES", infoFiles.toString());
        var process = builder.redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isEqualTo(exitCode);
        return output;
    }
}
