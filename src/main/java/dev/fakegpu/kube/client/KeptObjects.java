package dev.fakegpu.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.field.SliceInterner;
import dev.fakegpu.dra.wire.CompactSlice;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reduces pods, claims and nodes to the fields that the operator uses, while they are read: a cluster has many of them, and users can make
 * them large. Writes are patches of the difference from the object as it was read, so fields that both sides lack stay as they are stored.
 * Slices are written as a whole; they are read as {@link CompactSlice}s.
 *
 * <p>An object that is still larger than {@link #MAX_BYTES} keeps only the fields that say which node and which devices it occupies, and is
 * marked with {@link UnreadableFields}.
 */
public final class KeptObjects {

    /** Maximum size as JSON. Normal claims and pods are far smaller: the largest valid opaque parameters have 10 KiB. */
    static final int MAX_BYTES = 256 * 1024;

    /** In UTF-8, of one of Java's characters. */
    private static final int MAX_BYTES_PER_CHARACTER = 3;

    /** Prefixes of the annotations that the operator reads or writes. */
    private static final List<String> ANNOTATIONS =
            List.of("fakegpu.dev/", "resource.kubernetes.io/", "kwok.x-k8s.io/node");

    private static final List<Class<?>> REDUCED = List.of(Pod.class, ResourceClaim.class, Node.class);

    /** Attribute that is set while a slice is read with the client's model. */
    private static final Object AS_MODEL = new Object();

    /** Attribute that is set while an object is read without its managed fields. */
    private static final Object REDUCING = new Object();

    /** Skips managed fields, a large part of the claims and pods that the API server sends. */
    private static final AroundDeserializer.Around SKIP_MANAGED_FIELDS = (parser, context, delegate) -> {
        if (context.getAttribute(REDUCING) == null) {
            return delegate.deserialize(parser, context);
        }
        parser.skipChildren();
        return new ManagedFieldsEntry();
    };

    private KeptObjects() {}

    /**
     * Configures the mapper to read objects as described above.
     *
     * @param isMemoryFull called for each slice that does not belong to a FakeGpu; if it returns true, the slice's devices are not kept,
     *     and it is marked with {@link UnreadableFields}
     */
    public static void configure(ObjectMapper mapper, BooleanSupplier isMemoryFull) {
        compactSlices(mapper, isMemoryFull);
        mapper.registerModule(AroundDeserializer.module(
                "fakegpu-kept-objects",
                type -> REDUCED.contains(type) ? Optional.of(KeptObjects::read) : Optional.empty()));
        mapper.registerModule(AroundDeserializer.module(
                "fakegpu-managed-fields",
                type -> type == ManagedFieldsEntry.class ? Optional.of(SKIP_MANAGED_FIELDS) : Optional.empty()));
    }

    /** Configures the mapper to read slices as {@link CompactSlice}s, with all their devices. */
    static void compactSlices(ObjectMapper mapper) {
        compactSlices(mapper, () -> false);
    }

    private static void compactSlices(ObjectMapper mapper, BooleanSupplier isMemoryFull) {
        var interner = SliceInterner.SHARED;
        AroundDeserializer.Around readSlice = (parser, context, delegate) ->
                context.getAttribute(AS_MODEL) == null && parser.getCodec() instanceof ObjectMapper codec
                        ? readSlice(parser.readValueAsTree(), codec, interner, isMemoryFull)
                        : delegate.deserialize(parser, context) instanceof ResourceSlice slice
                                ? CompactSlice.of(slice, interner)
                                : null;
        mapper.registerModule(AroundDeserializer.module(
                "fakegpu-compact-slices",
                type -> type == ResourceSlice.class ? Optional.of(readSlice) : Optional.empty()));
    }

    /** Reads a slice. It uses the client's model, which takes ten times as long, only if the slice is unusual. */
    private static @Nullable ResourceSlice readSlice(
            JsonNode slice, ObjectMapper mapper, SliceInterner interner, BooleanSupplier isMemoryFull)
            throws IOException {
        if (slice instanceof ObjectNode object && object.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
            if (object.get("spec") instanceof ObjectNode spec && isOfOthers(metadata) && isMemoryFull.getAsBoolean()) {
                return readWithoutDevices(object, spec, mapper, interner);
            }
            var compact = readMetadata(metadata, mapper).flatMap(read -> CompactSlice.of(object, read, interner));
            if (compact.isPresent()) {
                return compact.get();
            }
        }
        return mapper.readerFor(ResourceSlice.class)
                .withAttribute(AS_MODEL, true)
                .readValue(slice);
    }

    /**
     * Whether the slice is stored and does not belong to a FakeGpu. The response to a dry run, which shows the fields that the API server
     * drops, has no version.
     */
    private static boolean isOfOthers(ObjectNode metadata) {
        return metadata.has("resourceVersion")
                && StreamSupport.stream(metadata.path("ownerReferences").spliterator(), false)
                        .noneMatch(owner -> owner.path("kind").asText().equals("FakeGpu"));
    }

    private static ResourceSlice readWithoutDevices(
            ObjectNode slice, ObjectNode spec, ObjectMapper mapper, SliceInterner interner) throws IOException {
        spec.remove(List.of("devices", "sharedCounters"));
        ResourceSlice read = mapper.readerFor(ResourceSlice.class)
                .withAttribute(AS_MODEL, true)
                .readValue(slice);
        CompactSlice kept = CompactSlice.withoutDevices(read, interner);
        UnreadableFields.mark(
                kept,
                List.of(
                        "devices are not kept because the operator's memory is nearly full; raise the memory limit of its"
                                + " Deployment"));
        return kept;
    }

    /** Reads the metadata; empty if it has unreadable fields, which only the client's model can report. */
    private static Optional<ObjectMeta> readMetadata(ObjectNode metadata, ObjectMapper mapper) {
        try {
            return Optional.of(mapper.treeToValue(metadata, ObjectMeta.class));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static void reduce(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        if (metadata == null) {
            return;
        }
        metadata.setManagedFields(List.of());
        if (metadata.getAnnotations() != null) {
            Map<String, String> kept = new LinkedHashMap<>(metadata.getAnnotations());
            kept.keySet().removeIf(key -> ANNOTATIONS.stream().noneMatch(key::startsWith));
            metadata.setAnnotations(kept);
        }
        if (object instanceof Pod pod) {
            reduce(pod);
        }
    }

    private static void reduce(Pod pod) {
        PodSpec spec = pod.getSpec();
        if (spec != null) {
            spec.setVolumes(
                    spec.getVolumes().stream().filter(KeptObjects::bindsToNodes).toList());
            spec.setEphemeralContainers(List.of());
            spec.setSecurityContext(null);
            spec.setDnsConfig(null);
            spec.setHostAliases(List.of());
            spec.getContainers().forEach(KeptObjects::reduce);
            spec.getInitContainers().forEach(KeptObjects::reduce);
        }
        if (pod.getStatus() != null) {
            pod.getStatus()
                    .setInitContainerStatuses(pod.getStatus().getInitContainerStatuses().stream()
                            .filter(KeptObjects::hasResources)
                            .map(KeptObjects::reduced)
                            .toList());
            pod.getStatus().setEphemeralContainerStatuses(List.of());
        }
    }

    private static boolean hasResources(ContainerStatus status) {
        return status.getResources() != null
                || !Objects.requireNonNullElse(status.getAllocatedResources(), Map.of())
                        .isEmpty();
    }

    /** What a pod takes of its node while its resources change in place. */
    private static ContainerStatus reduced(ContainerStatus status) {
        return new ContainerStatusBuilder()
                .withName(status.getName())
                .withAllocatedResources(status.getAllocatedResources())
                .withResources(status.getResources())
                .build();
    }

    private static boolean bindsToNodes(Volume volume) {
        if (volume.getEphemeral() != null) {
            volume.getEphemeral().setVolumeClaimTemplate(null);
        }
        return volume.getEphemeral() != null || volume.getPersistentVolumeClaim() != null;
    }

    /** Keeps the name, image, resources, host ports, and the field that tells sidecars from other init containers. */
    private static void reduce(Container container) {
        container.setArgs(List.of());
        container.setCommand(List.of());
        container.setEnv(List.of());
        container.setEnvFrom(List.of());
        container.setVolumeMounts(List.of());
        container.setPorts(container.getPorts().stream()
                .filter(port -> Objects.requireNonNullElse(port.getHostPort(), 0) > 0)
                .toList());
        container.setLifecycle(null);
        container.setLivenessProbe(null);
        container.setReadinessProbe(null);
        container.setStartupProbe(null);
        container.setSecurityContext(null);
    }

    private static void cut(HasMetadata object, long bytes) {
        ObjectMeta metadata = object.getMetadata();
        metadata.setLabels(Map.of());
        metadata.setAnnotations(Map.of());
        metadata.setFinalizers(List.of());
        metadata.setOwnerReferences(List.of());
        if (object instanceof Pod pod && pod.getSpec() != null) {
            pod.getSpec().setAffinity(null);
            pod.getSpec().setTolerations(List.of());
            pod.getSpec().setNodeSelector(Map.of());
            pod.getSpec().setTopologySpreadConstraints(List.of());
            pod.getSpec().setVolumes(List.of());
        } else if (object instanceof ResourceClaim claim) {
            claim.setSpec(null);
            if (claim.getStatus() != null) {
                claim.getStatus().setDevices(List.of());
                if (claim.getStatus().getAllocation() != null
                        && claim.getStatus().getAllocation().getDevices() != null) {
                    claim.getStatus().getAllocation().getDevices().setConfig(List.of());
                }
            }
        }
        UnreadableFields.mark(
                object,
                List.of(
                        "most fields cannot be read: the object has %d bytes, and one of more than %d is not kept in memory"
                                .formatted(bytes, MAX_BYTES)));
    }

    private static Object read(JsonParser parser, DeserializationContext context, JsonDeserializer<?> delegate)
            throws IOException {
        long begin = offset(parser);
        Object read = readReduced(parser, context, delegate);
        if (read instanceof HasMetadata object) {
            reduce(object);
            long stored = offset(parser) - begin;
            if (begin < 0 || stored > MAX_BYTES / MAX_BYTES_PER_CHARACTER) {
                cutIfLarge(parser, object);
            }
        }
        return read;
    }

    private static Object readReduced(JsonParser parser, DeserializationContext context, JsonDeserializer<?> delegate)
            throws IOException {
        context.setAttribute(REDUCING, true);
        try {
            return delegate.deserialize(parser, context);
        } finally {
            context.setAttribute(REDUCING, null);
        }
    }

    private static void cutIfLarge(JsonParser parser, HasMetadata object) throws IOException {
        if (parser.getCodec() instanceof ObjectMapper mapper) {
            int kept = mapper.writeValueAsBytes(object).length;
            if (kept > MAX_BYTES) {
                cut(object, kept);
            }
        }
    }

    /** The position in bytes or characters, depending on the input; negative if there is none, as for a tree. */
    private static long offset(JsonParser parser) {
        var location = parser.currentLocation();
        return Math.max(location.getByteOffset(), location.getCharOffset());
    }
}
