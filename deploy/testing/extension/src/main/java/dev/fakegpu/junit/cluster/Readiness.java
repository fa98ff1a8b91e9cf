package dev.fakegpu.junit.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;

/** Checks whether an API server that has been started serves requests. */
final class Readiness implements AutoCloseable {

    private final KubernetesClient client;

    /** @param kubeconfig the kubeconfig of an API server that may not be listening yet */
    Readiness(Path kubeconfig) {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setRequestRetryBackoffLimit(0); // the caller retries
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /** The first namespace is created shortly after the API server reports that it is ready. */
    boolean isReady() {
        try {
            return client.raw("/readyz") != null
                    && client.namespaces().withName("default").get() != null;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
