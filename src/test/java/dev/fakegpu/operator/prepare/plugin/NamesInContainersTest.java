package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.ContainerDevice;
import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests pools on one node whose devices have the same names; a container may get devices of several of them. */
class NamesInContainersTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int DEVICES = 3;

    /** Represents the pool in the name of a variable. */
    private static final Pattern HASH = Pattern.compile("_[0-9A-Fa-f]{8}(_|$)");

    @TempDir
    Path root;

    /** The preparers of drivers, which know all published devices. */
    private final Map<String, ClaimPreparer> preparers = new LinkedHashMap<>();

    private final Map<String, FakeNode> nodes = new LinkedHashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void namesOfDevicesAreDistinct(long seed) throws IOException {
        // Given
        var random = new Random(seed);
        Map<String, List<String>> fakeGpus = new LinkedHashMap<>();
        for (String driver : List.of("gpu.example.com", "gpu.nvidia.com", "a.b")) {
            List<String> ofDriver = Stream.of("a", "b", "a-gpu", "gpu-0")
                    .filter(name -> random.nextInt(3) > 0)
                    .toList();
            serve(driver, ofDriver, random.nextBoolean());
            fakeGpus.put(driver, ofDriver);
        }
        List<DeviceId> devices = publish(fakeGpus);

        // When
        Collections.shuffle(devices, random);
        while (!devices.isEmpty()) {
            var ofClaim = devices.subList(0, Math.min(devices.size(), 1 + random.nextInt(6)));
            prepare("claim-" + devices.size(), List.copyOf(ofClaim));
            ofClaim.clear();
        }

        // Then
        assertThat(given("mounts", mount -> mount.path("containerPath").asText()))
                .doesNotHaveDuplicates();
        assertThat(given("mounts", mount -> mount.path("hostPath").asText())).doesNotHaveDuplicates();
        assertThat(variables("")).filteredOn(ofThisProject()).doesNotHaveDuplicates();
        fakeGpus.forEach((driver, ofDriver) -> assertThat(variables(driver))
                .as("%s of %s", driver, ofDriver)
                .doesNotHaveDuplicates()
                .filteredOn(ofThisProject().negate())
                .allSatisfy(
                        variable -> assertThat(HASH.matcher(variable).find()).isEqualTo(ofDriver.size() > 1)));
        assertThat(cdiDevices()).doesNotHaveDuplicates();
    }

    /** Vendors' drivers do not consider other drivers on the node, and their test suites look for these names. */
    @Test
    void variablesOfAVendorDoNotDependOnOtherDrivers() throws IOException {
        // Given
        serve("one.example.com", List.of("a"), true);
        serve("two.example.com", List.of("b"), true);
        List<DeviceId> devices = publish(Map.of("one.example.com", List.of("a"), "two.example.com", List.of("b")));

        // When
        prepare("both", devices);

        // Then
        assertThat(List.of("one.example.com", "two.example.com"))
                .allSatisfy(driver -> assertThat(variables(driver))
                        .contains("GPU_DEVICE_0", "GPU_DEVICE_GPU_0_RESOURCE_CLAIM", "GPU_DEVICE_gpu_0")
                        .doesNotContain("FAKEGPU_DEVICE_GPU_0"));
        assertThat(variables("")).filteredOn(ofThisProject()).hasSize(6).allMatch(HASH.asPredicate());
    }

    @Test
    void aNameThatOnlyOneDeviceHasStaysAsItIs() throws IOException {
        // Given
        serve("gpu.example.com", List.of("a"), false);
        List<DeviceId> devices = publish(Map.of("gpu.example.com", List.of("a")));

        // When
        prepare("one", devices);

        // Then
        assertThat(cdiDevices()).containsExactly(uid("one") + "-gpu-0", uid("one") + "-gpu-1", uid("one") + "-gpu-2");
    }

    @Test
    void namesStayWhenAPluginStartsAgainOrTheOtherPoolGoes() throws IOException {
        // Given
        serve("gpu.example.com", List.of("a", "b"), false);
        var ofB = devicesOf("gpu.example.com", "b");
        Answer first = prepare("one", ofB);

        // When
        serve("gpu.example.com", List.of("b"), false);

        // Then
        assertThat(prepare("one", ofB)).isEqualTo(first);
    }

    /** A prepared device keeps its name, even if its pool is removed. */
    @Test
    void aPoolThatComesLaterGivesWay() throws IOException {
        // Given
        serve("gpu.example.com", List.of("a"), false);
        prepare("one", devicesOf("gpu.example.com", "a"));

        // When
        serve("gpu.example.com", List.of("b"), false);
        prepare("two", devicesOf("gpu.example.com", "b"));

        // Then
        assertThat(given("mounts", mount -> mount.path("containerPath").asText()))
                .doesNotHaveDuplicates();
        assertThat(variables("gpu.example.com")).contains("GPU_DEVICE_gpu_0").doesNotHaveDuplicates();
    }

    private void serve(String driver, List<String> fakeGpus, boolean likeExample) throws IOException {
        var paths = FakeNode.paths(root, driver);
        String spec =
                ("{driver: %s, nodes: {names: [node-1]}, model: %s, count: %d, containers: {conventions: [run-ai]}}")
                        .formatted(driver, likeExample ? "LATEST-GPU-MODEL" : "A100-SXM4-40GB", DEVICES);
        var node = new FakeNode(fakeGpus.stream().collect(Collectors.toMap(name -> name, name -> spec)));
        nodes.put(driver, node);
        preparers.put(driver, node.preparer(paths, Ticker.SYSTEM));
    }

    /** Publishes the devices to all plugins, and returns them. */
    private List<DeviceId> publish(Map<String, List<String>> fakeGpus) {
        List<DeviceId> devices = new ArrayList<>();
        fakeGpus.forEach((driver, names) -> names.forEach(name -> devices.addAll(devicesOf(driver, name))));
        nodes.values().forEach(node -> node.published = Set.copyOf(devices));
        return devices;
    }

    private static List<DeviceId> devicesOf(String driver, String fakeGpu) {
        return Stream.iterate(0, i -> i < DEVICES, i -> i + 1)
                .map(i -> new DeviceId(driver, "node-1/" + fakeGpu, "gpu-" + i))
                .toList();
    }

    /** Prepares the claim with the plugins of all of its drivers, and returns the last answer. */
    private Answer prepare(String name, List<DeviceId> devices) throws IOException {
        var claim = allocated(
                name, devices.stream().map(NamesInContainersTest::result).toList());
        Answer last = null;
        for (String driver : devices.stream().map(DeviceId::driver).distinct().toList()) {
            nodes.get(driver).put(claim);
            last = preparers
                    .get(driver)
                    .prepare(List.of(ref(name)), time -> true)
                    .get(uid(name));
            assertThat(last).isInstanceOf(Answer.Prepared.class);
        }
        return last;
    }

    private static DeviceRequestAllocationResult result(DeviceId device) {
        return new DeviceRequestAllocationResultBuilder()
                .withRequest("gpu")
                .withDriver(device.driver())
                .withPool(device.pool())
                .withDevice(device.device())
                .build();
    }

    private List<JsonNode> specs() {
        try (var files = Files.list(root.resolve("cdi"))) {
            var specs = new ArrayList<JsonNode>();
            for (Path file : files.sorted().toList()) {
                specs.add(JSON.readTree(Files.readString(file)));
            }
            return specs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> cdiDevices() {
        return specs().stream()
                .flatMap(spec -> spec.path("devices")
                        .valueStream()
                        .map(device -> spec.path("kind").asText() + "="
                                + device.path("name").asText()))
                .map(name -> preparers.size() == 1 ? name.substring(name.indexOf('=') + 1) : name)
                .toList();
    }

    /** The names of the environment variables that the devices of a driver add to a container; of all drivers if it is empty. */
    private List<String> variables(String driver) {
        return given(driver, "env", variable -> variable.asText().replaceFirst("=.*", ""));
    }

    private static Predicate<String> ofThisProject() {
        return variable -> variable.startsWith("FAKEGPU_");
    }

    /** What all devices add to a container, without additions of whole claims. */
    private List<String> given(String what, Function<JsonNode, String> of) {
        return given("", what, of);
    }

    private List<String> given(String driver, String what, Function<JsonNode, String> of) {
        return specs().stream()
                .filter(spec -> driver.isEmpty() || spec.path("kind").asText().equals(ContainerDevice.cdiKind(driver)))
                .flatMap(spec -> spec.path("devices").valueStream())
                .flatMap(device -> device.path("containerEdits").path(what).valueStream())
                .map(of)
                .toList();
    }
}
