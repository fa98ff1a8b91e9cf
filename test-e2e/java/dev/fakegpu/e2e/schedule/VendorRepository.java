package dev.fakegpu.e2e.schedule;

import dev.fakegpu.e2e.schedule.VendorManifest.Vendor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A clone of a vendor's repository, with the original manifests.
 *
 * @param directory the directory with the manifests
 */
record VendorRepository(Path directory, Vendor vendor) {

    /** Placeholders that the vendor's scripts and tests fill in. */
    private static final Map<String, String> FILLED_IN = Map.of(
            "${TEST_K8S_RESOURCE_API_VERSION}",
            "v1",
            "${TEST_DEVCLASSNAME_CD_CHANNEL}",
            "exactly: {deviceClassName: compute-domain-default-channel.nvidia.com}",
            "{{ .Namespace }}",
            "gpu-e2e",
            "{{ .ProductPattern }}",
            "a100",
            "{{ .DriverVersion }}",
            "550.0.0",
            "{{ .RequiredMemoryGi }}",
            "36",
            "{{ .Replicas }}",
            "4");

    /** Kinds that request devices. */
    private static final Pattern USER =
            Pattern.compile("(?m)^kind: +(Pod|Deployment|StatefulSet|Job|MPIJob|ResourceClaim|ResourceClaimTemplate)$");

    /** @param clones a directory with clones of all repositories */
    static VendorRepository in(String clones, Vendor vendor) {
        return new VendorRepository(Path.of(clones, vendor.repositoryName()), vendor);
    }

    String commit() throws IOException {
        Process git = new ProcessBuilder("git", "-C", directory.toString(), "rev-parse", "HEAD").start();
        try (var reader = git.inputReader(StandardCharsets.UTF_8)) {
            return reader.lines().collect(Collectors.joining());
        }
    }

    /** All files that users could pass to kubectl to get devices, without those that were read from a cluster or install something. */
    Collection<Path> manifests() {
        return vendor.originals().stream()
                .flatMap(root -> filesBelow(directory.resolve(root)).stream())
                .filter(file -> USER.matcher(read(file)).find())
                .filter(file -> read(file).lines().noneMatch(line -> line.equals("status:")))
                .toList();
    }

    /** @param original an entry of {@link VendorManifest#originals()} */
    List<Path> files(String original) {
        var files = new ArrayList<Path>();
        for (String path : List.of(original.split(" \\+ ", -1))) {
            files.addAll(filesBelow(directory.resolve(path)));
        }
        return files;
    }

    String read(String original) {
        return files(original).stream().map(VendorRepository::read).collect(Collectors.joining("\n---\n"));
    }

    private static List<Path> filesBelow(Path path) {
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().matches(".*\\.ya?ml(\\.tmpl)?"))
                    .filter(file -> read(file).lines().anyMatch(line -> line.startsWith("kind: ")))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            String text = Files.readString(file);
            for (var entry : FILLED_IN.entrySet()) {
                text = text.replace(entry.getKey(), entry.getValue());
            }
            if (text.lines().noneMatch(line -> line.startsWith("apiVersion: "))) {
                text = "apiVersion: v1\n" + text; // the pod lacks it, so kubectl would refuse it
            }
            return text.contains("__INDEX__")
                    ? text.replace("__INDEX__", "0") + "\n---\n" + text.replace("__INDEX__", "1")
                    : text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
