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
        FakeGpu known = cluster.create(fakeGpu("a", "gpu.example.com", "L40S"));
        publisher.reconcile("gpu.example.com");
        assertThat(names(cluster)).contains("gpu.example.com", "mig.example.com");
        recordManager(cluster);

        FakeGpu unknown = cluster.update(known, with(known, "MINE"));
        publisher.reconcile("other.example.com");
        assertThat(names(cluster)).contains("gpu.example.com", "mig.example.com");

        cluster.update(unknown, with(unknown, "LATEST-GPU-MODEL"));
        publisher.reconcile("other.example.com");
        assertThat(names(cluster)).containsExactly("gpu.example.com");
    }

    /** Both need the class mig.example.com: for the first driver it selects MIG devices, for the second one whole GPUs. */
    @Test
    void aClassThatTwoDriversNeedIsOfTheFirstOne() {
        var cluster = new MemoryCluster(new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")));
        var publisher = new DeviceClassPublisher(cluster, cluster.stores(), Specs.PLANNER);
        FakeGpu first = cluster.create(fakeGpu("first", "gpu.example.com", "L40S"));
        publisher.reconcile("gpu.example.com");
        recordManager(cluster);

        cluster.create(fakeGpu("second", "mig.example.com", "L40S"));
        publisher.reconcile("mig.example.com");
        assertThat(selector(cluster, "mig.example.com")).contains("'gpu.example.com'", "'mig'");

        cluster.delete(first);
        publisher.reconcile("mig.example.com");
        assertThat(selector(cluster, "mig.example.com")).contains("'mig.example.com'", "'gpu'");
    }

    private static String selector(MemoryCluster cluster, String name) {
        return cluster.list(DeviceClass.class).stream()
                .filter(each -> each.getMetadata().getName().equals(name))
                .map(each -> each.getSpec().getSelectors().get(0).getCel().getExpression())
                .findFirst()
                .orElseThrow();
    }

    /** As the API server does, unlike a cluster in memory. */
    private static void recordManager(MemoryCluster cluster) {
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
    }

    private static FakeGpu with(FakeGpu stored, String model) {
        FakeGpu changed = fakeGpu("a", "gpu.example.com", model);
        changed.setMetadata(new ObjectMetaBuilder(stored.getMetadata()).build());
        return changed;
    }

    private static FakeGpu fakeGpu(String name, String driver, String model) {
        return ClusterYaml.object("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: %s}
                spec: {driver: %s, model: %s, deviceClasses: Managed, nodes: {names: [n1]}}
                """.formatted(name, driver, model));
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
