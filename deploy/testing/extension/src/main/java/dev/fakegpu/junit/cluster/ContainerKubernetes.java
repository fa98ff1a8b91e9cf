package dev.fakegpu.junit.cluster;

import com.github.dockerjava.api.model.RestartPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.LogMessageWaitStrategy;
import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.images.builder.Transferable;

/**
 * A control plane in containers, with Kubernetes' own images and the flags of {@code hack/control-plane}. The containers share one network
 * namespace, as in a pod: each is localhost to the others, and only the port of the API server is published. Testcontainers ends them if
 * this JVM is killed.
 */
public final class ContainerKubernetes implements Kubernetes {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int PORT = 6443;

    /**
     * The operator ends when it has lost its Lease and is restarted, as by the kubelet; if it cannot start, it is not restarted forever.
     */
    private static final int OPERATOR_RESTARTS = 3;

    private static final String DIRECTORY = "/etc/fakegpu/";
    private static final String KUBECONFIG = DIRECTORY + "kubeconfig";
    private static final String TOKENS = DIRECTORY + "tokens.csv";
    private static final String KEY = DIRECTORY + "service-accounts.key";
    private static final String CERTIFICATES = DIRECTORY + "certificates";

    private final ControlPlaneSettings settings;
    private final Credentials credentials = Credentials.random();
    private final Path kubeconfig = newFile();
    private final Deque<GenericContainer<?>> running = new ArrayDeque<>();
    private String network = "";
    private String kubeconfigInside = "";

    private ContainerKubernetes(ControlPlaneSettings settings) {
        this.settings = settings;
    }

    /** Whether a container engine responds. */
    public static boolean isPossible() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    /**
     * Starts a control plane, and returns when it serves requests.
     *
     * @throws ClusterException if it does not
     */
    public static ContainerKubernetes start(ControlPlaneSettings settings) {
        var kubernetes = new ContainerKubernetes(settings);
        try {
            kubernetes.up();
            return kubernetes;
        } catch (RuntimeException e) {
            kubernetes.close();
            throw e;
        }
    }

    private void up() {
        GenericContainer<?> etcd = startEtcd();
        network = "container:" + etcd.getContainerId();
        String address = address(etcd.getHost());
        byte[] certificate = startApiServer(address);
        kubeconfigInside = credentials.kubeconfig("https://localhost:" + PORT, certificate);
        write(credentials.kubeconfig("https://" + address + ":" + etcd.getMappedPort(PORT), certificate));
        awaitApiServer();
        if (settings.hasControllerManager()) {
            start(client(Image.CONTROLLER_MANAGER, Flags.controllerManager(settings, KUBECONFIG, KEY))
                    .withCopyToContainer(Transferable.of(credentials.key()), KEY));
        }
        if (settings.hasScheduler()) {
            start(client(Image.SCHEDULER, Flags.scheduler(settings, KUBECONFIG)));
        }
    }

    /** The port is published here, because the other containers join this network. */
    private GenericContainer<?> startEtcd() {
        return start(container(Image.ETCD, List.of("--data-dir=/data/etcd", "--unsafe-no-fsync"))
                .withTmpFs(Map.of("/data", "rw"))
                .withExposedPorts(PORT)
                .waitingFor(said(".*ready to serve client requests.*")));
    }

    /** Returns the API server's certificate, which is for localhost and the address that it advertises. */
    private byte[] startApiServer(String address) {
        List<String> flags = Flags.with(
                List.of(
                        "--etcd-servers=http://127.0.0.1:2379",
                        "--advertise-address=" + address,
                        "--secure-port=" + PORT),
                Flags.apiServer(settings, KEY, TOKENS, CERTIFICATES));
        return start(container(Image.API_SERVER, flags)
                        .withNetworkMode(network)
                        .withCopyToContainer(Transferable.of(credentials.key()), KEY)
                        .withCopyToContainer(Transferable.of(credentials.tokenFile()), TOKENS)
                        .waitingFor(said(".*Serving securely on.*")))
                .copyFileFromContainer(CERTIFICATES + "/apiserver.crt", file -> file.readAllBytes());
    }

    private void awaitApiServer() {
        try (var readiness = new Readiness(kubeconfig)) {
            if (!Wait.atMost(PATIENCE).until(readiness::isReady)) {
                throw new ClusterException("kube-apiserver is not ready after " + PATIENCE.toSeconds() + " s; "
                        + ContainerLog.lastWords(running.element()));
            }
        }
    }

    private GenericContainer<?> client(Image image, List<String> flags) {
        return container(image, flags)
                .withNetworkMode(network)
                .withCopyToContainer(Transferable.of(kubeconfigInside), KUBECONFIG);
    }

    /** Starts the container with the program's name, since the images differ in their entry points. */
    private GenericContainer<?> container(Image image, List<String> flags) {
        return new GenericContainer<>(image.name(settings.version()))
                .withCreateContainerCmdModifier(command -> command.withEntrypoint(image.program()))
                .withCommand(flags.toArray(String[]::new))
                .withStartupTimeout(PATIENCE);
    }

    private GenericContainer<?> start(GenericContainer<?> container) {
        running.push(container);
        try {
            container.start();
            return container;
        } catch (ContainerFetchException e) {
            throw new ClusterException(e.getMessage(), e);
        } catch (ContainerLaunchException e) {
            throw new ClusterException(e.getMessage() + "; " + ContainerLog.lastWords(container), e);
        }
    }

    private static WaitStrategy said(String line) {
        return new LogMessageWaitStrategy().withRegEx(line);
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public boolean isOwn() {
        return true;
    }

    @Override
    public OperatorRun startOperator(String image, Map<String, String> environment) {
        GenericContainer<?> container = new GenericContainer<>(image)
                .withNetworkMode(network)
                .withCopyToContainer(Transferable.of(kubeconfigInside), KUBECONFIG)
                .withEnv(environment)
                .withEnv("KUBECONFIG", KUBECONFIG)
                .withCreateContainerCmdModifier(command -> Objects.requireNonNull(command.getHostConfig())
                        .withRestartPolicy(RestartPolicy.onFailureRestart(OPERATOR_RESTARTS)))
                .withCommand("operator");
        start(container);
        return new OperatorContainer(container);
    }

    @Override
    public void close() {
        while (!running.isEmpty()) {
            running.pop().stop();
        }
        try {
            Files.deleteIfExists(kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resolves the name of the engine's host, because the API server creates a certificate for an address. */
    private static String address(String host) {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            throw new ClusterException("the container engine's host " + host + " is unknown; check DOCKER_HOST", e);
        }
    }

    private void write(String text) {
        try {
            Files.writeString(kubeconfig, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Only the owner can access it, as with all temporary files of Java. */
    private static Path newFile() {
        try {
            return Files.createTempFile("fakegpu-", ".kubeconfig");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
