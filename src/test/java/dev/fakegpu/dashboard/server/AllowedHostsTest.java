package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {

    private static final AllowedHosts LOCAL = new AllowedHosts(new InetSocketAddress("127.0.0.1", 8088));

    @ParameterizedTest
    @ValueSource(strings = {"localhost:8088", "127.0.0.1:8088", "[::1]:8088", "localhost", "localhost:9999"})
    void localNamesAreAllowed(String host) {
        assertThat(LOCAL.allow(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "localhost.evil.example:8088",
                "127.0.0.1.evil.example",
                "localhost:8088@evil",
                "[::1"
            })
    void otherNamesAreNotAllowed(String host) {
        assertThat(LOCAL.allow(host)).isFalse();
    }

    @Test
    void aMissingNameIsNotAllowed() {
        assertThat(LOCAL.allow(null)).isFalse();
    }

    @Test
    void everyNameIsAllowedOnOtherAddresses() {
        assertThat(new AllowedHosts(new InetSocketAddress("0.0.0.0", 8088)).allow("gpus.example"))
                .isTrue();
    }
}
