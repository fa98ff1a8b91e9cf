package dev.fakegpu.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlLinesTest {

    @TempDir
    private Path folder;

    private List<Manifest> read(String content) throws IOException {
        Path file = folder.resolve("objects.yaml");
        Files.writeString(file, content);
        return Manifests.readWithLines(List.of(file.toString()));
    }

    @Test
    void fieldsAreFoundByTheirPaths() throws IOException {
        Manifest slice = read("""
                # a comment
                ---
                kind: ResourceSlice
                spec:
                  devices:
                  - name: a
                  - name: b
                    capacity: {gpu.example.com/memory: {value: 1Gi}}
                    attributes:
                      index: {int: 1}
                      gpu.example.com/uuid:
                        string: x
                """).get(0);

        assertThat(slice.lines().line("")).isEqualTo(3);
        assertThat(slice.lines().line("spec.devices")).isEqualTo(5);
        assertThat(slice.lines().line("spec.devices[1]")).isEqualTo(7);
        assertThat(slice.lines().line("spec.devices[1].capacity.gpu.example.com/memory.value"))
                .isEqualTo(8);
        assertThat(slice.lines().line("spec.devices[1].attributes[index]")).isEqualTo(10);
        assertThat(slice.lines().line("spec.devices[1].attributes[gpu.example.com/uuid].string"))
                .isEqualTo(12);
    }

    @Test
    void aMissingFieldHasTheLineOfTheInnermostFieldAroundIt() throws IOException {
        Manifest slice = read("""
                kind: ResourceSlice
                spec:
                  devices: [{name: a}]
                """).get(0);

        assertThat(slice.lines().line("spec.pool.name")).isEqualTo(2);
        assertThat(slice.lines().line("spec.devices[7].name")).isEqualTo(3);
    }

    @Test
    void itemsOfListsAndJsonHaveLines() throws IOException {
        List<Manifest> items = read("""
                {"kind": "List", "items": [
                  {"kind": "DeviceClass", "metadata": {"name": "a"}},
                  {"kind": "DeviceClass",
                   "metadata": {"name": "b"}}
                ]}
                """);

        assertThat(items).extracting(item -> item.lines().line("")).containsExactly(2, 3);
        assertThat(items.get(1).lines().line("metadata.name")).isEqualTo(4);
    }
}
