package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class OperatorCommandTest {

    @Test
    void aPortInUseIsToldWithTheSettingThatHelps() throws IOException {
        int port;
        try (var other = new ServerSocket(0)) {
            port = other.getLocalPort();
            assertThat(OperatorCommand.portInUse(port))
                    .hasValueSatisfying(problem -> assertThat(problem)
                            .contains("port " + port, "QUARKUS_HTTP_PORT")
                            .doesNotContain("kill"));
        }
        assertThat(OperatorCommand.portInUse(port)).isEmpty();
        assertThat(OperatorCommand.portInUse(0)).as("any that is free").isEmpty();
    }
}
