package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import org.junit.jupiter.api.Test;

/** The scenarios of {@code test-e2e/scenarios} about DeviceClasses show what is written. */
class DeviceClassPublisherTest {

    @Test
    void classThatTheOperatorAppliedIsItsOwn() {
        assertThat(DeviceClassPublisher.isOurs(deviceClass("fakegpu-operator", "fakegpu-operator", "Apply")))
                .isTrue();
    }

    @Test
    void classOfAnotherManagerIsNot() {
        assertThat(DeviceClassPublisher.isOurs(deviceClass("helm", "fakegpu-operator", "Apply")))
                .isFalse();
        assertThat(DeviceClassPublisher.isOurs(deviceClass("fakegpu-operator", "kubectl", "Apply")))
                .isFalse();
        assertThat(DeviceClassPublisher.isOurs(deviceClass("fakegpu-operator", "fakegpu-operator", "Update")))
                .isFalse();
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
