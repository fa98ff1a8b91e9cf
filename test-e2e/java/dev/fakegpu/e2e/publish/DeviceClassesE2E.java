package dev.fakegpu.e2e.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which DeviceClasses the operator makes, and which it leaves alone. */
class DeviceClassesE2E {

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    @Test
    void modelGetsTheDeviceClassesOfItsVendor() {
        // When
        fakeGpus.create("classes", "{driver: gpu.classes.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("classes");

        // Then
        var selector = "device.driver == 'gpu.classes.example.com'"
                + " && device.attributes['gpu.classes.example.com'].type == '%s'";
        assertThat(fakeGpus.deviceClasses("gpu.classes.example.com"))
                .isEqualTo(Map.of(
                        "gpu.classes.example.com", selector.formatted("gpu"),
                        "mig.classes.example.com", selector.formatted("mig"),
                        "vgpu.gpu.classes.example.com", selector.formatted("vgpu"),
                        "vfio.gpu.classes.example.com", selector.formatted("vfio")));
        assertThat(storedClass("gpu.classes.example.com").getSpec().getExtendedResourceName())
                .isEqualTo("classes.example.com/gpu");
    }

    @Test
    void customHardwareGetsOneDeviceClass() {
        // When
        fakeGpus.create(
                "custom-class",
                "{driver: custom.example.com, %s, custom: {devices: [{name: foo}]}}".formatted(simulated(1)));
        fakeGpus.awaitReady("custom-class");

        // Then
        assertThat(fakeGpus.deviceClasses("custom.example.com"))
                .isEqualTo(Map.of("custom.example.com", "device.driver == 'custom.example.com'"));
    }

    @Test
    void unmanagedDeviceClassesAreLeftToTheUser() {
        // Given
        fakeGpus.create("unmanaged", "{driver: unmanaged.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("unmanaged");
        assertThat(fakeGpus.deviceClasses("unmanaged.example.com")).hasSize(4);

        // When
        fakeGpus.patchSpec("unmanaged", "{\"deviceClasses\": \"Unmanaged\"}");
        fakeGpus.awaitReady("unmanaged");

        // Then
        assertThat(fakeGpus.deviceClasses("unmanaged.example.com")).isEmpty();
    }

    @Test
    void deviceClassOfSomebodyElseIsNotTouched() {
        // Given
        var foreign = fakeGpus.create(deviceClass("foreign.example.com", "device.driver == 'other.example.com'"));

        // When
        fakeGpus.create("foreign-class", "{driver: foreign.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("foreign-class");
        fakeGpus.delete("foreign-class");
        fakeGpus.await(
                () -> assertThat(fakeGpus.deviceClasses("foreign.example.com")).isEmpty());

        // Then
        assertThat(storedClass("foreign.example.com").getMetadata().getResourceVersion())
                .isEqualTo(foreign.getMetadata().getResourceVersion());
    }

    @Test
    void deviceClassWithCopiedLabelsIsNotTouched() {
        // Given
        var copy = deviceClass("copied.example.com", "device.driver == 'other.example.com'");
        copy.getMetadata()
                .setLabels(Map.of(
                        "fakegpu.dev/driver",
                        "copied.example.com",
                        "app.kubernetes.io/managed-by",
                        "fakegpu-operator"));
        var foreign = fakeGpus.create(copy);

        // When
        fakeGpus.create("copied-class", "{driver: copied.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("copied-class");
        assertThat(fakeGpus.deviceClasses("copied.example.com")).hasSize(4);
        fakeGpus.delete("copied-class");
        fakeGpus.await(
                () -> assertThat(fakeGpus.deviceClasses("copied.example.com")).hasSize(1));

        // Then
        assertThat(storedClass("copied.example.com").getMetadata().getResourceVersion())
                .isEqualTo(foreign.getMetadata().getResourceVersion());
    }

    @Test
    void deviceClassDeletedByHandComesBack() {
        // Given
        fakeGpus.create("class-deleted", "{driver: restored.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("class-deleted");

        // When
        cluster.client().resource(storedClass("restored.example.com")).delete();

        // Then
        fakeGpus.await(
                () -> assertThat(fakeGpus.deviceClasses("restored.example.com")).hasSize(4));
    }

    @Test
    void lastFakeGpuOfADriverTakesItsDeviceClassesAlong() {
        // Given
        for (String name : List.of("class-user-1", "class-user-2")) {
            fakeGpus.create(name, "{driver: shared.example.com, %s, model: L40S}".formatted(simulated(1)));
            fakeGpus.awaitReady(name);
        }
        fakeGpus.delete("class-user-1");
        fakeGpus.await(() -> assertThat(fakeGpus.storedSlices("class-user-1")).isEmpty());
        assertThat(fakeGpus.deviceClasses("shared.example.com")).hasSize(4);

        // When
        fakeGpus.delete("class-user-2");

        // Then
        fakeGpus.await(
                () -> assertThat(fakeGpus.deviceClasses("shared.example.com")).isEmpty());
    }

    @Test
    void changedDriverLeavesNothingOfTheOldOneBehind() {
        // Given
        fakeGpus.create("moved", "{driver: old.example.com, %s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("moved");

        // When
        fakeGpus.patchSpec("moved", "{\"driver\": \"new.example.com\"}");
        fakeGpus.awaitReady("moved");

        // Then
        assertThat(fakeGpus.slices("moved"))
                .isNotEmpty()
                .allSatisfy(slice -> assertThat(slice.pool().driver()).isEqualTo("new.example.com"));
        assertThat(fakeGpus.deviceClasses("new.example.com")).hasSize(4);
        assertThat(fakeGpus.deviceClasses("old.example.com")).isEmpty();
    }

    private static String simulated(int nodes) {
        return "nodes: {simulated: {count: %s}}".formatted(nodes);
    }

    private static DeviceClass storedClass(String name) {
        return cluster.client().resources(DeviceClass.class).withName(name).require();
    }

    private static DeviceClass deviceClass(String name, String selector) {
        return new DeviceClassBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewSelector()
                .withNewCel(selector)
                .endSelector()
                .endSpec()
                .build();
    }
}
