package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import org.junit.jupiter.api.Test;

class TestRunTest {

    private final TestRun one = new TestRun("one");
    private final TestRun other = new TestRun("other");

    @Test
    void whatAnotherJvmHasMadeIsNotOurs() {
        assertThat(one.made(one.mark(fakeGpu()))).isTrue();
        assertThat(other.made(one.mark(fakeGpu()))).isFalse();
    }

    @Test
    void whatNobodyHasMarkedIsNotOurs() {
        assertThat(one.made(fakeGpu())).isFalse();
    }

    @Test
    void labelsStay() {
        var labeled = new GenericKubernetesResourceBuilder(fakeGpu())
                .editMetadata()
                .addToLabels("a", "b")
                .endMetadata()
                .build();

        assertThat(one.mark(labeled).getMetadata().getLabels())
                .containsEntry("a", "b")
                .hasSize(2);
    }

    private static GenericKubernetesResource fakeGpu() {
        return new GenericKubernetesResourceBuilder()
                .withNewMetadata()
                .withName("a100")
                .endMetadata()
                .build();
    }
}
