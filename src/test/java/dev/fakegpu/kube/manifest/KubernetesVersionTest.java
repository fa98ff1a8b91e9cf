package dev.fakegpu.kube.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesVersionTest {

    @ParameterizedTest
    @CsvSource({"1, 36, V1_36", "1, 37+, V1_37", "1, 31, V1_34", "1, 40, V1_37", "2, 36, ", "1, , ", ", 36, ", "1, x, "
    })
    void theNearestKnownVersionStandsForOthers(
            @Nullable String major, @Nullable String minor, @Nullable KubernetesVersion nearest) {
        assertThat(KubernetesVersion.nearest(major, minor).orElse(null)).isEqualTo(nearest);
    }
}
