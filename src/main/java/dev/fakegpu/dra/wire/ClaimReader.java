package dev.fakegpu.dra.wire;

import static dev.fakegpu.dra.wire.SliceReader.mapAll;
import static java.util.Objects.requireNonNullElse;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.OpaqueConfig;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.OpaqueDeviceConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads ResourceClaims and DeviceClasses, and says which parts of a claim cannot be treated as the API means them. */
public final class ClaimReader {
    private ClaimReader() {}

    public static ClaimRef ref(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        return new ClaimRef(metadata.getNamespace(), metadata.getName(), metadata.getUid());
    }

    public static Claim read(ResourceClaim claim) {
        DeviceClaim devices = claim.getSpec().getDevices();
        var requests = new ArrayList<DeviceRequest>();
        var unsupported = new ArrayList<String>();
        for (var request : requireNonNullElse(
                devices.getRequests(), List.<io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest>of())) {
            ExactDeviceRequest exactly = request.getExactly();
            if (exactly == null) {
                unsupported.add("request \"" + request.getName() + "\" uses firstAvailable");
                continue;
            }
            findUnsupported(exactly)
                    .forEach(what -> unsupported.add("request \"" + request.getName() + "\" uses " + what));
            requests.add(new DeviceRequest(
                    request.getName(),
                    exactly.getDeviceClassName(),
                    selectors(exactly.getSelectors()),
                    exactly.getCount() == null ? 1 : exactly.getCount(),
                    mapAll(exactly.getTolerations(), ClaimReader::toleration)));
        }
        if (!isEmpty(devices.getConstraints())) {
            unsupported.add("the claim uses constraints");
        }
        return new Claim(
                ref(claim),
                requests,
                mapAll(devices.getConfig(), config -> config(config.getRequests(), config.getOpaque())),
                unsupported);
    }

    public static DeviceClass read(io.fabric8.kubernetes.api.model.resource.v1.DeviceClass deviceClass) {
        var spec = deviceClass.getSpec();
        return new DeviceClass(
                deviceClass.getMetadata().getName(),
                selectors(spec.getSelectors()),
                mapAll(spec.getConfig(), config -> config(List.of(), config.getOpaque())));
    }

    private static List<String> findUnsupported(ExactDeviceRequest request) {
        var found = new ArrayList<String>();
        String mode = request.getAllocationMode();
        if (mode != null && !mode.equals("ExactCount")) {
            found.add("allocationMode " + mode);
        }
        if (request.getAdminAccess() != null) {
            found.add("adminAccess");
        }
        if (request.getCapacity() != null) {
            found.add("capacity");
        }
        if (!isEmpty(request.getDerivedAttributes())) {
            found.add("derivedAttributes");
        }
        if (request.getSelectors() != null
                && request.getSelectors().stream().anyMatch(selector -> selector.getCel() == null)) {
            found.add("a selector that is not CEL");
        }
        return found;
    }

    /** A selector of a kind that is not known here becomes an expression that does not compile: it must not select everything. */
    private static List<String> selectors(@Nullable List<DeviceSelector> selectors) {
        return mapAll(
                selectors,
                selector -> selector.getCel() == null ? "" : selector.getCel().getExpression());
    }

    private static OpaqueConfig config(@Nullable List<String> requests, OpaqueDeviceConfiguration opaque) {
        return new OpaqueConfig(requireNonNullElse(requests, List.of()), opaque.getDriver(), opaque.getParameters());
    }

    static DeviceToleration toleration(io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration toleration) {
        return new DeviceToleration(
                requireNonNullElse(toleration.getKey(), ""),
                requireNonNullElse(toleration.getOperator(), "Equal"),
                requireNonNullElse(toleration.getValue(), ""),
                requireNonNullElse(toleration.getEffect(), ""),
                toleration.getTolerationSeconds());
    }

    private static boolean isEmpty(@Nullable List<?> list) {
        return list == null || list.isEmpty();
    }
}
