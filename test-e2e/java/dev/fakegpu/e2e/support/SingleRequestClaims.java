package dev.fakegpu.e2e.support;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;

/** Claims with one request, which is named {@code gpu}, and pods that use them. */
public final class SingleRequestClaims {
    private SingleRequestClaims() {}

    /** A claim for a device of a class. */
    public static ResourceClaimBuilder ofClass(String namespace, String name, String deviceClass) {
        return exactly(namespace, name, new ExactDeviceRequestBuilder().withDeviceClassName(deviceClass));
    }

    /** A claim for a device of a type; the class of the driver has the driver's name. */
    public static ResourceClaimBuilder ofType(String namespace, String name, String driver, String type) {
        return exactly(
                namespace,
                name,
                new ExactDeviceRequestBuilder()
                        .withDeviceClassName(driver)
                        .addNewSelector()
                        .withNewCel(isOfType(driver, type))
                        .endSelector());
    }

    public static ResourceClaimBuilder exactly(String namespace, String name, ExactDeviceRequestBuilder wanted) {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .withRequests(new DeviceRequestBuilder()
                        .withName("gpu")
                        .withExactly(wanted.build())
                        .build())
                .endDevices()
                .endSpec();
    }

    /**
     * A pod that uses the claim with the same name.
     *
     * @param scheduler the name of the scheduler
     */
    public static PodBuilder podOf(String namespace, String name, String scheduler) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(scheduler)
                .addNewContainer()
                .withName("main")
                .withImage("busybox:1")
                .endContainer()
                .addNewResourceClaim()
                .withName("gpu")
                .withResourceClaimName(name)
                .endResourceClaim()
                .endSpec();
    }

    private static String isOfType(String driver, String type) {
        return "device.attributes['%s'].type == '%s'".formatted(driver, type);
    }
}
