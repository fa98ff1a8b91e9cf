package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests what a release runs while it has the right to push. */
class ReleaseWorkflowTest {

    private static final Pattern LOGIN = Pattern.compile("docker login");

    /** Scripts of the project that build, and those that download. */
    private static final Pattern BUILD = Pattern.compile("hack/|mvn (?!.*(jib:build|deploy/testing))");

    /** A build runs plugins and modules of others, which could push their own image. */
    @Test
    void nothingIsBuiltAfterTheLogin() throws IOException {
        List<String> builds = new ArrayList<>();
        int logins = 0;
        for (JsonNode job : new YAMLMapper()
                .readTree(ProjectFiles.resolve(".github/workflows/release.yaml").toFile())
                .path("jobs")) {
            boolean isLoggedIn = false;
            for (JsonNode step : job.path("steps")) {
                String run = step.path("run").asText();
                boolean hasToken = step.path("env").toString().contains("github.token");
                if (LOGIN.matcher(run).find()) {
                    isLoggedIn = true;
                    logins++;
                } else if ((isLoggedIn || hasToken) && BUILD.matcher(run).find()) {
                    builds.add(
                            job.path("name").asText() + ": " + step.path("name").asText());
                }
            }
        }

        assertThat(logins).isEqualTo(3);
        assertThat(builds).isEmpty();
    }
}
