package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClusterConnectionTest {

    @Test
    void aMissingKubeconfigIsReportedWithItsName() {
        assertThat(ClusterConnection.noKubeconfig("/nonexistent"))
                .isEqualTo(
                        "KUBECONFIG is /nonexistent, where there is no kubeconfig with a context: correct it, or name one"
                                + " with --kubeconfig");
        assertThat(ClusterConnection.noKubeconfig(null)).contains("name one", "in KUBECONFIG");
        assertThat(ClusterConnection.noKubeconfig(" ")).isEqualTo(ClusterConnection.noKubeconfig(null));
    }
}
