package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static dev.fakegpu.operator.prepare.plugin.Claims.result;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_0;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NetworkData;
import dev.fakegpu.engine.problemfile.Oracle;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.operator.prepare.ContainerDevice;
import dev.fakegpu.operator.prepare.DeviceSetup;
import dev.fakegpu.operator.prepare.plugin.ClaimPreparer.Answer;
import dev.fakegpu.testing.Prerequisite;
import dev.fakegpu.util.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the files with metadata of devices (KEP-5304): their paths, and what consumers read in them. */
class ClaimMetadataTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path root;

    private final FakeNode node = new FakeNode();
    private PluginPaths paths;
    private ClaimPreparer preparer;

    @BeforeEach
    void start() throws IOException {
        paths = FakeNode.paths(root, DRIVER);
        preparer = node.preparer(paths, Ticker.SYSTEM);
    }

    @Test
    void aClaimOfATemplateIsFoundByThePodsName() {
        var claim = allocated("pod-a-gpu-x7k2p", List.of(result("gpu/large", "gpu-0"), result("nic", "nic-0")));
        claim.getMetadata().setAnnotations(Map.of("resource.kubernetes.io/pod-claim-name", "gpus"));

        var metadata = ClaimMetadata.of(
                claim, DRIVER, claim.getStatus().getAllocation().getDevices().getResults());

        assertThat(metadata.containerPath("gpu"))
                .isEqualTo("/var/run/kubernetes.io/dra-device-attributes/resourceclaimtemplates/gpus/gpu/"
                        + "gpu.example.com-metadata.json");
        assertThat(Claims.metadata("a").containerPath("gpu"))
                .isEqualTo("/var/run/kubernetes.io/dra-device-attributes/resourceclaims/a/gpu/"
                        + "gpu.example.com-metadata.json");
        assertThat(objects(metadata.text("gpu", List.of())))
                .allSatisfy(object -> {
                    assertThat(object.at("/podClaimName").asText()).isEqualTo("gpus");
                    assertThat(object.at("/requests/0/name").asText()).isEqualTo("gpu/large");
                })
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "..",
                "../../../etc",
                "a/b",
                "Gpus",
                "gpus-",
                "a2345678901234567890123456789012345678901234567890123456789012345"
            })
    void invalidPodClaimNameIsIgnored(String name) {
        var claim = allocated("a", List.of(result("gpu", "gpu-0")));
        claim.getMetadata().setAnnotations(Map.of("resource.kubernetes.io/pod-claim-name", name));

        var metadata = ClaimMetadata.of(
                claim, DRIVER, claim.getStatus().getAllocation().getDevices().getResults());

        assertThat(metadata.containerPath("gpu")).isEqualTo(Claims.metadata("a").containerPath("gpu"));
        assertThat(objects(metadata.text("gpu", List.of())))
                .allSatisfy(object -> assertThat(object.has("podClaimName")).isFalse());
    }

    /** KubeVirt treats a device with mdevUUID as a vGPU, and finds others by their address. */
    @Test
    void aMediatedDeviceHasAUuidOfItsOwn() {
        String uuid = attribute(setup("vgpu", Map.of("vgpuFramework", AttributeValue.of("mdev"))), "mdevUUID");
        String other = attribute(setup("vgpu-2", Map.of("vgpuFramework", AttributeValue.of("mdev"))), "mdevUUID");

        assertThat(uuid)
                .matches("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}")
                .isNotEqualTo(other);
        assertThat(attribute(setup("vgpu", Map.of("vgpuFramework", AttributeValue.of("vdev"))), "mdevUUID"))
                .isEmpty();
        assertThat(attribute(setup("vfio", Map.of("type", AttributeValue.of("vfio"))), "mdevUUID"))
                .isEmpty();
    }

    @Test
    void aClaimThatIsPreparedAgainHasTheSameFiles() throws IOException {
        // Given
        node.put(allocated("a", MIG_0));
        prepare("a");
        Path file = paths.data().resolve("claims").resolve(uid("a")).resolve("gpu.metadata.json");
        String before = Files.readString(file);

        // When the node has restarted, and another plugin instance prepares the claim
        Files.delete(file);
        preparer = node.preparer(paths, Ticker.SYSTEM);
        prepare("a");

        // Then
        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(mounts("a"))
                .filteredOn(mount -> mount.at("/hostPath").asText().equals(file.toString()))
                .extracting(mount -> mount.at("/containerPath").asText())
                .containsExactly(Claims.metadata("a").containerPath("gpu"));
    }

    @Test
    void aFileIsKnownBeforeItIsWritten() throws IOException {
        var claim = allocated("a", List.of(result("first", MIG_0), result("second", MIG_1), result("second", MIG_0)));
        node.put(claim);
        List<MetadataFile> files = MetadataFile.of(claim, node.inventory()).files();

        prepare("a");

        assertThat(files).extracting(MetadataFile::request).containsExactly("first", "second");
        Path directory = paths.data().resolve("claims").resolve(uid("a"));
        for (MetadataFile file : files) {
            Path written = directory.resolve(ClaimMetadata.fileName(file.request()));
            assertThat(written).hasContent(file.content());
            assertThat(mounts("a"))
                    .filteredOn(mount -> mount.at("/hostPath").asText().equals(written.toString()))
                    .extracting(mount -> mount.at("/containerPath").asText())
                    .containsExactly(file.path());
        }
    }

    @Test
    void aClaimThatCannotBePreparedHasNoFiles() {
        var other = allocated("a", List.of(result("gpu", "gpu-7")));

        assertThat(MetadataFile.of(Claims.unallocated("a").build(), node.inventory())
                        .problems())
                .containsExactly("claim default/a is not allocated");
        assertThat(MetadataFile.of(other, node.inventory()).problems())
                .singleElement()
                .asString()
                .startsWith("claim default/a: ");
    }

    @Test
    void aContainerGetsTheFileOfARequestOnce() throws IOException {
        node.put(allocated("a", MIG_0, MIG_1));

        prepare("a");

        assertThat(mounts("a"))
                .filteredOn(mount -> mount.at("/containerPath").asText().endsWith("-metadata.json"))
                .hasSize(1);
    }

    /** Tests metadata of the parts of GPUs, of two devices of each model, and cases that no golden file has. */
    @Test
    @Tag("long")
    void upstreamDecodesTheFiles() throws IOException, InterruptedException {
        Optional<Oracle> started = Oracle.built("hack/oracle/build", "-metadata");
        Prerequisite.require(started.isPresent(), "hack/oracle/build failed");
        try (Oracle oracle = started.get();
                Stream<Path> golden = Files.walk(Path.of("src/test/resources/golden/kubelet-plugin"))) {
            List<Path> files =
                    golden.filter(path -> path.endsWith("metadata.json")).toList();
            assertThat(files).hasSizeGreaterThan(4);
            for (Path file : files) {
                check(oracle, Files.readString(file));
            }
            JsonNode printed = JSON.readTree(Path.of("src/test/resources/golden/cli/metadata-as-json/stdout.txt")
                    .toFile());
            assertThat(printed.at("/files"))
                    .hasSize(2)
                    .allSatisfy(file -> check(oracle, file.at("/content").asText()));
            check(oracle, Claims.metadata("a").text("gpu", List.of(everyKindOfAttribute())));
            for (String model : Catalog.builtIn().names()) {
                Specs.PLANNER
                        .plan(Specs.spec("{model: %s, count: 1}".formatted(model)), "all", "node-1")
                        .devices()
                        .stream()
                        .limit(2)
                        .forEach(device -> check(oracle, Claims.metadata("a").text("gpu", List.of(setup(device)))));
            }
            var template = new ClaimMetadata(DRIVER, ref("a"), "gpus", Map.of("gpu", "gpu/large"));
            check(oracle, template.text("gpu", List.of(networkInterface())));
            assertThat(oracle.ask(new TextNode("{}")).at("/error").asText()).isNotEmpty();
        }
    }

    private static void check(Oracle oracle, String text) {
        JsonNode answer = oracle.ask(new TextNode(text));
        assertThat(answer.at("/error").asText()).as(text).isEmpty();
        List<JsonNode> written = objects(text);
        assertThat(answer.at("/objects")).hasSize(written.size());
        for (int i = 0; i < written.size(); i++) {
            JsonNode object = answer.at("/objects/" + i);
            assertThat(object.at("/invalid").asText()).as(text).isEmpty();
            assertThat(object.at("/apiVersion").asText())
                    .isEqualTo(written.get(i).at("/apiVersion").asText());
            // The internal type has upstream's Go field names.
            assertThat(object.at("/metadata/Requests/0/Name").asText())
                    .isEqualTo(written.get(i).at("/requests/0/name").asText());
            assertThat(object.at("/metadata/Requests/0/Devices/0/Attributes"))
                    .isEqualTo(written.get(i).at("/requests/0/devices/0/attributes"));
            assertThat(object.at("/metadata/Requests/0/Devices"))
                    .hasSameSizeAs(written.get(i).at("/requests/0/devices"));
        }
    }

    private static DeviceSetup everyKindOfAttribute() {
        return setup(
                "gpu-0",
                Map.of(
                        "text", AttributeValue.of("a \"b\" \\ \u00e9"),
                        "number", AttributeValue.of(-1L),
                        "flag", AttributeValue.of(true),
                        "version", AttributeValue.version("1.2.3-rc.1"),
                        "texts", AttributeValue.strings(List.of("a", "b")),
                        "resource.kubernetes.io/pciBusID", AttributeValue.of("0000:01:00.0")));
    }

    private static DeviceSetup networkInterface() {
        var id = Claims.device("nic-0");
        var device = new Device("nic-0", Map.of("rdma", AttributeValue.of(true)), Map.of(), List.of(), List.of());
        return new DeviceSetup(
                id,
                new ContainerDevice(id, null),
                "nic-0",
                device,
                Map.of(),
                Set.of(),
                null,
                new NetworkData("eth1", List.of("10.0.0.2/24", "fd00::2/64"), "00:11:22:33:44:55", null));
    }

    private static DeviceSetup setup(String name, Map<String, AttributeValue> attributes) {
        return setup(new Device(name, attributes, Map.of(), List.of(), List.of()));
    }

    private static DeviceSetup setup(Device device) {
        return new DeviceSetup(Claims.device(device.name()), null, device, Map.of(), Set.of());
    }

    private static String attribute(DeviceSetup setup, String name) {
        JsonNode object =
                objects(Claims.metadata("a").text("gpu", List.of(setup))).get(0);
        return object.at("/requests/0/devices/0/attributes")
                .path(name)
                .path("string")
                .asText();
    }

    private static List<JsonNode> objects(String text) {
        try (var values = JSON.readerFor(JsonNode.class).<JsonNode>readValues(text)) {
            return values.readAll();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void prepare(String claim) throws IOException {
        assertThat(preparer.prepare(List.of(ref(claim)), time -> true).get(uid(claim)))
                .isInstanceOf(Answer.Prepared.class);
    }

    private List<JsonNode> mounts(String claim) throws IOException {
        JsonNode spec = JSON.readTree(
                Files.readString(paths.cdiDirectory().resolve("k8s.gpu.example.com-claim_" + uid(claim) + ".json")));
        return spec.findValues("mounts").stream()
                .flatMap(mounts ->
                        Stream.iterate(0, i -> i < mounts.size(), i -> i + 1).map(mounts::get))
                .toList();
    }
}
