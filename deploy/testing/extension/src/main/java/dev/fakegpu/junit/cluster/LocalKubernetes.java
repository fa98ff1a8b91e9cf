package dev.fakegpu.junit.cluster;

import dev.fakegpu.junit.cluster.TetheredProcess.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A control plane of processes on this machine, with the flags of {@code hack/control-plane}. etcd has no port: its sockets are in a
 * directory that only its user can enter.
 */
final class LocalKubernetes implements Kubernetes {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String SOCKET = "unix://etcd.sock";
    private static final String PEER = "unix://peer.sock";
    private static final String KEY = "service-accounts.key";
    private static final String TOKENS = "tokens.csv";
    private static final String ADDRESS = "127.0.0.1";

    /** Below the ports that Linux and macOS use for outgoing connections. */
    private static final int FIRST_PORT = 20_000;

    private static final int LAST_PORT = 32_000;

    private final Path programs;
    private final ControlPlaneSettings settings;
    private final Credentials credentials = Credentials.random();
    private final Path directory;
    private final Deque<TetheredProcess> running = new ArrayDeque<>();
    private @Nullable TetheredProcess apiServer;

    private LocalKubernetes(Path programs, ClusterSettings settings) {
        this.programs = programs;
        this.settings = settings.controlPlane();
        this.directory = newDirectory();
    }

    static LocalKubernetes start(Path programs, ClusterSettings settings) {
        var kubernetes = new LocalKubernetes(programs, settings);
        try {
            kubernetes.up();
            return kubernetes;
        } catch (RuntimeException e) {
            kubernetes.close();
            throw e;
        }
    }

    private void up() {
        write(KEY, credentials.key());
        write(TOKENS, credentials.tokenFile());
        startEtcd();
        startApiServer();
    }

    private void startEtcd() {
        TetheredProcess etcd = run(
                "etcd",
                List.of(
                        "--data-dir=data",
                        "--unsafe-no-fsync",
                        "--listen-client-urls=" + SOCKET,
                        "--advertise-client-urls=" + SOCKET,
                        "--listen-peer-urls=" + PEER,
                        "--initial-advertise-peer-urls=" + PEER,
                        "--initial-cluster=default=" + PEER));
        if (!await(etcd, () -> etcd.log().contains("ready to serve client requests"))) {
            throw failed("etcd", etcd);
        }
    }

    /** Returns when its kubeconfig exists, which is long before it serves requests. */
    private void startApiServer() {
        int port = freePort();
        apiServer = run(
                "kube-apiserver",
                Flags.with(
                        List.of(
                                "--etcd-servers=" + SOCKET,
                                "--bind-address=" + ADDRESS,
                                "--advertise-address=" + ADDRESS,
                                "--secure-port=" + port),
                        Flags.apiServer(settings, KEY, TOKENS, "certificates")));
        if (!await(apiServer, () -> isCertified(port))) {
            throw failed("kube-apiserver", apiServer);
        }
    }

    @Override
    public void awaitReady() {
        TetheredProcess server = Objects.requireNonNull(apiServer);
        if (!isReady(server)) {
            throw failed("kube-apiserver", server);
        }
        run("kube-controller-manager", Flags.controllerManager(settings, "kubeconfig", KEY));
        if (settings.hasScheduler()) {
            run("kube-scheduler", Flags.scheduler(settings, "kubeconfig"));
        }
    }

    private boolean isReady(TetheredProcess apiServer) {
        try (var readiness = new Readiness(kubeconfig())) {
            return await(apiServer, readiness::isReady);
        }
    }

    /** Whether the API server has created its certificate, which the kubeconfig needs. */
    private boolean isCertified(int port) {
        Path certificate = directory.resolve("certificates/apiserver.crt");
        try {
            if (!Files.exists(certificate) || Files.size(certificate) == 0) {
                return false;
            }
            write(
                    "kubeconfig",
                    credentials.kubeconfig("https://" + ADDRESS + ":" + port, Files.readAllBytes(certificate)));
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The directory is removed with the program that was started first, which ends last. */
    private TetheredProcess run(String program, List<String> flags) {
        Command command = Command.of(
                directory, Flags.with(List.of(programs.resolve(program).toString()), flags));
        Path log = directory.resolve(program + ".log");
        TetheredProcess process = running.isEmpty()
                ? TetheredProcess.startAndRemove(program, log, command)
                : TetheredProcess.start(program, log, command);
        running.push(process);
        return process;
    }

    private static boolean await(TetheredProcess process, BooleanSupplier condition) {
        return Wait.atMost(PATIENCE).until(() -> !process.isAlive() || condition.getAsBoolean()) && process.isAlive();
    }

    private static ClusterException failed(String program, TetheredProcess process) {
        if (process.log().contains("address already in use")) {
            return new PortTakenException(process.lastWords());
        }
        return new ClusterException(program
                + (process.isAlive() ? " is not ready after " + PATIENCE.toSeconds() + " s; " : " has ended; ")
                + process.lastWords());
    }

    @Override
    public Path kubeconfig() {
        return directory.resolve("kubeconfig");
    }

    @Override
    public boolean isOwn() {
        return true;
    }

    @Override
    public void close() {
        while (!running.isEmpty()) {
            running.pop().close();
        }
    }

    private void write(String file, String text) {
        try {
            Files.writeString(directory.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Only the owner can access it, as with all temporary directories of Java. */
    private static Path newDirectory() {
        try {
            return Files.createTempDirectory("fakegpu-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // the port is taken; try the next one
            }
        }
    }
}
