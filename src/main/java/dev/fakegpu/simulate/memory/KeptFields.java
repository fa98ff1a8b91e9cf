package dev.fakegpu.simulate.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cluster.validation.ApiValidation;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drops the fields whose feature gate is off, and those that a version of Kubernetes does not have, as its API server does without field
 * validation, and refuses objects that are invalid without them. {@link ApiObjects#problems} refuses unknown fields of objects that users
 * write, except slices; it validates the others without the fields whose gate is off.
 */
public final class KeptFields {

    /** Kinds that have no effect without some gates. */
    private static final Map<String, List<ServerGate>> KINDS = Map.of(
            "DeviceTaintRule", List.of(ServerGate.DRADeviceTaintRules, ServerGate.DRADeviceTaints),
            "PodGroup", List.of(ServerGate.GenericWorkload));

    private final ServerGates gates;
    private final Set<String> kindsWithDropped;
    private final Set<String> notes = new LinkedHashSet<>();

    public KeptFields(ServerGates gates) {
        this.gates = gates;
        kindsWithDropped = Arrays.stream(ServerGate.values())
                .flatMap(gate -> gate.fields().stream().filter(field -> isUnknown(field) || isOff(gate)))
                .map(field -> field.kind().name())
                .collect(Collectors.toSet());
    }

    private boolean isUnknown(GatedField field) {
        return field.since() > gates.version().minor();
    }

    private boolean isOff(ServerGate gate) {
        return gates.off().contains(gate);
    }

    /** One sentence for each field that was dropped from an object. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * The object as the API server stores it; empty if it would have no effect.
     *
     * @param given the object as JSON
     * @param stored the previous object, whose fields are kept if it already has them
     * @throws SimulationException if the object is refused without the dropped fields
     */
    public Optional<HasMetadata> kept(HasMetadata object, JsonNode given, @Nullable HasMetadata stored) {
        Optional<ServerGate> off = KINDS.getOrDefault(object.getKind(), List.of()).stream()
                .filter(this::isOff)
                .findFirst();
        if (off.isPresent()) {
            notes.add("%s has no effect: the feature gate %s is off".formatted(title(given), off.get()));
            return Optional.empty();
        }
        if (!kindsWithDropped.contains(object.getKind())) {
            return Optional.of(object);
        }
        ObjectNode kept = given.deepCopy();
        JsonNode before = stored == null ? MissingNode.getInstance() : ApiObjects.write(stored);
        boolean isChanged = false;
        for (ServerGate gate : ServerGate.values()) {
            isChanged |= drop(gate, kept, before);
        }
        if (!isChanged) {
            return Optional.of(object);
        }
        boolean isStored = given.path("metadata").hasNonNull("uid");
        if (isStored && object instanceof ResourceSlice slice) {
            return Optional.of(readable(slice));
        }
        if (!isStored) {
            refuseInvalid(kept);
        }
        return Optional.of(ApiObjects.read(kept));
    }

    /** A new object without the fields that are dropped. */
    JsonNode withoutDropped(JsonNode object) {
        if (!kindsWithDropped.contains(object.path("kind").asText())) {
            return object;
        }
        ObjectNode kept = object.deepCopy();
        for (ServerGate gate : ServerGate.values()) {
            drop(gate, kept, MissingNode.getInstance());
        }
        return kept;
    }

    /** @return whether fields of the object were dropped */
    private boolean drop(ServerGate gate, ObjectNode object, JsonNode before) {
        boolean isDropped = false;
        boolean areDropped = isOff(gate) && !isInUse(gate, before);
        for (GatedField field : gate.fields()) {
            if (field.isOf(object) && (areDropped || isUnknown(field)) && field.removeFrom(object)) {
                isDropped = true;
                notes.add(title(object) + ": " + why(field, gate));
            }
        }
        return isDropped;
    }

    private static boolean isInUse(ServerGate gate, JsonNode before) {
        return gate.fields().stream().anyMatch(field -> field.isOf(before) && field.isIn(before));
    }

    /** A slice that an API server with these fields has stored, without the devices and attributes that are invalid without a field. */
    private HasMetadata readable(ResourceSlice slice) {
        slice.setSpec(
                SliceWriter.write(gates.fields().strip(SliceReader.read(slice))).getSpec());
        return slice;
    }

    private void refuseInvalid(JsonNode kept) {
        List<String> errors = ApiValidation.errors(kept, gates).stream()
                .map(error -> title(kept) + ": " + error.sentence())
                .toList();
        if (!errors.isEmpty()) {
            throw new SimulationException(errors);
        }
    }

    private String why(GatedField field, ServerGate gate) {
        return isUnknown(field)
                ? "Kubernetes %s has no %s, which it drops: it is in 1.%s or newer"
                        .formatted(gates.version(), field.path(), field.since())
                : "the API server drops %s: the feature gate %s is off".formatted(field.path(), gate);
    }

    private static String title(JsonNode object) {
        return object.path("kind").asText() + " "
                + object.path("metadata").path("name").asText();
    }
}
