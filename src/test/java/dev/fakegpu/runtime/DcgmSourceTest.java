package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.dcgm.DcgmGpus.Naming;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DcgmSourceTest {

    private final MemoryCluster cluster = new MemoryCluster(new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));

    @Test
    void networkCardsWithAddressesAreNotGpus() {
        publish("gpu", "H100-80GB-HBM3");
        publish("nic", "ConnectX-7-SRIOV");

        var source =
                new DcgmSource(cluster.stores(), new InventoryPlanner(Catalog.builtIn()), Naming.NAMED, () -> true);

        assertThat(source.gpus())
                .singleElement()
                .satisfies(gpu -> assertThat(gpu.identity().pool().name()).isEqualTo("gpu"));
    }

    private void publish(String name, String model) {
        FakeGpu fakeGpu = cluster.create(ClusterYaml.<FakeGpu>object("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: %s}
                spec: {model: %s, count: 1, nodes: {names: [n1]}}
                """.formatted(name, model)));
        ResourceSlice slice = ClusterYaml.object("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %1$s}
                spec:
                  driver: %1$s.example.com
                  nodeName: n1
                  pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
                  devices: [{name: %1$s-0, attributes: {resource.kubernetes.io/pciBusID: {string: "0000:1b:00.0"}}}]
                """.formatted(name));
        slice.getMetadata().setOwnerReferences(List.of(FakeGpuOwner.reference(fakeGpu)));
        cluster.create(slice);
    }
}
