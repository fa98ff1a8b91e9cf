package dev.fakegpu.cluster.holdings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyTest {

    /** Drivers may write any text into attributes, including escape sequences of terminals. */
    @Test
    void aRootIsOneLineOfVisibleText() {
        ResourceSlice slice = ClusterYaml.object("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: a}
                spec:
                  driver: gpu.example.com
                  nodeName: n1
                  pool: {name: n1, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0, attributes: {resource.kubernetes.io/pcieRoot: {string: "pci\\e[31m\\nn2"}}}]
                """);

        assertThat(Topology.lines(List.of(SliceReader.read(slice)), List.of()))
                .containsExactly("n1", "  no NUMA node", "    pci\uFFFD[31m n2", "      gpu-0 (gpu.example.com)  free");
    }
}
