package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1:8088",
        "localhost, localhost:8088",
        "::, [::]:8088",
        "::1, [::1]:8088",
        "[::1], [::1]:8088",
        "fd00:10:244::5, [fd00:10:244::5]:8088"
    })
    void urlsCanBeReadAgain(String host, String expected) {
        String joined = HostPort.of(host, 8088);

        assertThat(joined).isEqualTo(expected);
        assertThat(URI.create("http://" + joined + "/").getPort()).isEqualTo(8088);
    }
}
