package dev.fakegpu.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.e2e.bench.Verdicts.Verdict;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.DocsManifests;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests that this project accepts and refuses the objects in all files of the project, among them the manifests of drivers, documents and
 * reports, and those of pages and scenarios, exactly as a real API server does in a dry run, and names the same fields. Objects of older
 * versions are sent as {@code v1}.
 */
class ManifestVerdictsIT {

    private static final Path ROOT = ProjectFiles.resolve("docs").resolveSibling("");

    /** Folders with what is built, and with objects that are nested too deeply for the reader of YAML. */
    private static final Set<String> OMITTED = Set.of("target", ".git", "hostile");

    /** The API server has no definitions of these. */
    private static final Set<KnownKind> CUSTOM =
            EnumSet.of(KnownKind.FakeGpu, KnownKind.JobSet, KnownKind.LeaderWorkerSet);

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.with(ControlPlaneOptions.apiServerOnly()
            .featureGates(Verdicts.gates(KubernetesVersion.NEWEST) + ",GenericWorkload=true")
            .runtimeConfig("scheduling.k8s.io/v1beta1=true"));

    /** @param where the file and the name of the object */
    private record Compared(String where, Verdict here, Verdict there) {

        boolean isSame() {
            return here.isReadable() == there.isReadable() && here.paths().equals(there.paths());
        }

        @Override
        public String toString() {
            return "%s\n  here: %s\n  API server: %s\n".formatted(where, here, there);
        }
    }

    @Test
    void allManifestsAreAcceptedOrRefusedAsByTheApiServer() throws IOException {
        var verdicts = new Verdicts(controlPlane.client(), KubernetesVersion.NEWEST);

        List<Compared> compared = objects().entrySet().parallelStream()
                .map(each -> new Compared(
                        each.getValue(), verdicts.here(each.getKey()), verdicts.ofApiServer(each.getKey())))
                .toList();
        long refused =
                compared.stream().filter(each -> each.there().isRefused()).count();

        assertThat(compared).filteredOn(each -> !each.isSame()).isEmpty();
        assertThat(compared).hasSizeGreaterThan(1000);
        assertThat(refused).isGreaterThan(50);
    }

    /** All objects of kinds that are validated, each with the first place where it is. */
    private static Map<JsonNode, String> objects() throws IOException {
        var objects = new LinkedHashMap<JsonNode, String>();
        Stream<Manifest> ofFiles = files().stream().sorted().flatMap(ManifestVerdictsIT::of);
        Stream<Manifest> ofPages = DocsManifests.all().stream()
                .map(shown -> new Manifest(shown.where(), Serialization.unmarshal(shown.yaml(), JsonNode.class)));
        Stream.concat(ofFiles, ofPages)
                .flatMap(ManifestVerdictsIT::withThoseOfSteps)
                .filter(manifest -> KnownKind.of(manifest.json())
                        .filter(kind -> !CUSTOM.contains(kind))
                        .isPresent())
                .forEach(manifest -> objects.putIfAbsent(created(manifest.json()), manifest.title()));
        return objects;
    }

    /** Does not enter the omitted folders, in which other tests create and delete files at the same time. */
    private static List<Path> files() throws IOException {
        var files = new ArrayList<Path>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return OMITTED.contains(String.valueOf(folder.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && file.toString().matches(".*\\.(yaml|yml|json)")) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    /** The objects in a file; none if it is a template, or something else that has no objects. */
    private static Stream<Manifest> of(Path file) {
        try {
            return Manifests.read(List.of(file.toString())).stream();
        } catch (InvalidInputException e) {
            return Stream.of();
        }
    }

    private static Stream<Manifest> withThoseOfSteps(Manifest manifest) {
        var all = new ArrayList<>(List.of(manifest));
        manifest.json()
                .path("steps")
                .forEach(step -> step.path("apply").forEach(object -> {
                    if (object.isObject()) {
                        all.add(new Manifest(manifest.source(), object));
                    }
                }));
        return all.stream();
    }

    /** The object as a user creates it, in the namespace that exists, and without what only an API server sets. */
    private static JsonNode created(JsonNode object) {
        ObjectNode created = object.deepCopy();
        if (created.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("uid", "resourceVersion", "namespace"));
        }
        return created;
    }
}
