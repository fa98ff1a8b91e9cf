package dev.fakegpu.junit.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;

/** Whether an API server that has been started serves requests. */
final class Readiness implements AutoCloseable {

    private final KubernetesClient client;

    /** @param kubeconfig for an API server that may not listen yet */
    Readiness(Path kubeconfig) {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setRequestRetryBackoffLimit(0); // whoever asks does so again
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /** The first namespace is made a moment after the API server calls itself ready. */
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
