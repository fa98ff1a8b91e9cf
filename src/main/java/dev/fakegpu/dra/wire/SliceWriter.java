package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceFields;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes ResourceSlices as the table of {@link SliceFields} describes them. */
public final class SliceWriter {

    private static final ObjectMapper JSON = new ObjectMapper();

    private SliceWriter() {}

    /** Converts a {@link CompactSlice} to an object of the client's model; returns other slices unchanged. */
    public static ResourceSlice expand(ResourceSlice slice) {
        if (!(slice instanceof CompactSlice compact)) {
            return slice;
        }
        ResourceSlice written = write(compact.slice());
        written.setMetadata(compact.getMetadata());
        return written;
    }

    /** Creates an object of the client's model with the name and the spec; the publisher adds labels and owners. */
    public static ResourceSlice write(Slice slice) {
        try (var buffer = new TokenBuffer(JSON, false)) {
            SliceFields.SPEC.write(SliceFields.Spec.of(slice), buffer);
            try (JsonParser written = buffer.asParser()) {
                return new ResourceSliceBuilder()
                        .withNewMetadata()
                        .withName(slice.name())
                        .endMetadata()
                        .withSpec(JSON.readValue(written, ResourceSliceSpec.class))
                        .build();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes {@link CompactSlice}s as JSON directly from their values. For thousands of slices, objects of the client's model would take
     * most of the time and memory of publishing.
     */
    static final class OfCompact extends JsonSerializer<CompactSlice> {

        @Override
        public void serialize(CompactSlice written, JsonGenerator json, SerializerProvider provider)
                throws IOException {
            json.writeStartObject();
            json.writeStringField("apiVersion", written.getApiVersion());
            json.writeStringField("kind", written.getKind());
            provider.defaultSerializeField("metadata", written.getMetadata(), json);
            json.writeFieldName("spec");
            SliceFields.SPEC.write(SliceFields.Spec.of(written.slice()), json);
            json.writeEndObject();
        }
    }
}
