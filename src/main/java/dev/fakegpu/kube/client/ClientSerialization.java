package dev.fakegpu.kube.client;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.fakegpu.dra.ApiJson;
import dev.fakegpu.dra.RawJson;
import io.fabric8.kubernetes.api.model.NamedExtension;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.OpaqueDeviceConfiguration;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes API objects as JSON.
 *
 * <p>Fabric8 decodes opaque parameters and device status data as objects of the kind that they name. Anyone who may create a claim can name
 * a known kind and use another shape, which makes the whole list or watch fail to decode. Even if decoding works, the order of fields is
 * lost, and the API server rejects that as a change to an immutable field. Here both are {@link RawJson}.
 *
 * <p>A field that cannot be read, because the API server is newer than this client, does not make the whole list fail: see
 * {@link UnreadableFields}.
 */
public final class ClientSerialization {

    /** The API allows deeper nesting than Jackson's default: parameters may be nested {@link RawJson#MAX_DEPTH} deep in their object. */
    private static final int MAX_DEPTH = 2 * RawJson.MAX_DEPTH;

    private ClientSerialization() {}

    /** A builder of clients that read and write as described above, and detect lost connections. */
    public static KubernetesClientBuilder builder() {
        return new KubernetesClientBuilder()
                .withKubernetesSerialization(new KubernetesSerialization(mapper(), true))
                .withHttpClientFactory(new IdleTimeoutHttpClientFactory());
    }

    /**
     * A builder of clients for commands that read a snapshot. The fields of {@link UnusedFields} are skipped, slices are read as
     * {@link dev.fakegpu.dra.wire.CompactSlice}s, and responses are compressed.
     */
    public static KubernetesClientBuilder snapshotBuilder() {
        return new KubernetesClientBuilder()
                .withKubernetesSerialization(ForSnapshots.SERIALIZATION)
                .withHttpClientFactory(new CompressedHttpClientFactory());
    }

    /** The mapper that all clients for snapshots share. */
    static ObjectMapper snapshotMapper() {
        return ForSnapshots.MAPPER;
    }

    private static final class ForSnapshots {
        static final ObjectMapper MAPPER = mapper();
        static final KubernetesSerialization SERIALIZATION;

        static {
            configureForSnapshots(MAPPER);
            SERIALIZATION = new KubernetesSerialization(MAPPER, true);
        }
    }

    /** @param mapper a new {@link #mapper} */
    static void configureForSnapshots(ObjectMapper mapper) {
        KeptObjects.compactSlices(mapper);
        UnusedFields.skip(mapper);
    }

    /** A new mapper that reads and writes as a client's mapper does. */
    public static ObjectMapper mapper() {
        ObjectMapper mapper = plainMapper();
        // The client's own kinds keep unknown fields. Without this, a FakeGpu of a newer CRD could not be read at all.
        mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        mapper.addMixIn(OpaqueDeviceConfiguration.class, RawParameters.class);
        mapper.addMixIn(AllocatedDeviceStatus.class, RawData.class);
        // A value that cannot be read must not become an unexpected null in a list or map, nor a list or map that is
        // null in a file.
        mapper.configOverride(List.class).setSetterInfo(JsonSetter.Value.construct(Nulls.SKIP, Nulls.SKIP));
        mapper.configOverride(Map.class).setSetterInfo(JsonSetter.Value.construct(Nulls.SKIP, Nulls.SKIP));
        mapper.registerModule(UnreadableFields.module());
        mapper.addHandler(UnreadableFields.handler());
        return mapper;
    }

    /** A mapper of the client's JSON that is not configured for its model. */
    static ObjectMapper plainMapper() {
        return new ObjectMapper(ApiJson.factory(MAX_DEPTH));
    }

    /**
     * Makes the client read kubeconfigs without searching for the kinds of their extensions, which takes as long as everything else about
     * them. Extensions stay unparsed; they are not used.
     */
    public static void readKubeconfigsFast() {
        Serialization.jsonMapper().addMixIn(NamedExtension.class, PlainExtension.class);
    }

    @SuppressWarnings("unused") // read by Jackson
    private abstract static class PlainExtension {
        @JsonDeserialize(using = JsonDeserializer.None.class)
        abstract void setExtension(Object extension);
    }

    @SuppressWarnings("unused") // read by Jackson
    private abstract static class RawParameters {
        @JsonDeserialize(using = RawJson.Reader.class)
        abstract void setParameters(Object parameters);
    }

    @SuppressWarnings("unused") // read by Jackson
    private abstract static class RawData {
        @JsonDeserialize(using = RawJson.Reader.class)
        abstract void setData(Object data);
    }
}
