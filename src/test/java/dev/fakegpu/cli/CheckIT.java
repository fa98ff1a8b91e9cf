package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cli.input.CheckInput;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cluster.check.Checker;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the rules for objects that the API server refuses: it refuses exactly those. */
class CheckIT {

    private static final int UNPROCESSABLE = 422;

    /** For these kinds, unknown fields are warnings, since drivers write fields of other versions. */
    private static final Set<String> WITH_NEWER_FIELDS = Set.of("ResourceSlice", "DeviceClass");

    /** Its feature gates enable all fields that the rules are about. */
    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.with(
            ControlPlaneOptions.apiServerOnly()
                    .featureGates(
                            "DRADeviceCompatibilityGroups=true,DRAListTypeAttributes=true,DRANodeAllocatableResources=true,"
                                    + "DRAOptionalNodeOperations=true,DRAPartitionableDevicesType=true,DRAResourcePoolStatus=true"));

    @TestFactory
    Stream<DynamicTest> theApiServerRefusesWhatBreaksARuleOfIt() {
        return EditedManifests.cases("rules.yaml").stream()
                .map(edit -> DynamicTest.dynamicTest(edit.toString(), () -> {
                    List<Manifest> manifests =
                            EditedManifests.of("base.yaml").edit(edit).manifests();
                    Set<String> refusing = new TreeSet<>();
                    Checker.check(CheckInput.of(manifests, KubernetesVersion.NEWEST, manifest -> {}))
                            .findings()
                            .stream()
                            .filter(finding -> finding.rule().why().startsWith("The API server "))
                            .filter(finding -> finding.rule().why().matches("The API server (refuses|cannot).*"))
                            .forEach(finding -> refusing.add(finding.rule().name()));
                    List<String> refusals = manifests.stream()
                            .map(CheckIT::refusal)
                            .flatMap(Optional::stream)
                            .toList();

                    assertThat(!refusals.isEmpty())
                            .as("the API server says %s, and rules %s say that it refuses", refusals, refusing)
                            .isEqualTo(!refusing.isEmpty());
                }));
    }

    @Test
    void objectsInOrderAreAccepted() {
        assertThat(Stream.of("base.yaml", "dra-example-driver.yaml", "nvidia.yaml", "network.yaml")
                        .flatMap(file -> EditedManifests.of(file).manifests().stream())
                        .map(CheckIT::refusal)
                        .flatMap(Optional::stream))
                .isEmpty();
    }

    @Test
    void objectsOfTheClusterAreChecked() {
        EditedManifests.of("network.yaml").manifests().forEach(manifest -> {
            ((ObjectNode) manifest.json().path("metadata")).put("name", "check-it-" + manifest.name());
            send(manifest, "");
        });
        var out = new StringWriter();
        int exit = FakeGpuCommand.commandLine()
                .setOut(new PrintWriter(out))
                .execute(
                        "check",
                        "--from-cluster",
                        "--driver=dra.net",
                        "-o=json",
                        "--kubeconfig=" + controlPlane.kubeconfig());
        JsonNode report = Serialization.unmarshal(out.toString(), JsonNode.class);

        assertThat(exit).isZero();
        assertThat(report.path("slices").asInt()).isEqualTo(1);
        assertThat(report.path("classes").asInt()).isEqualTo(1);
        assertThat(report.path("findings")).isEmpty();
    }

    /**
     * The API server's error about the fields of the object; empty if they are valid. After validation, a missing node with node
     * allocatable resources may still cause a refusal.
     */
    private static Optional<String> refusal(Manifest manifest) {
        try {
            boolean isStrict = !WITH_NEWER_FIELDS.contains(manifest.kind());
            send(manifest, "?dryRun=All" + (isStrict ? "&fieldValidation=Strict" : ""));
            return Optional.empty();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return Optional.empty();
            }
            assertThat(e.getCode()).as(e.getMessage()).isIn(UNPROCESSABLE, HttpURLConnection.HTTP_BAD_REQUEST);
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void send(Manifest manifest, String query) {
        ObjectNode object = manifest.json().deepCopy();
        if (manifest.name().isEmpty()) {
            object.withObject("metadata").put("generateName", "check-it-");
        }
        String version = object.path("apiVersion").asText();
        controlPlane
                .client()
                .raw(
                        (version.equals("v1") ? "/api/" : "/apis/") + version + resource(manifest.kind()) + query,
                        "POST",
                        object.toString());
    }

    private static String resource(String kind) {
        return switch (kind) {
            case "DeviceClass" -> "/deviceclasses";
            case "ResourceClaim", "Deployment" -> "/namespaces/default/" + kind.toLowerCase(Locale.ROOT) + "s";
            default -> "/" + kind.toLowerCase(Locale.ROOT) + "s";
        };
    }
}
