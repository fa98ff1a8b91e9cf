package dev.fakegpu.junit.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Map;

/** Checks whether there is a container engine, to give advice if the library that would use it is missing. */
final class ContainerEngine {

    private static final String DEFAULT = "unix:///var/run/docker.sock";
    private static final int PATIENCE_MILLIS = 1000;

    private ContainerEngine() {}

    static boolean answers() {
        return answers(System.getenv());
    }

    static boolean answers(Map<String, String> environment) {
        try {
            URI host = URI.create(environment.getOrDefault("DOCKER_HOST", DEFAULT));
            return "unix".equals(host.getScheme())
                    ? accepts(UnixDomainSocketAddress.of(host.getPath()))
                    : accepts(new InetSocketAddress(host.getHost(), host.getPort()));
        } catch (IllegalArgumentException e) {
            return false; // not a URI, or a URI without a port
        }
    }

    private static boolean accepts(UnixDomainSocketAddress socket) {
        try (SocketChannel channel = SocketChannel.open((SocketAddress) socket)) {
            return channel.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean accepts(InetSocketAddress address) {
        try (var socket = new Socket()) {
            socket.connect(address, PATIENCE_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
