package dev.fakegpu.operator.prepare.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.util.HostPort;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kubelets and Prometheus connect by IPv4 or IPv6, depending on the addresses of the cluster's pods. */
class PortsTest {

    @Test
    void metricsAreServedOnTheAddressesOfBothFamilies() throws IOException {
        try (var metrics = new MetricsServer(new InetSocketAddress(0), () -> "up 1\n")) {
            for (InetAddress address : loopbackAddresses()) {
                var url = URI.create("http://"
                        + HostPort.of(address.getHostAddress().replaceFirst("%.*", ""), metrics.port()) + "/metrics");
                var connection = (HttpURLConnection) url.toURL().openConnection();

                assertThat(connection.getResponseCode()).as("%s", url).isEqualTo(HttpURLConnection.HTTP_OK);
            }
        }
    }

    @Test
    void probesAreServedOnTheAddressesOfBothFamilies() throws IOException {
        try (var probes = new ProbeServer(new InetSocketAddress(0), () -> true, Duration.ofHours(1))) {
            for (InetAddress address : loopbackAddresses()) {
                try (var socket = new Socket(address, probes.port())) {
                    assertThat(socket.isConnected()).as("%s", address).isTrue();
                }
            }
        }
    }

    /** 127.0.0.1, and ::1 if the machine has IPv6. */
    private static List<InetAddress> loopbackAddresses() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(InetAddress::isLoopbackAddress)
                .toList();
    }
}
