package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what the scripts for developers say about an option that they do not have. */
class ScriptOptionsTest {

    @ParameterizedTest
    @CsvSource({
        "hack/archives, --jdk",
        "hack/bench soak, --minutes",
        "hack/control-plane up, --emulated-version",
        "hack/demo, --once",
        "hack/evidence, --nodes",
        "hack/image, --release",
        "hack/kind up, --kubelet-plugin",
        "hack/referee, --problems",
        "hack/render-install, --check",
        "hack/site/build, --serve",
        "hack/skew-lab, --with-old",
        "test-e2e/peers/run, --sources",
    })
    void anUnknownOptionIsNamedAndTheOthersAreListed(String command, String option) throws Exception {
        String answer = refused(command, "--unknown");

        assertThat(answer.lines().findFirst().orElseThrow()).contains("unknown option \"--unknown\"");
        assertThat(answer).contains(option);
    }

    @ParameterizedTest
    @CsvSource({"hack/control-plane up, --name", "hack/kind up, --version", "test-e2e/peers/run, --sources"})
    void anOptionWithoutItsValueIsNotUnknown(String command, String option) throws Exception {
        assertThat(refused(command, option)).contains(option + " needs a value");
    }

    /** Standard error of a command that ends with the exit code for an invalid command line. */
    private static String refused(String command, String option) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of(command.split(" ")));
        words.set(0, ProjectFiles.resolve(words.get(0)).toString());
        words.add(option);
        Process process = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        String error = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(error).isEqualTo(2);
        return error;
    }
}
