package dev.fakegpu.operator.prepare.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.operator.prepare.ContainerDevice;
import dev.fakegpu.operator.prepare.PreparedDevice;
import dev.fakegpu.util.Sha256;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The claims that are prepared on the node, in order of preparation. Encoded as a line with version and checksum, then JSON:
 * <pre>
 * fakegpu-checkpoint v1 sha256:&lt;64 hex digits: checksum of everything after this line&gt;
 * {"claims":[{"namespace":…,"name":…,"uid":…,"devices":[{"driver":…,"pool":…,"device":…,"requests":[…],"shareId":…,"consumed":{…},"given":…,"withPool":…,"type":…,"configuredFor":{…}}]}]}
 * </pre>
 * Unknown fields are ignored, so that an older plugin can read the checkpoint of a newer one.
 */
record Checkpoint(Map<String, PreparedClaim> byUid) {

    static final Checkpoint EMPTY = new Checkpoint(Map.of());

    private static final String VERSION = "fakegpu-checkpoint v1 sha256:";
    private static final ObjectMapper JSON = new ObjectMapper();

    Checkpoint {
        byUid = new LinkedHashMap<>(byUid);
    }

    static Checkpoint of(List<PreparedClaim> claims) {
        var byUid = new LinkedHashMap<String, PreparedClaim>();
        claims.forEach(claim -> byUid.put(claim.claim().uid(), claim));
        return new Checkpoint(byUid);
    }

    Optional<PreparedClaim> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    List<PreparedClaim> claims() {
        return List.copyOf(byUid.values());
    }

    /** The devices that are prepared for other claims. */
    List<PreparedDevice> heldByOthers(ClaimRef claim) {
        return byUid.values().stream()
                .filter(other -> !other.claim().uid().equals(claim.uid()))
                .flatMap(PreparedClaim::held)
                .toList();
    }

    /** The devices that containers have. */
    Stream<DeviceId> given() {
        return byUid.values().stream()
                .flatMap(claim -> claim.results().stream())
                .map(result -> result.container().id());
    }

    /** The number of prepared devices by {@link PreparedResult#type}; a device that several claims hold counts once for each claim. */
    Map<String, Long> devicesByType() {
        return byUid.values().stream()
                .flatMap(claim -> claim.results().stream())
                .collect(Collectors.groupingBy(PreparedResult::type, Collectors.counting()));
    }

    Checkpoint with(PreparedClaim claim) {
        var changed = new LinkedHashMap<>(byUid);
        changed.put(claim.claim().uid(), claim);
        return new Checkpoint(changed);
    }

    Checkpoint without(String uid) {
        var changed = new LinkedHashMap<>(byUid);
        changed.remove(uid);
        return new Checkpoint(changed);
    }

    // --- encoding ---

    byte[] encode() {
        ObjectNode root = JSON.createObjectNode();
        ArrayNode claims = root.putArray("claims");
        byUid.values().forEach(claim -> claims.add(json(claim)));
        byte[] content = (root + "\n").getBytes(UTF_8);
        byte[] header = (VERSION + Sha256.hex(content) + "\n").getBytes(UTF_8);
        byte[] all = Arrays.copyOf(header, header.length + content.length);
        System.arraycopy(content, 0, all, header.length, content.length);
        return all;
    }

    static Checkpoint decode(byte[] bytes) throws CorruptCheckpointException {
        int end = VERSION.length() + 64;
        if (bytes.length <= end || bytes[end] != '\n') {
            throw new CorruptCheckpointException("its first line is not a version and a checksum");
        }
        String header = new String(bytes, 0, end, UTF_8);
        byte[] content = Arrays.copyOfRange(bytes, end + 1, bytes.length);
        if (!header.startsWith(VERSION)) {
            throw new CorruptCheckpointException("its first line does not begin with \"" + VERSION + "\"");
        }
        if (!header.substring(VERSION.length()).equals(Sha256.hex(content))) {
            throw new CorruptCheckpointException("its checksum is not that of its content");
        }
        return parse(content);
    }

    private static Checkpoint parse(byte[] content) throws CorruptCheckpointException {
        try {
            var claims = new ArrayList<PreparedClaim>();
            for (JsonNode claim : JSON.readTree(new String(content, UTF_8)).path("claims")) {
                claims.add(claim(claim));
            }
            return of(claims);
        } catch (JsonProcessingException e) {
            throw new CorruptCheckpointException("it is not JSON: " + e.getOriginalMessage());
        }
    }

    /** A single claim, as embedded in CDI files. */
    static String encode(PreparedClaim claim) {
        return json(claim).toString();
    }

    static PreparedClaim decodeClaim(String text) throws CorruptCheckpointException {
        try {
            return claim(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            throw new CorruptCheckpointException("it is not JSON: " + e.getOriginalMessage());
        }
    }

    private static ObjectNode json(PreparedClaim claim) {
        ObjectNode node = JSON.createObjectNode()
                .put("namespace", claim.claim().namespace())
                .put("name", claim.claim().name())
                .put("uid", claim.claim().uid());
        ArrayNode devices = node.putArray("devices");
        claim.results().forEach(result -> devices.add(json(result)));
        return node;
    }

    private static ObjectNode json(PreparedResult result) {
        ObjectNode node = JSON.createObjectNode()
                .put("driver", result.id().driver())
                .put("pool", result.id().pool())
                .put("device", result.id().device());
        result.requests().forEach(node.putArray("requests")::add);
        if (result.shareId() != null) {
            node.put("shareId", result.shareId());
        }
        if (!result.consumed().isEmpty()) {
            ObjectNode consumed = node.putObject("consumed");
            new TreeMap<>(result.consumed()).forEach((name, amount) -> consumed.put(name, amount.toString()));
        }
        if (!result.container().id().equals(result.id())) {
            node.put("given", result.container().id().device());
        }
        if (result.container().withPool()) {
            node.put("withPool", true);
        }
        if (!result.type().equals(PreparedResult.UNKNOWN_TYPE)) {
            node.put("type", result.type());
        }
        if (result.configuredFor() != null) {
            node.set("configuredFor", JSON.valueToTree(result.configuredFor().byCounterSet()));
        }
        return node;
    }

    private static PreparedClaim claim(JsonNode node) throws CorruptCheckpointException {
        var devices = new ArrayList<PreparedResult>();
        for (JsonNode device : node.path("devices")) {
            var id = new DeviceId(text(device, "driver"), text(device, "pool"), text(device, "device"));
            devices.add(new PreparedResult(
                    id,
                    strings(device.path("requests")),
                    quantities(device.path("consumed")),
                    groups(device.get("configuredFor")),
                    new ContainerDevice(
                            device.has("given") ? id.poolId().device(text(device, "given")) : id,
                            device.has("shareId") ? text(device, "shareId") : null,
                            device.path("withPool").asBoolean()),
                    device.path("type").asText(PreparedResult.UNKNOWN_TYPE)));
        }
        return new PreparedClaim(new ClaimRef(text(node, "namespace"), text(node, "name"), text(node, "uid")), devices);
    }

    private static @Nullable CompatibilityGroups groups(@Nullable JsonNode node) {
        if (node == null) {
            return null;
        }
        var groups = new LinkedHashMap<String, List<String>>();
        node.properties().forEach(set -> groups.put(set.getKey(), strings(set.getValue())));
        return new CompatibilityGroups(groups);
    }

    private static Map<String, Quantity> quantities(JsonNode node) throws CorruptCheckpointException {
        try {
            return node.properties().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            entry -> Quantity.parse(entry.getValue().asText())));
        } catch (IllegalArgumentException e) {
            throw new CorruptCheckpointException("it has something other than a quantity: " + e.getMessage());
        }
    }

    private static List<String> strings(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).collect(Collectors.toList());
    }

    private static String text(JsonNode node, String field) throws CorruptCheckpointException {
        JsonNode value = node.get(field);
        if (value == null || !value.isTextual()) {
            throw new CorruptCheckpointException("it lacks the field \"" + field + "\" of a claim or device");
        }
        return value.asText();
    }
}
