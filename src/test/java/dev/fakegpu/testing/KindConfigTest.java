package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the configurations that {@code hack/control-plane} and {@code hack/kind} pass to kind, with a fake kind that only stores them. */
class KindConfigTest {

    private static final String KIND = """
            #!/bin/sh
            while [ "$1" != --config ]; do shift; done
            cp "$2" "$KEPT"
            """;

    private static final String KIND_THAT_KEEPS_THE_IMAGE = """
            #!/bin/sh
            [ "$1" = create ] || exit 0
            while [ "$1" != --image ]; do shift; done
            echo "$2" >"$KEPT"
            cat >/dev/null
            """;

    /** Fakes patch versions for which the kind project has published no image. */
    private static final String DOCKER_WITHOUT_IMAGES = """
            #!/bin/sh
            [ "$*" != "image inspect kindest/node:v1.37.1" ]
            """;

    private static final String ALWAYS = "#!/bin/sh\n";

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

    @Test
    void theNodesHaveAnImageThatIsPublishedIfTheEngineHasNoOther() throws IOException, InterruptedException {
        Path kept = folder.resolve("image");

        run(kept, KIND_THAT_KEEPS_THE_IMAGE, DOCKER_WITHOUT_IMAGES, "hack/kind", "up", "--no-operator");

        assertThat(kept).content().matches("kindest/node:v1\\.37\\.0@sha256:[0-9a-f]{64}\n");
    }

    @Test
    void theNodesHaveTheImageThatTheEngineHas() throws IOException, InterruptedException {
        Path kept = folder.resolve("image");

        run(kept, KIND_THAT_KEEPS_THE_IMAGE, ALWAYS, "hack/kind", "up", "--no-operator");

        assertThat(kept).hasContent("kindest/node:v1.37.1");
    }

    private JsonNode config(String... options) throws IOException, InterruptedException {
        Path kept = folder.resolve("config.yaml");
        var command = new ArrayList<>(List.of("hack/control-plane", "up", "--provider", "kind", "--name", "config"));
        command.addAll(List.of(options));
        run(kept, KIND, ALWAYS, command.toArray(String[]::new));
        return Serialization.unmarshal(Files.readString(kept), JsonNode.class);
    }

    private void run(Path kept, String kind, String docker, String... command)
            throws IOException, InterruptedException {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        program(programs.resolve("kind"), kind);
        program(programs.resolve("docker"), docker);
        program(programs.resolve("kubectl"), ALWAYS);
        var builder = new ProcessBuilder(command);
        builder.command().set(0, ProjectFiles.resolve(command[0]).toString());
        builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().put("KEPT", kept.toString());
        builder.environment().remove("KIND_EXPERIMENTAL_PROVIDER");
        builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile());
        int exit = builder.start().waitFor();
        assertThat(exit).as(Files.readString(folder.resolve("output.txt"))).isZero();
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
