package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client rewrites the kubeconfig when it has renewed a token, which must not drop extensions. */
class KubeconfigExtensionsTest {

    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            clusters:
            - name: c
              cluster:
                server: https://127.0.0.1:1
                extensions:
                - name: cluster_info
                  extension: {provider: minikube.sigs.k8s.io, version: v1.37.0, ports: [1, 2]}
                - name: a-text
                  extension: text
            """;

    @BeforeEach
    void readFast() {
        ClientSerialization.readKubeconfigsFast();
    }

    @Test
    void extensionsAreReadAsTheyAre() {
        Config config = Serialization.unmarshal(KUBECONFIG, Config.class);

        assertThat(Serialization.asYaml(config).replace("\"", ""))
                .contains("name: cluster_info", "provider: minikube.sigs.k8s.io", "- 2")
                .containsPattern("extension: text\\s+name: a-text");
    }
}
