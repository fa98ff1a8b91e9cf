package dev.fakegpu.operator.prepare.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PluginPathsTest {

    private static final String UID = "0d5ba9a1-6f2a-4c0e-8f3b-6f7d9f6b1c11";

    @Test
    void aSinglePluginHasUpstreamsNames() {
        var paths = paths("/var/lib/kubelet", "gpu.example.com", null);
        assertThat(paths.registrationSocket())
                .hasToString("/var/lib/kubelet/plugins_registry/gpu.example.com-reg.sock");
        assertThat(paths.driverSocket()).hasToString("/var/lib/kubelet/plugins/gpu.example.com/dra.sock");
    }

    @Test
    void pluginsDuringAnUpgradeHaveTheirOwnSocketsAndShareADirectory() {
        var paths = paths("/var/lib/kubelet", "gpu.example.com", UID);
        assertThat(paths.registrationSocket())
                .hasToString("/var/lib/kubelet/plugins_registry/gpu.example.com-" + UID + "-reg.sock");
        assertThat(paths.driverSocket()).hasToString("/var/lib/kubelet/plugins/gpu.example.com/dra-" + UID + ".sock");
        assertThat(paths.data())
                .isEqualTo(paths("/var/lib/kubelet", "gpu.example.com", null).data());
    }

    /** The expected name is that of kubeletplugin.RollingUpdateRegistrarSocketFile of v0.37.1. */
    @Test
    void tooLongSocketNamesAreHashedLikeUpstreams() {
        var paths = paths("/var/lib/kubelet", "gpu-driver-with-a-name-that-is-long.example.com", UID);
        assertThat(paths.registrationSocket())
                .hasToString(
                        "/var/lib/kubelet/plugins_registry/gpu-driver-with-a-name-that-is-long.example.com-%s-reg.sock"
                                .formatted("ht2u246wqvQ"));
    }

    @Test
    void theLongestNameOfADriverFits() {
        var paths = paths("/var/lib/kubelet", "d".repeat(63), UID);

        assertThat(paths.driverSocket()).hasToString(paths.data() + "/d-ht2u246wqvQ.sock");
        assertThat(paths.registrationSocket().toString()).hasSizeLessThanOrEqualTo(107);
        assertThat(paths.isOfDriver(paths.driverSocket())).isTrue();
    }

    @Test
    void pathsThatCannotBeShortenedAreRefused() {
        var paths = paths("/" + "x".repeat(100), "gpu.example.com", UID);
        assertThatThrownBy(paths::registrationSocket)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too long a path for a Unix socket, which can have 107 bytes");
    }

    @Test
    void socketsOfTheDriverAreRecognizedByName() {
        var paths = paths("/var/lib/kubelet", "gpu.example.com", null);
        for (var own : List.of(paths, paths("/var/lib/kubelet", "gpu.example.com", UID))) {
            assertThat(paths.isOfDriver(own.registrationSocket())).isTrue();
            assertThat(paths.isOfDriver(own.driverSocket())).isTrue();
        }
        for (var other : List.of("gpu.example.com-other-reg.sock", "vgpu.gpu.example.com-reg.sock", "csi.sock")) {
            assertThat(paths.isOfDriver(Path.of("/var/lib/kubelet/plugins_registry", other)))
                    .as(other)
                    .isFalse();
        }
        assertThat(paths.isOfDriver(paths.data().resolve("checkpoint"))).isFalse();
    }

    private static PluginPaths paths(String root, String driver, String instance) {
        return new PluginPaths(Path.of(root), Path.of("/var/run/cdi"), driver, instance);
    }
}
