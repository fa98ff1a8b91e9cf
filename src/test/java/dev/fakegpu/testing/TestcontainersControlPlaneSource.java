package dev.fakegpu.testing;

import dev.fakegpu.testing.ControlPlaneOptions.Component;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.jboss.logging.Logger;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;

/**
 * Runs Kubernetes' own images in containers: for machines that have a container engine, but none of what {@code
 * hack/control-plane} needs. The programs share one network namespace, as those of a pod do. So each is localhost to the others,
 * and no more than the API server's port is published.
 */
final class TestcontainersControlPlaneSource implements ControlPlaneSource {

    private static final Logger LOG = Logger.getLogger(TestcontainersControlPlaneSource.class);

    private static final String REGISTRY = "registry.k8s.io/";

    /** What kubeadm takes for the project's version of Kubernetes; it serves older ones as well. */
    private static final String ETCD = REGISTRY + "etcd:3.7.0-0";

    private static final int FIRST_MINOR_WITH_GROUPS = 37;

    @Override
    public Instance start(ControlPlaneOptions options) {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException(
                    "no container engine answers; start one, or unset FAKEGPU_TEST_CONTROL_PLANE to do without");
        }
        var containers = new Containers(options);
        try {
            containers.up();
            return containers;
        } catch (RuntimeException e) {
            containers.close();
            throw e;
        }
    }

    /** Testcontainers itself ends what runs when this JVM does. */
    private static final class Containers implements Instance {

        private static final int PORT = 6443;
        private static final String DIRECTORY = "/etc/fakegpu";
        private static final String CERTIFICATES = DIRECTORY + "/certs";
        private static final String KUBECONFIG = DIRECTORY + "/kubeconfig";
        private static final String TOKENS = DIRECTORY + "/tokens.csv";
        private static final String KEY = DIRECTORY + "/service-accounts.key";

        private final ControlPlaneOptions options;
        private final String version;
        private final String gates;
        private final String token = UUID.randomUUID().toString();
        private final Transferable key = Transferable.of(newPrivateKey());
        private final Path kubeconfig = newFile();
        private final Deque<GenericContainer<?>> running = new ArrayDeque<>();

        Containers(ControlPlaneOptions options) {
            this.options = options;
            this.version = Objects.requireNonNullElseGet(options.version(), Containers::projectVersion);
            this.gates = Objects.requireNonNullElseGet(options.featureGates(), () -> defaultGates(version));
        }

        void up() {
            GenericContainer<?> etcd = startEtcd();
            String network = "container:" + etcd.getContainerId();
            String address = address(etcd.getHost());
            String certificate = startApiServer(network, address);
            String server = "https://" + address + ":" + etcd.getMappedPort(PORT);
            write(kubeconfig, kubeconfig(server, certificate));
            awaitApiServer();
            String inside = kubeconfig("https://localhost:" + PORT, certificate);
            if (options.components().contains(Component.SCHEDULER)) {
                String schedulerGates = Objects.requireNonNullElse(options.schedulerFeatureGates(), gates);
                start(client("kube-scheduler", schedulerGates, inside, List.of())
                        .withNetworkMode(network));
            }
            if (options.components().contains(Component.CONTROLLER_MANAGER)) {
                start(client(
                                "kube-controller-manager",
                                gates,
                                inside,
                                List.of("--service-account-private-key-file=" + KEY))
                        .withCopyToContainer(key, KEY)
                        .withNetworkMode(network));
            }
            LOG.infof("control plane of Kubernetes %s in containers at %s", version, server);
        }

        /** The others join its network, so their port is published here. */
        private GenericContainer<?> startEtcd() {
            return start(container(ETCD, "etcd", List.of("--data-dir=/data/etcd", "--unsafe-no-fsync"))
                    .withTmpFs(Map.of("/data", "rw"))
                    .withExposedPorts(PORT)
                    .waitingFor(Wait.forLogMessage(".*ready to serve client requests.*", 1)));
        }

        /**
         * Returns its certificate, which is for localhost and the address that it advertises. The other flags are those of {@code
         * hack/control-plane}, which says why.
         */
        private String startApiServer(String network, String address) {
            var flags = new ArrayList<>(List.of(
                    "--etcd-servers=http://127.0.0.1:2379",
                    "--secure-port=" + PORT,
                    "--advertise-address=" + address,
                    "--cert-dir=" + CERTIFICATES,
                    "--endpoint-reconciler-type=none",
                    "--service-cluster-ip-range=10.0.0.0/24",
                    "--service-account-issuer=https://kubernetes.default.svc",
                    "--service-account-key-file=" + KEY,
                    "--service-account-signing-key-file=" + KEY,
                    "--token-auth-file=" + TOKENS,
                    "--authorization-mode=Node,RBAC",
                    "--allow-privileged",
                    "--disable-admission-plugins=ServiceAccount"));
            if (options.runtimeConfig() != null) {
                flags.add("--runtime-config=" + options.runtimeConfig());
            }
            return start(kubernetes("kube-apiserver", gates, flags)
                            .withCopyToContainer(key, KEY)
                            .withCopyToContainer(Transferable.of(token + ",admin,admin,system:masters\n"), TOKENS)
                            .withNetworkMode(network))
                    .copyFileFromContainer(
                            CERTIFICATES + "/apiserver.crt",
                            file -> Base64.getEncoder().encodeToString(file.readAllBytes()));
        }

        private GenericContainer<?> client(String program, String gates, String kubeconfig, List<String> flags) {
            var all = new ArrayList<>(flags);
            all.addAll(List.of(
                    "--kubeconfig=" + KUBECONFIG,
                    "--authentication-kubeconfig=" + KUBECONFIG,
                    "--authorization-kubeconfig=" + KUBECONFIG,
                    "--authentication-skip-lookup",
                    "--cert-dir=" + CERTIFICATES,
                    "--leader-elect=false"));
            return kubernetes(program, gates, all).withCopyToContainer(Transferable.of(kubeconfig), KUBECONFIG);
        }

        private GenericContainer<?> kubernetes(String program, String gates, List<String> flags) {
            var all = new ArrayList<>(flags);
            all.add("--feature-gates=" + gates);
            return container(REGISTRY + program + ":" + version, program, all)
                    .waitingFor(Wait.forLogMessage(".*Serving securely on.*", 1));
        }

        private GenericContainer<?> start(GenericContainer<?> container) {
            running.push(container);
            container.start();
            return container;
        }

        /** The first namespace is made a moment after the API server calls itself ready. */
        private void awaitApiServer() {
            Config config = Config.fromKubeconfig(kubeconfig.toFile());
            try (KubernetesClient client =
                    new KubernetesClientBuilder().withConfig(config).build()) {
                Awaitility.await("the API server is ready")
                        .ignoreExceptions()
                        .until(() -> client.raw("/readyz") != null
                                && client.namespaces().withName("default").get() != null);
            }
        }

        private String kubeconfig(String server, String certificate) {
            return """
                    apiVersion: v1
                    kind: Config
                    current-context: test
                    contexts:
                    - {name: test, context: {cluster: test, user: test}}
                    clusters:
                    - {name: test, cluster: {server: "%s", certificate-authority-data: %s}}
                    users:
                    - {name: test, user: {token: %s}}
                    """.formatted(server, certificate, token);
        }

        @Override
        public Path kubeconfig() {
            return kubeconfig;
        }

        @Override
        public void close() {
            while (!running.isEmpty()) {
                running.pop().stop();
            }
            delete(kubeconfig);
        }

        /** By the program's name, since the images differ in what they start by themselves. */
        private static GenericContainer<?> container(String image, String program, List<String> flags) {
            return new GenericContainer<>(image)
                    .withCreateContainerCmdModifier(command -> command.withEntrypoint(program))
                    .withCommand(flags.toArray(String[]::new))
                    .withStartupTimeout(Patience.LIMIT);
        }

        /** The engine's host may have a name, and a certificate for an address is what the API server makes. */
        private static String address(String host) {
            try {
                return InetAddress.getByName(host).getHostAddress();
            } catch (UnknownHostException e) {
                throw new UncheckedIOException(
                        "the container engine's host " + host + " is unknown; check DOCKER_HOST", e);
            }
        }

        private static String defaultGates(String version) {
            Matcher minor = Pattern.compile("v1\\.(\\d+)\\..*").matcher(version);
            boolean known = minor.matches() && Integer.parseInt(minor.group(1)) >= FIRST_MINOR_WITH_GROUPS;
            return known ? "DRADeviceCompatibilityGroups=true" : "";
        }

        private static String projectVersion() {
            String file = read(ProjectFiles.resolve("hack/kubernetes/common.sh"));
            Matcher version = Pattern.compile("(?m)^KUBERNETES_VERSION=(\\S+)$").matcher(file);
            if (!version.find()) {
                throw new IllegalStateException("hack/kubernetes/common.sh does not set KUBERNETES_VERSION");
            }
            return version.group(1);
        }

        private static String newPrivateKey() {
            try {
                byte[] der = KeyPairGenerator.getInstance("RSA")
                        .generateKeyPair()
                        .getPrivate()
                        .getEncoded();
                String body = Base64.getMimeEncoder().encodeToString(der);
                return "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n";
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java has RSA", e);
            }
        }
    }

    private static Path newFile() {
        try {
            return Files.createTempFile("control-plane-", ".kubeconfig");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a file for the kubeconfig", e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warnf("cannot delete %s: %s", file, e.getMessage());
        }
    }
}
