package dev.fakegpu.e2e.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A shortened version of manifests that were written for a vendor's driver. The comments at its top name the originals and have the result:
 *
 * <pre>{@code
 * # Two GPUs by count.
 * # of: demo/specs/quickstart/gpu-test8.yaml      a manifest of the vendor, or several that belong together
 * # fakegpu: {model: …}                           the FakeGpu, if it differs from that of other manifests; once for each
 * # note: …                                       a note for readers of the table
 * # KubeScheduler: 1 pod runs with 2 gpu          written by the tests with -Dgolden.update=true
 * # Companion: 1 pod runs with 2 gpu
 * }</pre>
 */
record VendorManifest(Vendor vendor, Path file) {

    /** The vendors of manifests. */
    enum Vendor {
        NVIDIA(
                "nvidia",
                "gpu.nvidia.com",
                "kubernetes-sigs/dra-driver-nvidia-gpu",
                "95932046683719c43b6a0dd9613c2e5aad5d6703",
                "{model: A100-SXM4-40GB, count: 8}",
                List.of("demo/specs", "tests/bats/specs", "test/e2e/framework/specs")),
        EXAMPLE(
                "example-driver",
                "gpu.example.com",
                "kubernetes-sigs/dra-example-driver",
                "31914ceacda29bbc55208ef75e68c0991e1c9568",
                "{model: LATEST-GPU-MODEL, count: 8}",
                List.of("demo/examples")),
        AMD(
                "amd",
                "gpu.amd.com",
                "ROCm/k8s-gpu-dra-driver",
                "2622427226d5ac361c3588284f4815e0dae11eaa",
                "{model: MI300X, count: 8}",
                List.of("example")),
        INTEL(
                "intel",
                "gaudi.intel.com",
                "intel/intel-resource-drivers-for-kubernetes",
                "1da939faa33a90dd641d0327cdcdcbbfaa1acdb4",
                "{model: Gaudi3, count: 8}",
                List.of(
                        "deployments/gaudi/examples",
                        "deployments/gpu/examples",
                        "deployments/gpu/tests",
                        "deployments/qat/examples",
                        "deployments/qat/tests")),
        CPU(
                "cpu",
                "dra.cpu",
                "kubernetes-sigs/dra-driver-cpu",
                "de98098690f25e59d781c1659b5c3e0b0a210c2a",
                "{model: XEON-8480C, count: 2}",
                List.of("hack/examples")),
        DRANET(
                "dranet",
                "dra.net",
                "kubernetes-sigs/dranet",
                "f258477cbea0551b7ad239e3873a997a7a3d116b",
                "{model: ConnectX-7, count: 8}",
                List.of("examples", "tests/manifests"));

        private final String directory;
        private final String driver;
        private final String repository;
        private final String commit;
        private final String fakeGpu;
        private final List<String> originals;

        /**
         * @param repository the repository with its owner
         * @param commit the commit whose manifests were run
         * @param fakeGpu the spec of the FakeGpu, unless a manifest has its own
         * @param originals the directories of the manifests in the repository
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

        /** Whether each build runs its manifests on a control plane; the others run with {@code -Dmanifests.all=true}. */
        boolean isRun() {
            return this == NVIDIA || this == EXAMPLE;
        }

        /** The page with the table of these manifests. */
        String page() {
            return isRun() ? "docs/nvidia-manifests.md" : "docs/driver-manifests.md";
        }

        String repository() {
            return repository;
        }

        /** The name of the repository without its owner. */
        String repositoryName() {
            return repository.substring(repository.indexOf('/') + 1);
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

    /** Each entry is a file of the vendor's repository, several files with {@code +} between them, or a directory of such files. */
    List<String> originals() {
        return header("of").toList();
    }

    /** The specs of the FakeGpus, in flow style. */
    List<String> fakeGpus() {
        List<String> own = header("fakegpu").toList();
        return own.isEmpty() ? List.of(vendor.fakeGpu) : own;
    }

    /**
     * The FakeGpus by name, as JSON. The first one creates the nodes; the others have their devices there.
     *
     * @param name the name of the first FakeGpu
     */
    Map<String, JsonNode> specs(String name, AllocatorName allocator) {
        var specs = new LinkedHashMap<String, JsonNode>();
        int nodes = 0;
        for (String flowStyle : fakeGpus()) {
            ObjectNode spec = (ObjectNode) ClusterYaml.json(flowStyle).get(0);
            if (!spec.has("driver")) {
                spec.put("driver", vendor.driver);
            }
            spec.put("allocator", allocator.name());
            if (specs.isEmpty()) {
                ObjectNode simulated = spec.withObject("/nodes/simulated").put("taint", "None");
                nodes = simulated.path("count").asInt(1);
                simulated.put("count", nodes);
            } else {
                ArrayNode names = spec.withObject("/nodes").putArray("names");
                IntStream.range(0, nodes).forEach(index -> names.add(name + "-node-" + index));
            }
            specs.put(specs.isEmpty() ? name : name + "-" + specs.size(), spec);
        }
        return specs;
    }

    /** Whether its devices have binding conditions, which a controller sets. */
    boolean waitsForDevices() {
        return fakeGpus().get(0).contains("binding:");
    }

    String note() {
        return header("note").findFirst().orElse("");
    }

    /** The result when the file was written. */
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
