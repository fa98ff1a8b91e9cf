package dev.fakegpu.operator.prepare.plugin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.NetworkData;
import dev.fakegpu.dra.RequestName;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.operator.prepare.DeviceSetup;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a claim's devices for containers (KEP-5304), with one file for each of its requests, as {@code metadata.go} of {@code
 * k8s.io/dynamic-resource-allocation/kubeletplugin} v0.37.1 writes it. It depends only on the claim and its devices, so that a claim that
 * is prepared again has the same files.
 *
 * @param podClaimName the name, in the pod, of a claim that was created from a template; null for other claims
 * @param requests by name of the request, its name in results, which includes the chosen alternative
 */
record ClaimMetadata(
        String driver, ClaimRef claim, @Nullable String podClaimName, Map<String, String> requests) {

    /** The directory in containers, defined by {@code api/metadata} of {@code k8s.io/dynamic-resource-allocation}. */
    static final String DIRECTORY = "/var/run/kubernetes.io/dra-device-attributes/";

    /**
     * The versions, newest first. KubeVirt reads the older one ({@code pkg/dra/metadata/types.go} of kubevirt/kubevirt, commit 14dfb277).
     */
    private static final List<String> VERSIONS = List.of("v1beta1", "v1alpha1");

    private static final String GROUP = "metadata.resource.k8s.io/";
    private static final String POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name";

    /** The attribute in which KubeVirt looks for the mediated device of a vGPU ({@code MDevUUIDAttribute} in the same file). */
    private static final String MDEV_UUID = "mdevUUID";

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final ObjectMapper JSON = new ObjectMapper();

    ClaimMetadata {
        requests = Map.copyOf(requests);
    }

    static ClaimMetadata of(ResourceClaim claim, String driver, List<DeviceRequestAllocationResult> results) {
        return new ClaimMetadata(
                driver,
                ClaimReader.ref(claim),
                podClaimName(claim),
                results.stream()
                        .map(DeviceRequestAllocationResult::getRequest)
                        .distinct()
                        .collect(Collectors.toMap(RequestName::main, request -> request, (one, other) -> one)));
    }

    /**
     * Users can also write annotations. A value that is no valid name in a pod is ignored, so that it cannot become part of paths or fill
     * the node's disk.
     */
    private static @Nullable String podClaimName(ResourceClaim claim) {
        Map<String, String> annotations = claim.getMetadata().getAnnotations();
        String name = annotations == null ? null : annotations.get(POD_CLAIM_NAME);
        return name != null
                        && name.length() <= Limits.LABEL
                        && LABEL.matcher(name).matches()
                ? name
                : null;
    }

    /** The name of a request's file on the node, next to the files of devices; no device can have this name. */
    static String fileName(String request) {
        return request + ".metadata.json";
    }

    /** The file of a request in containers. */
    String containerPath(String request) {
        String directory =
                podClaimName == null ? "resourceclaims/" + claim.name() : "resourceclaimtemplates/" + podClaimName;
        return DIRECTORY + directory + "/" + request + "/" + driver + "-metadata.json";
    }

    /**
     * The files of all requests, by the names of these.
     *
     * @param setups the setup of each of the claim's devices
     */
    Map<String, String> texts(List<PreparedResult> results, Function<PreparedResult, DeviceSetup> setups) {
        var devices = new LinkedHashMap<String, List<DeviceSetup>>();
        results.forEach(result -> result.requests()
                .forEach(request -> devices.computeIfAbsent(request, ignored -> new ArrayList<>())
                        .add(setups.apply(result))));
        var texts = new LinkedHashMap<String, String>();
        devices.forEach((request, ofRequest) -> texts.put(request, text(request, ofRequest)));
        return texts;
    }

    /**
     * The file of a request: the same object once for each version.
     *
     * @param devices the devices of the request that containers get
     */
    String text(String request, List<DeviceSetup> devices) {
        return VERSIONS.stream()
                .map(version -> written(object(version, request, devices)))
                .collect(Collectors.joining());
    }

    private ObjectNode object(String version, String request, List<DeviceSetup> devices) {
        ObjectNode object =
                JSON.createObjectNode().put("kind", "DeviceMetadata").put("apiVersion", GROUP + version);
        object.putObject("metadata")
                .put("name", claim.name())
                .put("namespace", claim.namespace())
                .put("uid", claim.uid())
                .put("generation", 1);
        if (podClaimName != null) {
            object.put("podClaimName", podClaimName);
        }
        ObjectNode ofRequest = object.putArray("requests").addObject();
        ofRequest.put("name", requests.getOrDefault(request, request));
        ArrayNode all = ofRequest.putArray("devices");
        devices.forEach(device -> add(all.addObject(), device));
        return object;
    }

    private static void add(ObjectNode object, DeviceSetup setup) {
        var id = setup.container().id();
        object.put("driver", id.driver()).put("pool", id.pool()).put("name", id.device());
        Map<String, AttributeValue> attributes = attributes(setup);
        if (!attributes.isEmpty()) {
            ObjectNode all = object.putObject("attributes");
            attributes.forEach((name, value) -> add(all.putObject(name), value));
        }
        NetworkData network = setup.network();
        if (network != null) {
            add(object.putObject("networkData"), network);
        }
    }

    /** The attributes in the order in which upstream writes them. */
    private static Map<String, AttributeValue> attributes(DeviceSetup setup) {
        Device device = setup.device();
        var attributes = new TreeMap<>(device.attributes());
        attributes.values().removeIf(AttributeValue.Unknown.class::isInstance);
        boolean isMediated = device.text("vgpuFramework").filter("mdev"::equals).isPresent();
        if (isMediated && attributes.size() < Limits.ATTRIBUTES_AND_CAPACITIES) {
            String uuid = setup.container().uuid(device);
            attributes.putIfAbsent(MDEV_UUID, AttributeValue.of(uuid.substring(uuid.indexOf('-') + 1)));
        }
        return attributes;
    }

    private static void add(ObjectNode object, AttributeValue value) {
        if (value instanceof AttributeValue.IntValue number) {
            object.put("int", number.value());
        } else if (value instanceof AttributeValue.BoolValue bool) {
            object.put("bool", bool.value());
        } else if (value instanceof AttributeValue.VersionValue version) {
            object.put("version", version.value());
        } else if (value instanceof AttributeValue.ListValue list) {
            add(object, list);
        } else {
            object.put("string", value.toString());
        }
    }

    private static void add(ObjectNode object, AttributeValue.ListValue list) {
        ArrayNode values = object.putArray(
                switch (list.kind()) {
                    case STRING -> "strings";
                    case INT -> "ints";
                    case BOOL -> "bools";
                    case VERSION -> "versions";
                });
        list.values().forEach(value -> {
            if (value instanceof AttributeValue.IntValue number) {
                values.add(number.value());
            } else if (value instanceof AttributeValue.BoolValue bool) {
                values.add(bool.value());
            } else {
                values.add(value.toString());
            }
        });
    }

    private static void add(ObjectNode object, NetworkData network) {
        if (network.interfaceName() != null) {
            object.put("interfaceName", network.interfaceName());
        }
        if (!network.ips().isEmpty()) {
            network.ips().forEach(object.putArray("ips")::add);
        }
        if (!network.hardwareAddress().isEmpty()) {
            object.put("hardwareAddress", network.hardwareAddress());
        }
    }

    private static String written(ObjectNode object) {
        try {
            return JSON.writer(new DefaultPrettyPrinter()).writeValueAsString(object) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }
}
