package dev.fakegpu.kube.client;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
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
 * How objects of the API are read and written as JSON.
 *
 * <p>Fabric8 decodes opaque parameters and device status data as an object of the kind that they name. Anybody who may create a claim can
 * name a known kind and give it another shape, which makes the whole list or watch fail to decode. Even when decoding works, the order of
 * fields is lost, which the API server rejects as a change to an immutable field. Here both are {@link RawJson}.
 *
 * <p>A field that cannot be read, because the API server is newer than this client, does not make the whole list fail: see {@link
 * UnreadableFields}.
 */
public final class ClientSerialization {

    private ClientSerialization() {}

    /** A client builder whose client reads and writes as described above, and notices silent connections. */
    public static KubernetesClientBuilder builder() {
        return new KubernetesClientBuilder()
                .withKubernetesSerialization(new KubernetesSerialization(mapper(), true))
                .withHttpClientFactory(new IdleTimeoutHttpClientFactory());
    }

    /**
     * A client builder for commands that read what a snapshot needs: the fields of {@link UnusedFields} are left out, slices are read as {@link
     * dev.fakegpu.dra.wire.CompactSlice}s, and answers are compressed.
     */
    public static KubernetesClientBuilder snapshotBuilder() {
        return new KubernetesClientBuilder()
                .withKubernetesSerialization(ForSnapshots.SERIALIZATION)
                .withHttpClientFactory(new CompressedHttpClientFactory());
    }

    /** The one mapper of all clients for snapshots. */
    static ObjectMapper snapshotMapper() {
        return ForSnapshots.MAPPER;
    }

    private static final class ForSnapshots {
        static final ObjectMapper MAPPER = new ObjectMapper();
        static final KubernetesSerialization SERIALIZATION;

        static {
            configureForSnapshots(MAPPER);
            SERIALIZATION = new KubernetesSerialization(MAPPER, true);
        }
    }

    static void configureForSnapshots(ObjectMapper mapper) {
        configure(mapper);
        KeptObjects.compactSlices(mapper);
        UnusedFields.skip(mapper);
    }

    /** A mapper of its own that reads and writes as a client's. */
    public static ObjectMapper mapper() {
        var mapper = new ObjectMapper();
        configure(mapper);
        return mapper;
    }

    /** Configures a client's mapper. */
    public static void configure(ObjectMapper mapper) {
        allowDeepNesting(mapper);
        // The client's own kinds keep fields that they do not know; a FakeGpu of a newer definition would not be read
        // at all.
        mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        mapper.addMixIn(OpaqueDeviceConfiguration.class, RawParameters.class);
        mapper.addMixIn(AllocatedDeviceStatus.class, RawData.class);
        // What cannot be read must not become a null that nobody expects in a list.
        mapper.configOverride(List.class).setSetterInfo(JsonSetter.Value.forContentNulls(Nulls.SKIP));
        mapper.configOverride(Map.class).setSetterInfo(JsonSetter.Value.forContentNulls(Nulls.SKIP));
        mapper.registerModule(UnreadableFields.module());
        mapper.addHandler(UnreadableFields.handler());
    }

    /** The API allows deeper nesting than Jackson's default. */
    static void allowDeepNesting(ObjectMapper mapper) {
        mapper.getFactory()
                .setStreamReadConstraints(mapper.getFactory()
                        .streamReadConstraints()
                        .rebuild()
                        .maxNestingDepth(2 * RawJson.MAX_DEPTH)
                        .build());
        mapper.getFactory()
                .setStreamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(2 * RawJson.MAX_DEPTH)
                        .build());
    }

    /**
     * From now on kubeconfigs are read without a search for the kinds of their extensions, which takes as long as everything else about them.
     * Extensions stay what they are; nobody uses them.
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
