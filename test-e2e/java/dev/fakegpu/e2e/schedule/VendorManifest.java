package dev.fakegpu.e2e.schedule;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A shortened version of manifests that were written for a vendor's driver. The comments at its top say what it stands for and what
 * comes of it:
 *
 * <pre>{@code
 * # Two GPUs by count.
 * # of: demo/specs/quickstart/gpu-test8.yaml      a manifest of the vendor, or several that belong together
 * # fakegpu: {model: …}                           what the FakeGpu needs, if not what the vendor's others need
 * # note: …                                       what a reader of the table must know
 * # KubeScheduler: 1 pod runs with 2 gpu          written by VendorManifestsE2E with -Dgolden.update=true
 * # Companion: 1 pod runs with 2 gpu
 * }</pre>
 */
record VendorManifest(Vendor vendor, Path file) {

    /** Whose manifests they are. */
    enum Vendor {
        NVIDIA(
                "nvidia",
                "gpu.nvidia.com",
                "dra-driver-nvidia-gpu",
                "95932046683719c43b6a0dd9613c2e5aad5d6703",
                "{model: A100-SXM4-40GB, count: 8}",
                List.of("demo/specs", "tests/bats/specs", "test/e2e/framework/specs")),
        EXAMPLE(
                "example-driver",
                "gpu.example.com",
                "dra-example-driver",
                "31914ceacda29bbc55208ef75e68c0991e1c9568",
                "{model: LATEST-GPU-MODEL, count: 8}",
                List.of("demo/examples"));

        private final String directory;
        private final String driver;
        private final String repository;
        private final String commit;
        private final String fakeGpu;
        private final List<String> originals;

        /**
         * @param repository of kubernetes-sigs
         * @param commit whose manifests were run
         * @param fakeGpu what is in the spec of a FakeGpu, unless a manifest needs something else
         * @param originals where the repository has manifests
         */
        Vendor(
                String directory,
                String driver,
                String repository,
                String commit,
                String fakeGpu,
                List<String> originals) {
            this.directory = directory;
            this.driver = driver;
            this.repository = repository;
            this.commit = commit;
            this.fakeGpu = fakeGpu;
            this.originals = originals;
        }

        String driver() {
            return driver;
        }

        String repository() {
            return repository;
        }

        String commit() {
            return commit;
        }

        String fakeGpu() {
            return fakeGpu;
        }

        List<String> originals() {
            return originals;
        }

        List<VendorManifest> manifests() {
            try {
                return ProjectFiles.list("test-e2e/manifests/" + directory).stream()
                        .map(file -> new VendorManifest(this, file))
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static List<VendorManifest> all() {
        return Arrays.stream(Vendor.values())
                .flatMap(vendor -> vendor.manifests().stream())
                .toList();
    }

    String name() {
        return vendor.directory + "/" + file.getFileName();
    }

    /** Each a file of the vendor's repository, or several with {@code +} between them, or a directory of such files. */
    List<String> originals() {
        return header("of").toList();
    }

    /** In flow style. */
    String fakeGpu() {
        return header("fakegpu").findFirst().orElse(vendor.fakeGpu);
    }

    String note() {
        return header("note").findFirst().orElse("");
    }

    /** What came of it when the file was written. */
    String result(AllocatorName allocator) {
        return header(allocator.name()).findFirst().orElse("not run yet");
    }

    String text() {
        return ProjectFiles.read(file);
    }

    void writeResult(AllocatorName allocator, String result) {
        String key = "# " + allocator + ": ";
        List<String> lines =
                text().lines().filter(line -> !line.startsWith(key)).toList();
        int end = (int) lines.stream().takeWhile(line -> line.startsWith("#")).count();
        var written = Stream.of(lines.subList(0, end), List.of(key + result), lines.subList(end, lines.size()));
        try {
            Files.write(file, written.flatMap(List::stream).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Stream<String> header(String key) {
        String prefix = "# " + key + ": ";
        return text().lines()
                .takeWhile(line -> line.startsWith("#"))
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()));
    }

    @Override
    public String toString() {
        return name();
    }
}
