package dev.fakegpu.dra;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request, or one of a request's alternatives (ExactDeviceRequest and DeviceSubRequest of {@code resource.k8s.io/v1}).
 *
 * @param name the name of the request, or of the alternative within its request
 * @param selectors CEL expressions that a device must satisfy in addition to those of the class
 * @param hasUnknownSelector whether there are selectors of an unknown kind
 * @param allocationMode {@value #EXACT_COUNT}, {@value #ALL} or a value that this program does not know
 * @param count the number of devices for {@value #EXACT_COUNT}
 * @param capacity how much of each capacity a device must provide (KEP-5075); null if not set
 * @param derivedAttributes by name, CEL expressions that compute attributes of a device for use in constraints (KEP-6080)
 * @param adminAccess null if not set, and for alternatives
 */
public record ExactRequest(
        String name,
        String deviceClassName,
        List<String> selectors,
        boolean hasUnknownSelector,
        String allocationMode,
        long count,
        List<DeviceToleration> tolerations,
        @Nullable Map<String, Quantity> capacity,
        Map<String, String> derivedAttributes,
        @Nullable Boolean adminAccess) {

    public static final String EXACT_COUNT = "ExactCount";
    public static final String ALL = "All";

    public ExactRequest {
        selectors = List.copyOf(selectors);
        tolerations = List.copyOf(tolerations);
        capacity = capacity == null ? null : ArrayMap.copyOf(capacity);
        derivedAttributes = ArrayMap.copyOf(derivedAttributes);
    }

    static ExactRequest of(
            String name,
            String deviceClassName,
            List<String> selectors,
            long count,
            List<DeviceToleration> tolerations) {
        return new ExactRequest(
                name, deviceClassName, selectors, false, EXACT_COUNT, count, tolerations, null, Map.of(), null);
    }

    /** The same request with one more selector. */
    public ExactRequest withSelector(String selector) {
        return new ExactRequest(
                name,
                deviceClassName,
                Stream.concat(selectors.stream(), Stream.of(selector)).toList(),
                hasUnknownSelector,
                allocationMode,
                count,
                tolerations,
                capacity,
                derivedAttributes,
                adminAccess);
    }

    public boolean isAll() {
        return allocationMode.equals(ALL);
    }

    /** Whether the request is for monitoring devices: it also gets devices in use, and consumes nothing. */
    public boolean hasAdminAccess() {
        return Boolean.TRUE.equals(adminAccess);
    }
}
