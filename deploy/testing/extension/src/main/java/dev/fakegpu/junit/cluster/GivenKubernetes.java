package dev.fakegpu.junit.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster that somebody else runs. It keeps everything that the tests did not make. */
final class GivenKubernetes implements KubernetesSource {

    /** As for {@code hack/control-plane}. */
    static final String VARIABLE = "FAKEGPU_KUBECONFIG";

    private final Map<String, String> environment;

    GivenKubernetes(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Whether tests are to use such a cluster, and no other. */
    static boolean isNamed() {
        return !System.getenv().getOrDefault(VARIABLE, "").isEmpty();
    }

    @Override
    public Optional<Kubernetes> start(ClusterSettings settings, List<String> why) {
        String file = environment.getOrDefault(VARIABLE, "");
        if (file.isEmpty()) {
            why.add("name the kubeconfig of a cluster of Kubernetes 1.34 or newer in the environment variable "
                    + VARIABLE);
            return Optional.empty();
        }
        Path kubeconfig = Path.of(file).toAbsolutePath();
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
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build()) {
            if (client.getApiResources("resource.k8s.io/v1") == null) {
                throw new ClusterException(VARIABLE + ": the cluster of " + kubeconfig
                        + " does not serve resource.k8s.io/v1; use one of Kubernetes 1.34 or newer");
            }
        } catch (KubernetesClientException e) {
            throw new ClusterException(VARIABLE + ": the cluster of " + kubeconfig + " does not answer", e);
        }
    }
}
