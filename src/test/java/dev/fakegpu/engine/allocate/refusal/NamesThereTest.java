package dev.fakegpu.engine.allocate.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesThereTest {

    private static final List<String> KNOWN = List.of("gpu.example.com/memory", "bandwidth");

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
        assertThat(NamesThere.insteadOf(written, KNOWN).similar()).isEqualTo(similar);
    }

    @Test
    void ifNoneWasMeantAllNamesAreListed() {
        assertThat(NamesThere.insteadOf("cores", KNOWN).all()).containsExactly("bandwidth", "gpu.example.com/memory");
        assertThat(NamesThere.insteadOf("memory", KNOWN).all()).isEmpty();
    }
}
