package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerEngineTest {

    @TempDir
    Path folder;

    @Test
    void answersOnASocket() throws IOException {
        Path socket = folder.resolve("docker.sock");
        var environment = Map.of("DOCKER_HOST", "unix://" + socket);

        assertThat(ContainerEngine.answers(environment)).isFalse();
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            assertThat(ContainerEngine.answers(environment)).isTrue();
        }
    }

    @Test
    void answersOnAPort() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(ContainerEngine.answers(Map.of("DOCKER_HOST", "tcp://127.0.0.1:" + server.getLocalPort())))
                    .isTrue();
        }
        assertThat(ContainerEngine.answers(Map.of("DOCKER_HOST", "nonsense"))).isFalse();
    }
}
