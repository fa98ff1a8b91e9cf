package dev.fakegpu.e2e.support;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.Arrays;

/** Claims with one request, named {@code gpu}, and pods that use them. */
public final class SingleRequestClaims {
    private SingleRequestClaims() {}

    /** For a device of a class. */
    public static ResourceClaimBuilder ofClass(String namespace, String name, String deviceClass) {
        return exactly(namespace, name, new ExactDeviceRequestBuilder().withDeviceClassName(deviceClass));
    }

    /** For a device of a type; the driver's class has its name. */
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

    /** For a device of one of some types, the earlier the better (KEP-4816). */
    public static ResourceClaimBuilder ofOneOf(String namespace, String name, String driver, String... types) {
        return claim(
                namespace,
                name,
                new DeviceRequestBuilder()
                        .withFirstAvailable(Arrays.stream(types)
                                .map(type -> alternative(driver, type))
                                .toList()));
    }

    public static ResourceClaimBuilder exactly(String namespace, String name, ExactDeviceRequestBuilder wanted) {
        return claim(namespace, name, new DeviceRequestBuilder().withExactly(wanted.build()));
    }

    /**
     * A pod that uses the claim of its name.
     *
     * @param scheduler its name
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

    private static ResourceClaimBuilder claim(String namespace, String name, DeviceRequestBuilder request) {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .withRequests(request.withName("gpu").build())
                .endDevices()
                .endSpec();
    }

    private static DeviceSubRequest alternative(String driver, String type) {
        return new DeviceSubRequestBuilder()
                .withName(type)
                .withDeviceClassName(driver)
                .addNewSelector()
                .withNewCel(isOfType(driver, type))
                .endSelector()
                .build();
    }

    private static String isOfType(String driver, String type) {
        return "device.attributes['%s'].type == '%s'".formatted(driver, type);
    }
}
