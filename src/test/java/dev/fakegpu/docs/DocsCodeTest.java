package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.testing.PageBlock;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** Tests Java code, dependencies and workflows in pages, which readers copy into their projects. */
class DocsCodeTest {

    private static final String TESTING = "docs/testing.md";
    private static final String CI = "docs/ci.md";
    private static final Pattern ACTION = Pattern.compile("OWNER/fakegpu-operator/(\\.github/actions/\\w+)@REF");

    /** Code that the page omits: usual imports, and a method of the reader. */
    private static final String LEFT_OUT = """
            import dev.fakegpu.junit.FakeGpuCluster;
            import io.fabric8.kubernetes.api.model.Pod;
            import io.fabric8.kubernetes.client.KubernetesClient;
            import org.junit.jupiter.api.Test;
            """;

    private static final String METHOD =
            "    private static Pod trainer(String profile) {\n        return new Pod();\n    }\n";

    @Test
    void theTestInJavaCompiles(@TempDir Path dir) throws IOException {
        // Given
        String shown = block(TESTING, "java").text();
        int end = shown.lastIndexOf("}");
        Path source = Files.writeString(
                dir.resolve("TrainerTest.java"), LEFT_OUT + shown.substring(0, end) + METHOD + shown.substring(end));
        var compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();

        // When
        boolean isCompiled;
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-d", dir.toString(), "-proc:none", "-classpath", System.getProperty("java.class.path"));
            isCompiled = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
        }

        // Then
        assertThat(isCompiled).as("%s", messages).isTrue();
    }

    @Test
    void theDependencyIsTheArtifactThatIsMade() throws Exception {
        var xml = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        var dependency =
                xml.parse(new InputSource(new StringReader(block(TESTING, "xml").text())));
        var artifact = xml.parse(
                ProjectFiles.resolve("deploy/testing/extension/pom.xml").toFile());
        var path = XPathFactory.newInstance().newXPath();

        assertThat(path.evaluate("/dependency/artifactId", dependency))
                .isEqualTo(path.evaluate("/project/artifactId", artifact));
        for (String field : List.of("groupId", "version")) {
            assertThat(path.evaluate("/dependency/" + field, dependency))
                    .isEqualTo(path.evaluate("/project/parent/" + field, artifact));
        }
        assertThat(path.evaluate("/dependency/scope", dependency)).isEqualTo("test");
    }

    @Test
    void theStepsOfAWorkflowUseActionsAndTheirInputs() throws IOException {
        JsonNode steps = new YAMLMapper().readTree(block(CI, "yaml").text()).at("/jobs/test/steps");

        var used = new ArrayList<String>();
        for (JsonNode step : steps) {
            var action = ACTION.matcher(step.path("uses").asText());
            if (action.matches()) {
                used.add(action.group(1));
                JsonNode inputs = new YAMLMapper()
                        .readTree(ProjectFiles.resolve(action.group(1) + "/action.yaml")
                                .toFile())
                        .get("inputs");
                assertThat(names(inputs)).containsAll(names(step.path("with")));
            }
        }
        assertThat(used).containsExactly(".github/actions/setup", ".github/actions/explain");
    }

    private static List<String> names(JsonNode object) {
        var names = new ArrayList<String>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The only one in this language that this test checks. */
    private static PageBlock block(String page, String language) {
        var blocks = PageBlock.of(page).stream()
                .filter(block ->
                        block.language().equals(language) && block.mark().equals("checked by DocsCodeTest"))
                .toList();
        assertThat(blocks).as(page).hasSize(1);
        return blocks.get(0);
    }
}
