package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Converts objects of older versions of {@code resource.k8s.io} to {@code v1}, as the API server does
 * ({@code pkg/apis/resource/v1beta1/conversion.go}; {@code v1beta2} and the rules of {@code v1alpha3} have the fields of {@code v1}).
 */
public final class OlderVersion {

    private static final String GROUP = "resource.k8s.io/";

    /** The minor version of Kubernetes 1 that first serves the version, 34 for older ones; the version; its kinds. */
    private static final String TABLE = """
            34 v1alpha3 DeviceTaintRule
            34 v1beta1 DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice
            34 v1beta2 DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice
            36 v1beta2 DeviceTaintRule
            """;

    /** By kind, the first minor version of Kubernetes 1 that serves each version. */
    private static final Map<String, Map<String, Integer>> SINCE = since();

    private static final List<String> EXACTLY = List.of(
            "deviceClassName",
            "selectors",
            "allocationMode",
            "count",
            "adminAccess",
            "tolerations",
            "capacity",
            "derivedAttributes");

    private OlderVersion() {}

    private static Map<String, Map<String, Integer>> since() {
        var since = new HashMap<String, Map<String, Integer>>();
        TABLE.lines()
                .map(line -> line.split(" "))
                .forEach(cells -> Arrays.stream(cells)
                        .skip(2)
                        .forEach(kind -> since.computeIfAbsent(kind, ignored -> new TreeMap<>())
                                .put(GROUP + cells[1], Integer.valueOf(cells[0]))));
        return since;
    }

    /** The older versions of a kind, each with the first minor version of Kubernetes 1 that serves it. */
    static Map<String, Integer> of(String kind) {
        return SINCE.getOrDefault(kind, Map.of());
    }

    /**
     * An object that was converted to {@code v1}.
     *
     * @param note says what was converted, and where the fields are now
     */
    public record Converted(ObjectNode object, String note) {}

    /** Converts an object. Empty if it is not of an older version, or if it has fields of {@code v1} in the wrong version. */
    public static Optional<Converted> convert(JsonNode object) {
        String version = object.path("apiVersion").asText();
        String kind = object.path("kind").asText();
        if (!of(kind).containsKey(version)) {
            return Optional.empty();
        }
        ObjectNode converted = object.deepCopy();
        converted.put("apiVersion", GROUP + "v1");
        Optional<String> moved = version.endsWith("v1beta1") ? moved(converted.path("spec"), kind) : Optional.of("");
        return moved.map(fields -> new Converted(
                converted,
                "is read as %sv1%s; Kubernetes 1.37 does not serve %s by default".formatted(GROUP, fields, version)));
    }

    /** Moves the fields and says where they are now. Empty if a field is where only {@code v1} has it. */
    private static Optional<String> moved(JsonNode spec, String kind) {
        return switch (kind) {
            case "ResourceClaim" -> requests(spec.path("devices").path("requests"));
            case "ResourceClaimTemplate" ->
                requests(spec.path("spec").path("devices").path("requests"));
            case "ResourceSlice" -> devices(spec);
            default -> Optional.of("");
        };
    }

    private static Optional<String> requests(JsonNode requests) {
        boolean isMoved = false;
        for (JsonNode each : requests) {
            if (each.has("exactly")) {
                return Optional.empty();
            }
            if (each instanceof ObjectNode request) {
                ObjectNode exactly = request.objectNode();
                EXACTLY.stream().filter(request::has).forEach(field -> exactly.set(field, request.remove(field)));
                if (exactly.properties().stream().anyMatch(field -> isSet(field.getValue()))) {
                    request.set("exactly", exactly);
                    isMoved = true;
                }
            }
        }
        return Optional.of(isMoved ? ", where the fields of a request are under exactly" : "");
    }

    /**
     * Whether the field counts as set in {@code hasAnyMainRequestFieldsSet}: an API server writes an empty class beside
     * {@code firstAvailable}.
     */
    private static boolean isSet(JsonNode value) {
        return !isAbsent(value) && !(value.isNumber() && value.asLong() == 0);
    }

    private static Optional<String> devices(JsonNode spec) {
        if (spec instanceof ObjectNode slice) {
            removeZero(slice);
        }
        boolean isMoved = false;
        for (JsonNode each : spec.path("devices")) {
            if (!isOfBeta(each)) {
                return Optional.empty();
            }
            if (each instanceof ObjectNode device && device.remove("basic") instanceof ObjectNode basic) {
                device.setAll(basic);
                isMoved = true;
            }
        }
        return Optional.of(isMoved ? ", where the fields of basic are in the device itself" : "");
    }

    /** Whether everything except the name of the device is in the object {@code basic}. */
    private static boolean isOfBeta(JsonNode device) {
        JsonNode basic = device.path("basic");
        return Set.of("name", "basic").containsAll(names(device))
                && (basic.isObject() || basic.isNull() || basic.isMissingNode())
                && !basic.has("name")
                && !basic.has("basic");
    }

    private static Set<String> names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    /** Removes an empty name and false, which mean "not set": in {@code v1beta1} these fields are not pointers. */
    private static void removeZero(ObjectNode slice) {
        if (isAbsent(slice.path("nodeName"))) {
            slice.remove("nodeName");
        }
        if (slice.path("allNodes").isBoolean() && !slice.path("allNodes").asBoolean()) {
            slice.remove("allNodes");
        }
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isNull() || (value.isTextual() && value.asText().isEmpty());
    }
}
