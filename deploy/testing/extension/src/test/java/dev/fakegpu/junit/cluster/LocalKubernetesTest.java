package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalKubernetesTest {

    private static final ClusterSettings SETTINGS = new ClusterSettings("v1.37.1", "", false, Map.of());

    @TempDir
    Path programs;

    @BeforeEach
    void etcdIsReady() throws IOException {
        program("etcd", "echo ready to serve client requests; exec sleep 60");
    }

    @Test
    void aTakenPortIsWorthAnotherAttempt() throws IOException {
        program("kube-apiserver", "echo listen tcp 127.0.0.1:20000: bind: address already in use; exit 1");

        assertThatThrownBy(() -> LocalKubernetes.start(programs, SETTINGS)).isInstanceOf(PortTakenException.class);
    }

    @Test
    void whatElseEndsAProgramIsNot() throws IOException {
        program("kube-apiserver", "echo unknown flag; exit 1");

        assertThatThrownBy(() -> LocalKubernetes.start(programs, SETTINGS))
                .isExactlyInstanceOf(ClusterException.class)
                .hasMessageStartingWith("kube-apiserver has ended; kube-apiserver said:")
                .hasMessageEndingWith("unknown flag");
    }

    private void program(String name, String script) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
