package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubernetesSourceTest {

    private static final ClusterSettings SETTINGS = new ClusterSettings("v1.37.1", "", true, Map.of());

    @TempDir
    Path folder;

    @Test
    void namesTheProgramsThatAreNotInTheCache() {
        var why = new ArrayList<String>();

        assertThat(new CachedKubernetes(folder).start(SETTINGS, why)).isEmpty();

        assertThat(why)
                .singleElement()
                .asString()
                .startsWith(
                        "put etcd, kube-apiserver, kube-controller-manager, kube-scheduler of Kubernetes v1.37.1 into "
                                + folder)
                .contains("hack/control-plane binaries --version v1.37.1");
    }

    @Test
    void takesNoOtherThanAGivenCluster() {
        Path missing = folder.resolve("kubeconfig");
        var given = new GivenKubernetes(Optional.of(missing.toString()));

        assertThatThrownBy(() -> given.start(SETTINGS, new ArrayList<>()))
                .isInstanceOf(ClusterException.class)
                .hasMessage("FAKEGPU_KUBECONFIG: " + missing + " cannot be read");
    }

    @Test
    void namesAFileThatIsNoKubeconfig() throws IOException {
        Path other = Files.writeString(folder.resolve("hosts"), "127.0.0.1 localhost\n");
        var given = new GivenKubernetes(Optional.of(other.toString()));

        assertThatThrownBy(() -> given.start(SETTINGS, new ArrayList<>()))
                .isInstanceOf(ClusterException.class)
                .hasMessage("FAKEGPU_KUBECONFIG: " + other + " is not a kubeconfig");
    }

    @Test
    void saysHowAClusterCanBeGiven() {
        var why = new ArrayList<String>();

        assertThat(new GivenKubernetes(Optional.empty()).start(SETTINGS, why)).isEmpty();

        assertThat(why)
                .isEqualTo(
                        List.of(
                                "name the kubeconfig of a cluster of Kubernetes 1.34 or newer in the environment variable FAKEGPU_KUBECONFIG"));
    }

    @Test
    void findsTheCacheOfTheScripts() {
        assertThat(Cache.directory(Map.of(), "/home/a")).isEqualTo(Path.of("/home/a/.cache/fakegpu"));
        assertThat(Cache.directory(Map.of("XDG_CACHE_HOME", "/cache"), "/home/a"))
                .isEqualTo(Path.of("/cache/fakegpu"));
    }

    @Test
    void asksOneSourceAfterTheOther() {
        var sources = List.<KubernetesSource>of(new GivenKubernetes(Optional.empty()), new CachedKubernetes(folder));

        assertThatThrownBy(() -> KubernetesSource.startFirst(SETTINGS, sources, Optional.empty()))
                .isInstanceOf(ClusterException.class)
                .hasMessageStartingWith("there is no Kubernetes v1.37.1 for this test. One of these helps:\n- name the")
                .hasMessageContaining("\n- put etcd");
    }

    @Test
    void asksOnlyTheSourceThatIsWanted() {
        var sources = List.<KubernetesSource>of(new GivenKubernetes(Optional.empty()), new CachedKubernetes(folder));

        assertThatThrownBy(() -> KubernetesSource.startFirst(SETTINGS, sources, Optional.of("programs")))
                .hasMessageStartingWith("there is no Kubernetes v1.37.1 for this test. This helps:\n- put etcd");
        assertThatThrownBy(() -> KubernetesSource.startFirst(SETTINGS, sources, Optional.of("kind")))
                .isInstanceOf(ClusterException.class)
                .hasMessage("fakegpu.testing.kubernetes: \"kind\" is not allowed; allowed: given, programs");
    }

    @Test
    void triesContainersLast() {
        assertThat(KubernetesSource.all())
                .extracting(KubernetesSource::name)
                .containsExactly("given", "programs", "containers");
    }

    @Test
    void anImageOfTheOperatorNeedsContainers() {
        Kubernetes programs = new Kubernetes() {
            @Override
            public Path kubeconfig() {
                return folder;
            }

            @Override
            public boolean isOwn() {
                return true;
            }

            @Override
            public void close() {}
        };

        assertThatThrownBy(() -> programs.startOperator("fakegpu-operator:dev", Map.of()))
                .isInstanceOf(ClusterException.class)
                .hasMessageEndingWith("also set fakegpu.testing.kubernetes=containers");
    }
}
