package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The scenarios of {@code test-e2e/scenarios} about DeviceClasses show the written objects. */
class DeviceClassPublisherTest {

    @Test
    void appliedClassBelongsToTheOperator() {
        assertThat(DeviceClassPublisher.isOurs(deviceClass("fakegpu-operator", "fakegpu-operator", "Apply")))
                .isTrue();
    }

    @Test
    void classOfAnotherManagerDoesNotBelongToTheOperator() {
        assertThat(DeviceClassPublisher.isOurs(deviceClass("helm", "fakegpu-operator", "Apply")))
                .isFalse();
        assertThat(DeviceClassPublisher.isOurs(deviceClass("fakegpu-operator", "kubectl", "Apply")))
                .isFalse();
        assertThat(DeviceClassPublisher.isOurs(deviceClass("fakegpu-operator", "fakegpu-operator", "Update")))
                .isFalse();
    }

    /** The published objects of a FakeGpu also stay when its model is removed from the catalog. */
    @Test
    void classesOfAModelThatIsNotKnownStay() {
        var cluster = new MemoryCluster(new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
        var publisher = new DeviceClassPublisher(cluster, cluster.stores(), Specs.PLANNER);
        FakeGpu known = cluster.create(fakeGpu("L40S"));
        publisher.reconcile("gpu.example.com");
        assertThat(names(cluster)).contains("gpu.example.com", "mig.example.com");
        cluster.list(DeviceClass.class)
                .forEach(each -> cluster.stores()
                        .deviceClasses()
                        .written(new DeviceClassBuilder(each)
                                .editMetadata()
                                .addNewManagedField()
                                .withManager("fakegpu-operator")
                                .withOperation("Apply")
                                .endManagedField()
                                .endMetadata()
                                .build()));

        FakeGpu unknown = cluster.update(known, with(known, "MINE"));
        publisher.reconcile("other.example.com");
        assertThat(names(cluster)).contains("gpu.example.com", "mig.example.com");

        cluster.update(unknown, with(unknown, "LATEST-GPU-MODEL"));
        publisher.reconcile("other.example.com");
        assertThat(names(cluster)).containsExactly("gpu.example.com");
    }

    private static FakeGpu with(FakeGpu stored, String model) {
        FakeGpu changed = fakeGpu(model);
        changed.setMetadata(new ObjectMetaBuilder(stored.getMetadata()).build());
        return changed;
    }

    private static FakeGpu fakeGpu(String model) {
        return ClusterYaml.object("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: a}
                spec: {driver: gpu.example.com, model: %s, deviceClasses: Managed, nodes: {names: [n1]}}
                """.formatted(model));
    }

    private static List<String> names(MemoryCluster cluster) {
        return cluster.list(DeviceClass.class).stream()
                .map(each -> each.getMetadata().getName())
                .toList();
    }

    private static DeviceClass deviceClass(String label, String manager, String operation) {
        return new DeviceClassBuilder()
                .withNewMetadata()
                .withName("gpu.example.com")
                .addToLabels("app.kubernetes.io/managed-by", label)
                .addNewManagedField()
                .withManager(manager)
                .withOperation(operation)
                .endManagedField()
                .endMetadata()
                .build();
    }
}
