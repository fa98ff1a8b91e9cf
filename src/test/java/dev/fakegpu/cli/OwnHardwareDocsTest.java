package dev.fakegpu.cli;

import static dev.fakegpu.testing.DocsExamples.COMMAND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.testing.DocsExamples;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Follows {@code docs/your-own-hardware.md}: saves its files, runs its commands, and allocates its claims. */
class OwnHardwareDocsTest {

    private static final String PAGE = "docs/your-own-hardware.md";
    private static final String PROMPT = "$ ";
    private static final String PROGRAM = "hack/fakegpu ";

    @TempDir
    private Path dir;

    @Test
    void everyCommandPrintsWhatThePageSays() throws IOException {
        // Given
        List<DocsExamples.Block> blocks = DocsExamples.of(PAGE);
        var said = new ArrayList<String>();
        var printed = new ArrayList<String>();

        // When
        for (DocsExamples.Block block : blocks) {
            if (block.text().startsWith(PROMPT + "kubectl ")
                    || block.text().lines().allMatch(line -> line.startsWith(PROMPT))) {
                continue; // PagesE2E runs commands that need a cluster, and those whose output is not shown
            }
            if (block.name().equals(COMMAND)) {
                said.add(block.text());
                printed.add(session(block.text()));
            } else {
                Files.writeString(dir.resolve(block.name()), block.text());
            }
        }

        // Then
        assertThat(printed).hasSize(4).isEqualTo(said);
    }

    @Test
    void eitherClaimCanBeAllocatedButNotBoth() throws IOException {
        // Given
        for (DocsExamples.Block block : DocsExamples.of(PAGE)) {
            Files.writeString(dir.resolve(block.name()), block.text());
        }
        List<JsonNode> claims = List.of(yaml("slice.yaml"), yaml("service.yaml"));
        JsonNode slices = new ObjectMapper()
                .readTree(run("render", "-o", "json", "-f", file("npu.yaml")).output())
                .get("items");

        // Then
        assertThat(slices).hasSize(2);
        assertThat(allocated(slices, claims.subList(0, 1))).containsExactly("card-0-slice-0");
        assertThat(allocated(slices, claims.subList(1, 2))).containsExactly("card-0-service-0");
        assertThat(allocated(slices, claims)).isEmpty();
    }

    /** The commands of a block, each with its output. */
    private String session(String block) {
        var session = new StringBuilder();
        int exitCode = 0;
        for (String line : block.lines().filter(line -> line.startsWith(PROMPT)).toList()) {
            session.append(line).append('\n');
            String command = line.substring(PROMPT.length());
            if (command.equals("echo $?")) {
                session.append(exitCode).append('\n');
            } else {
                assertThat(command).startsWith(PROGRAM);
                Result result = run(command.substring(PROGRAM.length())
                        .replace("npu.yaml", file("npu.yaml"))
                        .replace("repeated.yaml", file("repeated.yaml"))
                        .split(" "));
                session.append(result.output());
                exitCode = result.exitCode();
            }
        }
        return session.toString();
    }

    private List<String> allocated(JsonNode slices, List<JsonNode> claims) throws IOException {
        var json = new ObjectMapper();
        ObjectNode problem = json.createObjectNode();
        problem.putObject("node").putObject("metadata").put("name", "npu-node-0");
        problem.putArray("features")
                .add("CompatibilityGroups")
                .add("ConsumableCapacity")
                .add("PartitionableDevices");
        ObjectNode deviceClass = problem.putArray("classes").addObject();
        deviceClass.putObject("metadata").put("name", "npu.example.com");
        deviceClass.putObject("spec");
        problem.set("slices", slices);
        ArrayNode all = problem.putArray("claims");
        claims.forEach(claim -> all.add(withDefaults(claim)));
        Path file = Files.writeString(dir.resolve("problem.json"), problem.toString());
        JsonNode answer = json.readTree(run("allocate", file.toString()).output());
        assertThat(answer.get("outcome").asText()).isIn("allocated", "none");
        return answer.findValuesAsText("device");
    }

    /** The claim with the defaults of the API server. */
    private static JsonNode withDefaults(JsonNode claim) {
        JsonNode copy = claim.deepCopy();
        for (JsonNode request : copy.at("/spec/devices/requests")) {
            ((ObjectNode) request.get("exactly"))
                    .put("allocationMode", "ExactCount")
                    .put("count", 1);
        }
        return copy;
    }

    private JsonNode yaml(String name) throws IOException {
        return new YAMLMapper().readTree(dir.resolve(name).toFile());
    }

    private String file(String name) {
        return dir.resolve(name).toString();
    }

    private static Result run(String... args) {
        var out = new StringWriter();
        int exitCode = FakeGpuCommand.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(args);
        return new Result(exitCode, out.toString());
    }

    private record Result(int exitCode, String output) {}
}
