package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodRequestsTest {

    @Test
    void requestsOfContainersAddUp() {
        assertThat(cpu(new PodSpecBuilder().withContainers(container("1"), container("500m"))))
                .isEqualByComparingTo("1.5");
    }

    @Test
    void initContainersRunAlone() {
        assertThat(cpu(new PodSpecBuilder()
                        .withInitContainers(container("3"), container("2"))
                        .withContainers(container("1"))))
                .isEqualByComparingTo("3");
    }

    @Test
    void sidecarsRunWithAllThatComesAfter() {
        assertThat(cpu(new PodSpecBuilder()
                        .withInitContainers(sidecar("1"), container("3"))
                        .withContainers(container("2"))))
                .isEqualByComparingTo("4");
    }

    @Test
    void requestsOfThePodWinAndOverheadIsAdded() {
        assertThat(cpu(new PodSpecBuilder()
                        .withContainers(container("1"))
                        .withNewResources()
                        .addToRequests("cpu", new Quantity("5"))
                        .endResources()
                        .withOverhead(Map.of("cpu", new Quantity("250m")))))
                .isEqualByComparingTo("5.25");
    }

    /** The API server accepts these exponents; kube-scheduler counts in 64 bits. */
    @ParameterizedTest
    @ValueSource(strings = {"1e5000000", "1e999999999", "1e2147483647", "99999999999999999999"})
    @Timeout(30)
    void hugeRequestsAreCapped(String huge) {
        assertThat(cpu(new PodSpecBuilder().withContainers(container(huge), container("1"))))
                .isEqualByComparingTo("9223372036854775808");
        assertThat(cpu(new PodSpecBuilder().withContainers(container("1e-999999999"), container("-" + huge))))
                .isNegative();
    }

    private static BigDecimal cpu(PodSpecBuilder spec) {
        return PodRequests.of(new PodBuilder().withSpec(spec.build()).build()).get("cpu");
    }

    private static Container container(String cpu) {
        return new ContainerBuilder()
                .withNewResources()
                .addToRequests("cpu", new Quantity(cpu))
                .endResources()
                .build();
    }

    private static Container sidecar(String cpu) {
        return new ContainerBuilder(container(cpu)).withRestartPolicy("Always").build();
    }
}
