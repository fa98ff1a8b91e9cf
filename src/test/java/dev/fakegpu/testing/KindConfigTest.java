package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hack/control-plane} asks kind for, with a kind that only keeps the configuration it is given. */
class KindConfigTest {

    private static final String KIND = """
            #!/bin/sh
            while [ "$1" != --config ]; do shift; done
            cp "$2" "$KEPT"
            """;

    @TempDir
    private Path folder;

    @Test
    void runtimeConfigHasEachApiVersionOnceAndAsItWasGivenLast() throws IOException, InterruptedException {
        JsonNode config = config(
                "--feature-gates",
                "DRACompatibility=false,DRAResourcePoolStatus=true",
                "--runtime-config",
                "resource.k8s.io/v1alpha3=true,resource.k8s.io/v1beta1=true",
                "--runtime-config",
                "resource.k8s.io/v1beta1=false,resource.k8s.io/v1beta2=true");

        assertThat(config).isEqualTo(Serialization.unmarshal("""
                kind: Cluster
                apiVersion: kind.x-k8s.io/v1alpha4
                networking: {apiServerPort: 0}
                featureGates: {DRACompatibility: false, DRAResourcePoolStatus: true}
                runtimeConfig:
                  resource.k8s.io/v1alpha3: "true"
                  resource.k8s.io/v1beta1: "false"
                  resource.k8s.io/v1beta2: "true"
                kubeadmConfigPatches: ["kind: KubeletConfiguration\\nfailCgroupV1: false\\n"]
                containerdConfigPatches:
                - "[plugins.\\"io.containerd.grpc.v1.cri\\"]\\n  restrict_oom_score_adj = true\\n"
                """, JsonNode.class));
    }

    private JsonNode config(String... options) throws IOException, InterruptedException {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        program(programs.resolve("kind"), KIND);
        program(programs.resolve("docker"), "#!/bin/sh\n");
        program(programs.resolve("kubectl"), "#!/bin/sh\n");
        Path kept = folder.resolve("config.yaml");
        var command = new ProcessBuilder(
                ProjectFiles.resolve("hack/control-plane").toString(), "up", "--provider", "kind", "--name", "config");
        command.command().addAll(List.of(options));
        command.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        command.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        command.environment().put("KEPT", kept.toString());
        command.environment().remove("KIND_EXPERIMENTAL_PROVIDER");
        command.redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile());
        int exit = command.start().waitFor();
        assertThat(exit).as(Files.readString(folder.resolve("output.txt"))).isZero();
        return Serialization.unmarshal(Files.readString(kept), JsonNode.class);
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
