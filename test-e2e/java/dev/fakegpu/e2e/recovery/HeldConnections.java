package dev.fakegpu.e2e.recovery;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * A network between a client and a server that can hold back the client's data, and deliver it later, even if the client has ended
 * meanwhile. The server's data is never held back. It is independent of the protocol, and works with TLS.
 */
final class HeldConnections implements AutoCloseable {

    private final ServerSocket listener;
    private final URI server;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private volatile boolean isHolding;
    private volatile Duration delay = Duration.ZERO;

    private HeldConnections(ServerSocket listener, URI server) {
        this.listener = listener;
        this.server = server;
    }

    /** @param server the URL of the server, of which only the host and the port are used */
    static HeldConnections to(String server) {
        try {
            var network =
                    new HeldConnections(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), URI.create(server));
            daemon(network::accept);
            return network;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the server with another port. */
    String address() {
        return "%s://127.0.0.1:%d".formatted(server.getScheme(), listener.getLocalPort());
    }

    /** Delays the client's data by this time from now on. */
    void delay(Duration time) {
        delay = time;
    }

    /** Holds back the client's data from now on. */
    void hold() {
        isHolding = true;
    }

    int heldBytes() {
        return connections.stream().mapToInt(Connection::heldBytes).sum();
    }

    /** Delivers the data that was held back, and stops holding back and delaying. */
    void release() {
        isHolding = false;
        connections.forEach(Connection::deliver);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                var connection = new Connection(client, new Socket(server.getHost(), server.getPort()));
                connections.add(connection);
                daemon(connection::toServer);
                daemon(connection::toClient);
            }
        } catch (IOException e) {
            // The listener is closed.
        }
    }

    private static void daemon(Runnable work) {
        var thread = new Thread(work, "held-connections");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Connection connection : connections) {
                connection.client.close();
                connection.server.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Connection {

        private final Socket client;
        private final Socket server;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private boolean hasHeld;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void toServer() {
            try {
                var in = client.getInputStream();
                var buffer = new byte[16 * 1024];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    LockSupport.parkNanos(delay.toNanos());
                    forward(buffer, read);
                }
                hangUp();
            } catch (IOException e) {
                // One of both connections is closed.
            }
        }

        private synchronized void forward(byte[] bytes, int length) throws IOException {
            boolean comesAfterHeld = held.size() > 0;
            if (isHolding || comesAfterHeld) {
                hasHeld = true;
                held.write(bytes, 0, length);
            } else {
                server.getOutputStream().write(bytes, 0, length);
            }
        }

        /** The end of the client's connection is not passed on if data was held back, because the server would drop earlier data. */
        private synchronized void hangUp() throws IOException {
            if (!isHolding && !hasHeld) {
                server.shutdownOutput();
            }
        }

        void toClient() {
            try {
                server.getInputStream().transferTo(client.getOutputStream());
                client.shutdownOutput();
            } catch (SocketException e) {
                // One of both connections is closed.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        synchronized int heldBytes() {
            return held.size();
        }

        synchronized void deliver() {
            if (held.size() == 0) {
                return;
            }
            try {
                held.writeTo(server.getOutputStream());
                held.reset();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
