package dev.fakegpu.kube.manifest;

import java.util.Map;
import java.util.Optional;

/**
 * Fields of older versions of {@code resource.k8s.io} and of pods that were renamed, removed, or moved by more than one level
 * ({@code v1alpha2} to {@code v1}), and the fields of KEP-5234, which were never added.
 */
final class MovedField {

    private static final String CLASS_NAME = "did you mean \"%s.devices.requests[].exactly.deviceClassName\"?";
    private static final String CONFIG = "parameters are in %s.config[].opaque.parameters";

    private static final String NO_MIXINS =
            "no released Kubernetes has mixins; fakegpu flatten prints the slice without them";
    private static final String RULE = "it was removed in Kubernetes 1.35; a rule selects by driver, pool and device";

    /** The replacement by type and name of the field, with {@code %s} for the path of the object that has the field. */
    private static final Map<String, String> MOVED = Map.ofEntries(
            Map.entry("PodResourceClaim.source", "its fields are fields of %s itself"),
            Map.entry("ResourceClaimSpec.resourceClassName", CLASS_NAME),
            Map.entry("ResourceClaimSpec.parametersRef", CONFIG.replace("config", "devices.config")),
            Map.entry("ResourceClaimSpec.allocationMode", "claims are allocated for the pods that use them"),
            Map.entry("ResourceClaimSpec.controller", "kube-scheduler allocates by itself"),
            Map.entry(
                    "DeviceClass.driverName",
                    "a selector in spec.selectors chooses the driver: device.driver == \"...\""),
            Map.entry("DeviceClass.parametersRef", "parameters are in spec.config[].opaque.parameters"),
            Map.entry("DeviceClassSpec.suitableNodes", "it was removed; ResourceSlices say where devices are"),
            Map.entry("DeviceTaintSelector.deviceClassName", RULE),
            Map.entry("DeviceTaintSelector.selectors", RULE),
            Map.entry("ResourceSliceSpec.mixins", NO_MIXINS),
            Map.entry("CounterSet.includes", NO_MIXINS),
            Map.entry("Device.includes", NO_MIXINS),
            Map.entry("DeviceCounterConsumption.includes", NO_MIXINS),
            Map.entry("Device.basic", "its fields are fields of %s itself"),
            Map.entry("ResourceSlice.driverName", "did you mean \"spec.driver\"?"),
            Map.entry("ResourceSlice.namedResources", "devices are in spec.devices"));

    private MovedField() {}

    /**
     * The replacement of a field; empty if the field did not move.
     *
     * @param type the name of the type that has the field
     * @param path the path of the object that has the field
     */
    static Optional<String> hint(String type, String field, String path) {
        return Optional.ofNullable(MOVED.get(type + "." + field)).map(text -> text.replace("%s", path));
    }
}
