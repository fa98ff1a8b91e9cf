package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OptionTest {

    private final Properties properties = new Properties();

    @Test
    void aPropertyComesBeforeTheVariable() {
        var environment = Map.of("FAKEGPU_TESTING_KUBERNETES", "programs");

        assertThat(Option.SOURCE.value(properties, environment)).contains("programs");

        properties.setProperty("fakegpu.testing.kubernetes", "containers");
        assertThat(Option.SOURCE.value(properties, environment)).contains("containers");
    }

    @Test
    void nothingIsNoValue() {
        assertThat(Option.KUBECONFIG.value(properties, Map.of("FAKEGPU_KUBECONFIG", "")))
                .isEmpty();
        assertThat(Option.API_SERVER_IMAGE.variable()).isEqualTo("FAKEGPU_TESTING_IMAGE_KUBE_APISERVER");
    }

    @Test
    void aMisspeltOneIsRefused() {
        assertThatThrownBy(() -> Option.refuseUnknown(Set.of("fakegpu.testing.images.etcd", "user.dir"), Set.of()))
                .isInstanceOf(ClusterException.class)
                .hasMessageStartingWith(
                        "fakegpu.testing.images.etcd: no such setting; allowed: fakegpu.testing.kubernetes, ");
        assertThatThrownBy(
                        () -> Option.refuseUnknown(Set.of(), Set.of("FAKEGPU_TESTING_KUBERNETS", "FAKEGPU_PROVIDER")))
                .isInstanceOf(ClusterException.class)
                .hasMessageStartingWith(
                        "FAKEGPU_TESTING_KUBERNETS: no such setting; allowed: FAKEGPU_TESTING_KUBERNETES, ");

        Option.refuseUnknown(Set.of("fakegpu.testing.registry"), Set.of("FAKEGPU_TESTING_IMAGE_ETCD", "FAKEGPU_HOME"));
    }

    @Test
    void imagesHaveTheVersionOfKubernetes() {
        assertThat(Image.API_SERVER.name("v1.36.2", Optional.empty(), Optional.empty()))
                .isEqualTo("registry.k8s.io/kube-apiserver:v1.36.2");
        assertThat(Image.ETCD.name("v1.36.2", Optional.empty(), Optional.of("mirror.example.org/k8s/")))
                .startsWith("mirror.example.org/k8s/etcd:3.");
        assertThat(Image.ETCD.name("v1.36.2", Optional.of("etcd:here"), Optional.of("mirror.example.org")))
                .isEqualTo("etcd:here");
    }
}
