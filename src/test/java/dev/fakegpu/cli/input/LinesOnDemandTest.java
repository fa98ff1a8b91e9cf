package dev.fakegpu.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.dra.mixin.MixinsGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinesOnDemandTest {

    @TempDir
    private Path folder;

    private Path file = Path.of("");

    /** As {@code kubectl get -o yaml} prints them, and another document. */
    @BeforeEach
    void writeTheFile() throws IOException {
        file = Files.writeString(folder.resolve("objects.yaml"), """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: Pod
                  metadata: {name: a}
                  spec: {containers: [{name: c, image: x}]}
                - apiVersion: v1
                  kind: Pod
                  metadata: {name: b}
                  spec:
                    contaners: [{name: c, image: x}]
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: c}
                spec: {contaners: [{name: c, image: x}]}
                """);
    }

    private List<Manifest> read() {
        return Manifests.read(List.of(file.toString()));
    }

    @Test
    void objectsOfListsAndDocumentsAreRefusedWithTheirLines() {
        assertThatThrownBy(() -> StoredObjects.read(read(), "default", MixinsGate.OFF, note -> {}))
                .hasMessageContaining("Pod b: line 12: spec.contaners is not a field")
                .hasMessageContaining("Pod c: line 17: spec.contaners is not a field");
    }

    @Test
    void theFileIsReadOnceMoreForAllObjects() throws IOException {
        List<Manifest> pods = read();

        assertThat(pods.get(0).lines().line("spec")).isEqualTo(7);
        Files.delete(file);
        assertThat(pods.get(2).lines().line("spec.contaners")).isEqualTo(17);
    }

    /** A message does not have the namespace of its object. */
    @Test
    void theLineOfOneOfSeveralObjectsOfANameIsNotGuessed() throws IOException {
        List<Manifest> pods = new ArrayList<>(read());
        pods.addAll(Manifests.read(
                List.of(Files.writeString(folder.resolve("other.yaml"), """
                kind: Pod
                metadata: {name: c, namespace: other}
                """).toString())));

        assertThat(InvalidInputException.about(pods, List.of("Pod c: spec is wrong", "Pod a: spec is wrong"))
                        .messages())
                .containsExactly(
                        file + " or " + folder.resolve("other.yaml") + ": Pod c: spec is wrong",
                        file + ": Pod a: line 7: spec is wrong");
    }

    @Test
    void withoutTheFileTheLinesAreUnknown() throws IOException {
        List<Manifest> pods = read();
        Files.delete(file);

        assertThat(pods.get(1).located(List.of("spec.contaners is wrong")))
                .containsExactly(file + ": Pod b: spec.contaners is wrong");
    }
}
