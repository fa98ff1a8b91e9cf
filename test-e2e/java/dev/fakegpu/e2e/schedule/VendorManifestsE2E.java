package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Manifests as they are written for NVIDIA's driver and for dra-example-driver: the same classes, selectors, constraints and
 * configuration. kube-scheduler runs them unchanged, and the companion when it is named as the pods' scheduler.
 *
 * <p>The first lines of a manifest say what its pods hold in the end, as the number of devices and their {@code type}.
 */
class VendorManifestsE2E {

    private static final Path MANIFESTS = Path.of("test-e2e/manifests");

    private static final Map<String, String> DRIVERS =
            Map.of("nvidia", "gpu.nvidia.com", "example-driver", "gpu.example.com");

    private static final Map<String, String> HARDWARE = Map.of(
            "nvidia",
            "{model: A100-SXM4-40GB, count: 8, partitions: {mig: {profiles: [All]}, vfio: true}}",
            "example-driver",
            "{model: LATEST-GPU-MODEL, count: 8}");

    /** MIG, partitions, extended resources and a selector that no device matches; the others are long. */
    private static final Set<String> REPRESENTATIVE =
            Set.of("gpu-test4.yaml", "gpu-cel-nomatch.yaml", "extended-gpu-full.yaml", "partitionable-devices.yaml");

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    private final String namespace = "manifest-" + UUID.randomUUID().toString().substring(0, 8);
    private KubernetesClient client;
    private FakeGpuFixture fakeGpus;

    static Stream<Arguments> representative() {
        return manifests(REPRESENTATIVE::contains);
    }

    static Stream<Arguments> others() {
        return manifests(name -> !REPRESENTATIVE.contains(name));
    }

    private static Stream<Arguments> manifests(Predicate<String> isWanted) {
        return DRIVERS.keySet().stream()
                .sorted()
                .flatMap(vendor -> files(vendor)
                        .filter(file -> isWanted.test(String.valueOf(file.getFileName())))
                        .flatMap(file -> Stream.of(AllocatorName.values())
                                .map(allocator -> Arguments.of(vendor, file.getFileName(), allocator))));
    }

    @BeforeEach
    void begin() {
        client = cluster.client();
        fakeGpus = new FakeGpuFixture(client);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .addToLabels("resource.kubernetes.io/admin-access", "true")
                        .endMetadata()
                        .build())
                .create();
    }

    @AfterEach
    void end() {
        client.namespaces().withName(namespace).delete();
        fakeGpus.await(() -> assertThat(pods()).isEmpty());
        fakeGpus.close();
    }

    @ParameterizedTest
    @MethodSource("representative")
    void worksUnchanged(String vendor, Path name, AllocatorName allocator) {
        assertWorksUnchanged(vendor, name, allocator);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("others")
    void theOthersWorkUnchanged(String vendor, Path name, AllocatorName allocator) {
        assertWorksUnchanged(vendor, name, allocator);
    }

    private void assertWorksUnchanged(String vendor, Path name, AllocatorName allocator) {
        // Given
        Path file = MANIFESTS.resolve(vendor).resolve(name);
        String hardware = header(file, "fakegpu", HARDWARE.get(vendor));
        fakeGpus.create(
                "gpus",
                "{driver: %s, allocator: %s, nodes: {simulated: {count: 1, taint: None}}, %s"
                        .formatted(DRIVERS.get(vendor), allocator, hardware.substring(1)));
        fakeGpus.awaitReady("gpus");

        // When
        List<HasMetadata> objects = load(file, allocator);
        objects.forEach(this::create);

        // Then
        String held = header(file, "holds", "");
        long pods = objects.stream().mapToLong(VendorManifestsE2E::pods).sum();
        if (held.equals("nothing")) {
            fakeGpus.await(() -> assertThat(pods())
                    .hasSize((int) pods)
                    .allSatisfy(pod -> assertThat(pod.getStatus().getConditions())
                            .anySatisfy(condition ->
                                    assertThat(condition.getReason()).isEqualTo("Unschedulable"))));
        } else {
            fakeGpus.await(() -> assertThat(pods())
                    .hasSize((int) pods)
                    .allSatisfy(pod -> assertThat(pod.getStatus().getPhase())
                            .as("%s", pod.getStatus().getConditions())
                            .isEqualTo("Running")));
        }
        assertThat(held()).isEqualTo(held);
        assertThat(claims()).allSatisfy(VendorManifestsE2E::assertConfigurationIsPassedOn);
    }

    private static void assertConfigurationIsPassedOn(ResourceClaim claim) {
        var asked = claim.getSpec().getDevices().getConfig();
        if (Allocations.isAllocated(claim) && asked != null) {
            var passed = claim.getStatus().getAllocation().getDevices().getConfig();
            assertThat(passed).hasSameSizeAs(asked);
            for (int i = 0; i < asked.size(); i++) {
                assertThat(passed.get(i).getSource()).isEqualTo("FromClaim");
                // What is for every request is passed on as being for all, by either allocator.
                var requests = asked.get(i).getRequests();
                boolean forAll = requests.size()
                        == claim.getSpec().getDevices().getRequests().size();
                assertThat(passed.get(i).getRequests()).isEqualTo(forAll ? List.of() : requests);
                var opaque = passed.get(i).getOpaque();
                assertThat(opaque.getDriver())
                        .isEqualTo(asked.get(i).getOpaque().getDriver());
                // The API server sorts fields that arrive in a merge patch.
                assertThat(Serialization.<JsonNode>unmarshal(
                                Serialization.asJson(opaque.getParameters()), JsonNode.class))
                        .isEqualTo(Serialization.<JsonNode>unmarshal(
                                Serialization.asJson(asked.get(i).getOpaque().getParameters()), JsonNode.class));
            }
        }
    }

    private void create(HasMetadata object) {
        if (object instanceof DeviceClass) {
            fakeGpus.create(object);
        } else {
            object.getMetadata().setNamespace(namespace);
            client.resource(object).create();
        }
    }

    private List<HasMetadata> load(Path file, AllocatorName allocator) {
        try (var yaml = Files.newInputStream(file)) {
            List<HasMetadata> objects = client.load(yaml).items();
            if (allocator == AllocatorName.Companion) {
                objects.forEach(VendorManifestsE2E::nameTheCompanion);
            }
            return objects;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void nameTheCompanion(HasMetadata object) {
        if (object instanceof Pod pod) {
            pod.getSpec().setSchedulerName(Labels.SCHEDULER_NAME);
        } else if (object instanceof Deployment deployment) {
            deployment.getSpec().getTemplate().getSpec().setSchedulerName(Labels.SCHEDULER_NAME);
        }
    }

    private static long pods(HasMetadata object) {
        if (object instanceof Deployment deployment) {
            return deployment.getSpec().getReplicas();
        }
        return object instanceof Pod ? 1 : 0;
    }

    private List<Pod> pods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    private List<ResourceClaim> claims() {
        return client.resources(ResourceClaim.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    /** For example {@code 2 gpu}; only the number where devices have no type. */
    private String held() {
        var counts = new TreeMap<String, Integer>();
        claims().stream()
                .filter(Allocations::isAllocated)
                .flatMap(claim -> Allocations.results(claim).stream())
                .forEach(result -> counts.merge(
                        Boolean.TRUE.equals(result.getAdminAccess()) ? " admin" : type(Allocations.device(result)),
                        1,
                        Integer::sum));
        return counts.isEmpty()
                ? "nothing"
                : counts.entrySet().stream()
                        .map(entry -> entry.getValue() + entry.getKey())
                        .collect(Collectors.joining(", "));
    }

    private String type(DeviceId id) {
        return fakeGpus.slices("gpus").stream()
                .flatMap(slice -> slice.devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .flatMap(device -> Stream.ofNullable(device.attributes().get("type")))
                .map(AttributeValue::toString)
                .map(type -> " " + type)
                .findFirst()
                .orElse("");
    }

    private static Stream<Path> files(String vendor) {
        try (Stream<Path> files = Files.list(MANIFESTS.resolve(vendor))) {
            return files.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What follows {@code # <key>:} in the comments at the top. */
    private static String header(Path file, String key, String otherwise) {
        String prefix = "# " + key + ": ";
        try (Stream<String> lines = Files.lines(file)) {
            return lines.takeWhile(line -> line.startsWith("#"))
                    .filter(line -> line.startsWith(prefix))
                    .map(line -> line.substring(prefix.length()))
                    .findFirst()
                    .orElse(otherwise);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
