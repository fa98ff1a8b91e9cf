package dev.fakegpu.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeGpuProblemsTest {

    @Test
    void aRefusedFakeGpuIsNamedWithItsCondition() {
        assertThat(problems(fakeGpu("s09", "Accepted", "Invalid", "no such profile")))
                .containsExactly("FakeGpu \"s09\" is refused: no such profile");
    }

    @Test
    void aFakeGpuWithoutNodesIsNamed() {
        assertThat(problems(fakeGpu("s38", "Published", "NoNodes", "no node matches spec.nodes yet")))
                .containsExactly("FakeGpu \"s38\" is not published: no node matches spec.nodes yet");
    }

    /** Its message comes from the API server, and may contain any names. */
    @Test
    void aFailedWriteIsNotReported() {
        assertThat(problems(fakeGpu("a", "Published", "PublishFailed", "no"))).isEmpty();
    }

    @Test
    void furtherFakeGpusAreOnlyCounted() {
        assertThat(problems(
                        fakeGpu("d", "Accepted", "Invalid", "x"),
                        fakeGpu("a", "Accepted", "Invalid", "x"),
                        fakeGpu("c", "Accepted", "Invalid", "x"),
                        fakeGpu("b", "Accepted", "Invalid", "x")))
                .containsExactly(
                        "FakeGpu \"a\" is refused: x", "FakeGpu \"b\" is refused: x", "2 more FakeGpus have problems");
    }

    @Test
    void aSingleFurtherFakeGpuIsCounted() {
        assertThat(problems(
                        fakeGpu("a", "Accepted", "Invalid", "x"),
                        fakeGpu("b", "Accepted", "Invalid", "x"),
                        fakeGpu("c", "Accepted", "Invalid", "x")))
                .endsWith("1 more FakeGpu has problems");
    }

    @Test
    void fakeGpusOfAnotherAllocatorAreOmitted() {
        assertThat(FakeGpuProblems.of(List.of(fakeGpu("a", "Accepted", "Invalid", "x")), AllocatorName.KubeScheduler))
                .isEmpty();
    }

    private static List<String> problems(FakeGpu... fakeGpus) {
        return FakeGpuProblems.of(List.of(fakeGpus), AllocatorName.Companion);
    }

    private static FakeGpu fakeGpu(String name, String condition, String reason, String message) {
        return Serialization.unmarshal("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: %s}
                spec: {model: L40S, nodes: {names: [node-1]}}
                status:
                  conditions:
                    - {type: %s, status: "False", reason: %s, message: "%s"}
                """.formatted(name, condition, reason, message), FakeGpu.class);
    }
}
