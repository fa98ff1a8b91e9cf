package dev.fakegpu.junit.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** An existing cluster, which was not started by the tests. Everything that the tests did not create is kept. */
final class GivenKubernetes implements KubernetesSource {

    private static final String NAME = "given";
    private static final String VARIABLE = Option.KUBECONFIG.variable();

    private final Optional<String> file;

    /** @param file the kubeconfig, if it is set */
    GivenKubernetes(Optional<String> file) {
        this.file = file;
    }

    /** Whether tests must use such a cluster. */
    static boolean isNamed() {
        return Option.KUBECONFIG.value().isPresent()
                && Option.SOURCE.value().orElse(NAME).equals(NAME);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<Kubernetes> start(ClusterSettings settings, List<String> why) {
        if (file.isEmpty()) {
            why.add("name the kubeconfig of a cluster of Kubernetes 1.34 or newer in the environment variable "
                    + VARIABLE);
            return Optional.empty();
        }
        Path kubeconfig = Path.of(file.get()).toAbsolutePath();
        check(kubeconfig);
        return Optional.of(new Kubernetes() {
            @Override
            public Path kubeconfig() {
                return kubeconfig;
            }

            @Override
            public boolean isOwn() {
                return false;
            }

            @Override
            public void close() {}
        });
    }

    private static void check(Path kubeconfig) {
        if (!Files.isReadable(kubeconfig)) {
            throw new ClusterException(VARIABLE + ": " + kubeconfig + " cannot be read");
        }
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(read(kubeconfig)).build()) {
            if (client.getApiResources("resource.k8s.io/v1") == null) {
                throw new ClusterException(VARIABLE + ": the cluster of " + kubeconfig
                        + " does not serve resource.k8s.io/v1; use one of Kubernetes 1.34 or newer");
            }
        } catch (KubernetesClientException e) {
            throw new ClusterException(VARIABLE + ": the cluster of " + kubeconfig + " does not answer", e);
        }
    }

    private static Config read(Path kubeconfig) {
        try {
            return Config.fromKubeconfig(kubeconfig.toFile());
        } catch (RuntimeException e) { // the parser throws its own types
            throw new ClusterException(VARIABLE + ": " + kubeconfig + " is not a kubeconfig", e);
        }
    }
}
