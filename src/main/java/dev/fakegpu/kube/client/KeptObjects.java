package dev.fakegpu.kube.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.SliceInterner;
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
 * Reduces pods, claims and nodes, of which a cluster has many and users can make large ones, to what the operator uses, while they are read.
 * Since writes are patches of what differs from the object as it was read, what is left out on both sides stays as it is stored. Slices,
 * which are written as a whole, are read as {@link CompactSlice}s.
 *
 * <p>An object that is still larger than {@link #MAX_BYTES} keeps only what says which node and which devices it occupies, and counts as
 * one with {@link UnreadableFields}.
 */
public final class KeptObjects {

    /** As JSON. No reasonable claim or pod comes near: the largest legal opaque parameters have 10 KiB. */
    static final int MAX_BYTES = 256 * 1024;

    /** Prefixes of the annotations that the operator reads or writes. */
    private static final List<String> ANNOTATIONS =
            List.of("fakegpu.dev/", "resource.kubernetes.io/", "kwok.x-k8s.io/node");

    private static final List<Class<?>> REDUCED = List.of(Pod.class, ResourceClaim.class, Node.class);

    /** Set while a slice is read with the client's model. */
    private static final Object AS_MODEL = new Object();

    /** Set while an object is read whose managed fields are left out. */
    private static final Object REDUCING = new Object();

    /** Who manages which fields is a large part of a claim or pod as the API server sends it, and is not kept. */
    private static final AroundDeserializer.Around SKIP_MANAGED_FIELDS = (parser, context, delegate) -> {
        if (context.getAttribute(REDUCING) == null) {
            return delegate.deserialize(parser, context);
        }
        parser.skipChildren();
        return new ManagedFieldsEntry();
    };

    private KeptObjects() {}

    /** From now on the mapper reads objects like this. */
    public static void configure(ObjectMapper mapper) {
        configure(mapper, () -> false);
    }

    /**
     * From now on the mapper reads objects like this.
     *
     * @param isMemoryFull asked for each slice that belongs to no FakeGpu: if so, its devices are not kept, and it counts as one with {@link
     *     UnreadableFields}
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

    /** From now on the mapper reads slices as {@link CompactSlice}s, with all their devices. */
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

    /** With the client's model only if there is something unusual about the slice, because it takes ten times as long. */
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

    /** Whether a slice is stored and belongs to no FakeGpu; the answer to a dry run, which shows what the API server drops, has no version. */
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

    /** Empty if there are fields that cannot be read; which, only the client's model says. */
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

    /** Name, image, resources and ports of the host are left, and what tells sidecars from other init containers. */
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
            if (begin < 0 || stored > MAX_BYTES) {
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

    /** In bytes or characters, whichever is being read; negative if neither, as from a tree. */
    private static long offset(JsonParser parser) {
        var location = parser.currentLocation();
        return Math.max(location.getByteOffset(), location.getCharOffset());
    }
}
