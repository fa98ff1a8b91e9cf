package dev.fakegpu.engine.allocate.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimilarNameTest {

    @ParameterizedTest
    @CsvSource({
        "nic.example.com/bandwidth, bandwidth",
        "nic.example.com/Bandwith, bandwidth",
        "bandwith, bandwidth",
        "other.example.com/memory, gpu.example.com/memory",
        "memory, gpu.example.com/memory",
        "cores, ",
    })
    void findsTheNameThatWasProbablyMeant(String written, String similar) {
        assertThat(SimilarName.of(written, List.of("gpu.example.com/memory", "bandwidth")))
                .isEqualTo(similar);
    }
}
