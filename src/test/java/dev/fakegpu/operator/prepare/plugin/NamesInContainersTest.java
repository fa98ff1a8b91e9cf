package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import java.io.IOException;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools whose devices all have the same names, on one node: a container may get devices of any of them together. */
class NamesInContainersTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int DEVICES = 3;

    @TempDir
    Path root;

    /** The preparers of drivers, and all that they publish. */
    private final Map<String, ClaimPreparer> preparers = new LinkedHashMap<>();

    private final Map<String, FakeNode> nodes = new LinkedHashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noNameMeansTwoDevices(long seed) throws IOException {
        // Given
        var random = new Random(seed);
        List<DeviceId> devices = new ArrayList<>();
        for (String driver : List.of("gpu.example.com", "gpu.nvidia.com", "a.b")) {
            List<String> fakeGpus = Stream.of("a", "b", "a-gpu", "gpu-0")
                    .filter(name -> random.nextInt(3) > 0)
                    .toList();
            serve(driver, fakeGpus, random.nextBoolean());
            fakeGpus.forEach(fakeGpu -> devices.addAll(devicesOf(driver, fakeGpu)));
        }
        nodes.values().forEach(node -> node.published = Set.copyOf(devices));

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
        assertThat(given("env", variable -> variable.asText().replaceFirst("=.*", "")))
                .doesNotHaveDuplicates();
        assertThat(cdiDevices()).doesNotHaveDuplicates();
    }

    @Test
    void aNameThatOnlyOneDeviceHasStaysAsItIs() throws IOException {
        // Given
        serve("gpu.example.com", List.of("a"), false);
        nodes.values().forEach(node -> node.published = Set.copyOf(devicesOf("gpu.example.com", "a")));

        // When
        prepare("one", devicesOf("gpu.example.com", "a"));

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

    /** What is prepared keeps its name, also of a pool that is gone. */
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
    }

    private void serve(String driver, List<String> fakeGpus, boolean likeExample) throws IOException {
        var paths = new PluginPaths(root, Files.createDirectories(root.resolve("cdi")), driver, null);
        Files.createDirectories(paths.data());
        String spec = ("{driver: %s, nodes: {names: [node-1]}, model: %s, count: %d}")
                .formatted(driver, likeExample ? "LATEST-GPU-MODEL" : "A100-SXM4-40GB", DEVICES);
        var node = new FakeNode(fakeGpus.stream().collect(Collectors.toMap(name -> name, name -> spec)));
        nodes.put(driver, node);
        preparers.put(driver, node.preparer(paths, Ticker.SYSTEM));
    }

    private static List<DeviceId> devicesOf(String driver, String fakeGpu) {
        return Stream.iterate(0, i -> i < DEVICES, i -> i + 1)
                .map(i -> new DeviceId(driver, "node-1/" + fakeGpu, "gpu-" + i))
                .toList();
    }

    /** By the plugins of all drivers that the claim has devices of; returns the last answer. */
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

    private List<JsonNode> specs() throws IOException {
        try (var files = Files.list(root.resolve("cdi"))) {
            var specs = new ArrayList<JsonNode>();
            for (Path file : files.sorted().toList()) {
                specs.add(JSON.readTree(Files.readString(file)));
            }
            return specs;
        }
    }

    private List<String> cdiDevices() throws IOException {
        return specs().stream()
                .flatMap(spec -> spec.path("devices")
                        .valueStream()
                        .map(device -> spec.path("kind").asText() + "="
                                + device.path("name").asText()))
                .map(name -> preparers.size() == 1 ? name.substring(name.indexOf('=') + 1) : name)
                .toList();
    }

    /** What all devices bring into a container, without what whole claims do. */
    private List<String> given(String what, Function<JsonNode, String> of) throws IOException {
        return specs().stream()
                .flatMap(spec -> spec.path("devices").valueStream())
                .flatMap(device -> device.path("containerEdits").path(what).valueStream())
                .map(of)
                .toList();
    }
}
