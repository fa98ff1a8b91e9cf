package dev.fakegpu.dra.wire;

import static dev.fakegpu.dra.wire.SliceReader.copy;
import static dev.fakegpu.dra.wire.SliceReader.mapAll;
import static dev.fakegpu.dra.wire.SliceReader.mapValues;
import static dev.fakegpu.dra.wire.SliceReader.text;
import static java.util.Objects.requireNonNullElse;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.OpaqueConfig;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.RawJson;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequirements;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceDerivedAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.OpaqueDeviceConfiguration;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads ResourceClaims and DeviceClasses. The objects must have the API server's defaults. */
public final class ClaimReader {
    private ClaimReader() {}

    public static ClaimRef ref(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        return new ClaimRef(metadata.getNamespace(), metadata.getName(), metadata.getUid());
    }

    public static Claim read(ResourceClaim claim) {
        DeviceClaim devices = claim.getSpec() == null ? null : claim.getSpec().getDevices();
        return devices == null
                ? new Claim(ref(claim), List.of(), List.of(), List.of())
                : new Claim(
                        ref(claim),
                        mapAll(devices.getRequests(), ClaimReader::request),
                        mapAll(devices.getConstraints(), ClaimReader::constraint),
                        mapAll(devices.getConfig(), config -> config(config.getRequests(), config.getOpaque())));
    }

    private static DeviceRequest request(io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest request) {
        ExactDeviceRequest exactly = request.getExactly();
        return new DeviceRequest(
                text(request.getName()),
                exactly == null ? null : exactRequest(text(request.getName()), exactly),
                mapAll(request.getFirstAvailable(), ClaimReader::alternative));
    }

    private static ExactRequest exactRequest(String name, ExactDeviceRequest exactly) {
        return new ExactRequest(
                name,
                text(exactly.getDeviceClassName()),
                knownSelectors(exactly.getSelectors()),
                hasUnknown(exactly.getSelectors()),
                text(exactly.getAllocationMode()),
                requireNonNullElse(exactly.getCount(), 0L),
                mapAll(exactly.getTolerations(), ClaimReader::toleration),
                capacity(exactly.getCapacity()),
                derivedAttributes(exactly.getDerivedAttributes()),
                exactly.getAdminAccess());
    }

    private static ExactRequest alternative(DeviceSubRequest alternative) {
        return new ExactRequest(
                text(alternative.getName()),
                text(alternative.getDeviceClassName()),
                knownSelectors(alternative.getSelectors()),
                hasUnknown(alternative.getSelectors()),
                text(alternative.getAllocationMode()),
                requireNonNullElse(alternative.getCount(), 0L),
                mapAll(alternative.getTolerations(), ClaimReader::toleration),
                capacity(alternative.getCapacity()),
                derivedAttributes(alternative.getDerivedAttributes()),
                null);
    }

    private static @Nullable Map<String, Quantity> capacity(@Nullable CapacityRequirements capacity) {
        return capacity == null ? null : mapValues(capacity.getRequests(), SliceReader::quantity);
    }

    private static Map<String, String> derivedAttributes(@Nullable List<DeviceDerivedAttribute> attributes) {
        var byName = new LinkedHashMap<String, String>();
        copy(attributes).forEach(attribute -> byName.put(attribute.getName(), attribute.getExpression()));
        return byName;
    }

    private static DeviceConstraint constraint(
            io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraint constraint) {
        return new DeviceConstraint(
                copy(constraint.getRequests()), constraint.getMatchAttribute(), constraint.getDistinctAttribute());
    }

    public static DeviceClass read(io.fabric8.kubernetes.api.model.resource.v1.DeviceClass deviceClass) {
        var spec = deviceClass.getSpec();
        return new DeviceClass(
                deviceClass.getMetadata() == null
                        ? ""
                        : text(deviceClass.getMetadata().getName()),
                spec == null ? List.of() : selectors(spec.getSelectors()),
                spec == null ? List.of() : mapAll(spec.getConfig(), config -> config(List.of(), config.getOpaque())));
    }

    private static List<String> knownSelectors(@Nullable List<DeviceSelector> selectors) {
        return copy(selectors).stream()
                .filter(selector -> selector.getCel() != null)
                .map(selector -> selector.getCel().getExpression())
                .toList();
    }

    private static boolean hasUnknown(@Nullable List<DeviceSelector> selectors) {
        return copy(selectors).stream().anyMatch(selector -> selector.getCel() == null);
    }

    /** Converts a selector of an unknown kind to an expression that does not compile, so that the class does not match everything. */
    private static List<String> selectors(@Nullable List<DeviceSelector> selectors) {
        return mapAll(
                selectors,
                selector -> selector.getCel() == null ? "" : selector.getCel().getExpression());
    }

    static OpaqueConfig config(@Nullable List<String> requests, OpaqueDeviceConfiguration opaque) {
        return new OpaqueConfig(
                requireNonNullElse(requests, List.of()), opaque.getDriver(), RawJson.of(opaque.getParameters()));
    }

    static DeviceToleration toleration(io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration toleration) {
        return new DeviceToleration(
                text(toleration.getKey()),
                text(toleration.getOperator()),
                text(toleration.getValue()),
                text(toleration.getEffect()),
                toleration.getTolerationSeconds());
    }
}
