package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs manifests as they are written for NVIDIA's driver and for dra-example-driver, with the same classes, selectors, constraints and
 * configuration. kube-scheduler runs them unchanged, and the companion runs them when the pods name it as their scheduler. The results are
 * in the comments at the top of each manifest (see {@link VendorManifest}) and in {@code docs/nvidia-manifests.md}; {@code
 * -Dgolden.update=true} rewrites these comments and fails, because they need a review.
 *
 * <p>The manifests here are shortened versions of those of the vendors. {@code -Dmanifests.originals} also runs the vendors' own manifests:
 * the property is a directory with a clone of each repository.
 */
class VendorManifestsE2E {

    /**
     * Static MIG, partitions, shares, extended resources, an older version, and a selector that no device matches; the others take long.
     */
    private static final Set<String> REPRESENTATIVE = Set.of(
            "nvidia/gpu-test4.yaml",
            "nvidia/gpu-test7.yaml",
            "nvidia/gpu-cel-nomatch.yaml",
            "nvidia/extended-gpu-full.yaml",
            "nvidia/consumable-shares-integer.yaml",
            "example-driver/partitionable-devices.yaml");

    /** How long nothing must change before a result is written. */
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private static final String ORIGINALS = System.getProperty("manifests.originals", "");

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.with(ControlPlaneOptions.withSchedulerAndControllerManager()
                    .runtimeConfig("resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true"));

    private final String namespace = "manifest-" + UUID.randomUUID().toString().substring(0, 8);

    /** A different name each time, because a scheduler may not have seen yet that the devices of an earlier FakeGpu are gone. */
    private final String fakeGpu = namespace;

    private KubernetesClient client;
    private FakeGpuFixture fakeGpus;

    static Stream<Arguments> representative() {
        return cases(manifest -> REPRESENTATIVE.contains(manifest.name()));
    }

    static Stream<Arguments> others() {
        return cases(manifest -> !REPRESENTATIVE.contains(manifest.name()));
    }

    static Stream<Arguments> originals() {
        return VendorManifest.all().stream()
                .filter(manifest -> manifest.vendor().isRun())
                .flatMap(manifest -> manifest.originals().stream()
                        .flatMap(original -> Stream.of(AllocatorName.values())
                                .map(allocator -> Arguments.of(manifest, original, allocator))));
    }

    private static Stream<Arguments> cases(Predicate<VendorManifest> isWanted) {
        return VendorManifest.all().stream()
                .filter(manifest -> manifest.vendor().isRun() || Boolean.getBoolean("manifests.all"))
                .filter(isWanted)
                .flatMap(manifest ->
                        Stream.of(AllocatorName.values()).map(allocator -> Arguments.of(manifest, allocator)));
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
        // Deleted one by one, because the namespace controller waits for five seconds.
        client.apps().deployments().inNamespace(namespace).delete();
        client.apps().statefulSets().inNamespace(namespace).delete();
        client.apps().replicaSets().inNamespace(namespace).delete();
        client.batch().v1().jobs().inNamespace(namespace).delete();
        client.pods().inNamespace(namespace).delete();
        fakeGpus.await(
                () -> assertThat(client.pods().inNamespace(namespace).list().getItems())
                        .isEmpty());
        client.namespaces().withName(namespace).delete();
        fakeGpus.close();
    }

    @ParameterizedTest
    @MethodSource("representative")
    void resultIsAsDocumented(VendorManifest manifest, AllocatorName allocator) {
        assertResult(manifest, allocator);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("others")
    void resultsOfTheOtherManifestsAreAsDocumented(VendorManifest manifest, AllocatorName allocator) {
        assertResult(manifest, allocator);
    }

    @Tag("long")
    @EnabledIfSystemProperty(named = "manifests.originals", matches = ".+")
    @ParameterizedTest
    @MethodSource("originals")
    void resultsOfTheOriginalsAreAsDocumented(VendorManifest manifest, String original, AllocatorName allocator) {
        String text = VendorRepository.in(ORIGINALS, manifest.vendor()).read(original);

        assertThat(run(manifest, text, allocator)).isEqualTo(manifest.result(allocator));
    }

    private void assertResult(VendorManifest manifest, AllocatorName allocator) {
        String result = run(manifest, manifest.text(), allocator);

        if (Boolean.getBoolean("golden.update") && !result.equals(manifest.result(allocator))) {
            manifest.writeResult(allocator, result);
            fail(manifest + " is written anew; review it and run again without golden.update");
        }
        assertThat(result).isEqualTo(manifest.result(allocator));
    }

    private String run(VendorManifest manifest, String text, AllocatorName allocator) {
        var run = new ManifestRun(client, fakeGpus, namespace, text);
        return run.unserved().orElseGet(() -> run(manifest, run, allocator));
    }

    private String run(VendorManifest manifest, ManifestRun run, AllocatorName allocator) {
        manifest.specs(fakeGpu, allocator).forEach((name, spec) -> {
            fakeGpus.create(name, spec.toString());
            fakeGpus.awaitReady(name);
        });
        run.apply(allocator);
        if (manifest.waitsForDevices()) {
            run.meetBindingConditions();
        }
        String result = awaitResult(manifest, run, allocator);
        assertThat(run.claims()).allSatisfy(VendorManifestsE2E::assertConfigurationIsPassedOn);
        return result;
    }

    /** Waits for the expected result or, when results are written, for one that does not change. */
    private String awaitResult(VendorManifest manifest, ManifestRun run, AllocatorName allocator) {
        if (Boolean.getBoolean("golden.update")) {
            Awaitility.await().during(SETTLED).until(() -> run.isSettled());
            return run.result();
        }
        String expected = manifest.result(allocator);
        fakeGpus.await(() -> assertThat(run.result()).isEqualTo(expected));
        return expected;
    }

    private static void assertConfigurationIsPassedOn(ResourceClaim claim) {
        var asked = claim.getSpec().getDevices().getConfig();
        if (Allocations.isAllocated(claim) && asked != null) {
            var passed = claim.getStatus().getAllocation().getDevices().getConfig();
            assertThat(passed).hasSameSizeAs(asked);
            for (int i = 0; i < asked.size(); i++) {
                assertThat(passed.get(i).getSource()).isEqualTo("FromClaim");
                // Both allocators copy configuration that names every request as configuration for all.
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
}
