package dev.fakegpu.hardware.importer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.PoolSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A FakeGpu as it is printed, without default values. */
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec"})
public record ImportedFakeGpu(Metadata metadata, Spec spec) {

    /** The metadata, which has only a name. */
    public record Metadata(String name) {}

    /** The fields of {@link FakeGpuSpec} that can be derived from slices. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Spec(
            String driver,
            FakeGpuSpec.AllocatorName allocator,
            NodesSpec nodes,
            @Nullable PoolSpec pool,
            @Nullable String partitionTypeAttribute,
            List<String> skipNodeOperations,
            CustomSpec custom) {

        public Spec {
            skipNodeOperations = List.copyOf(skipNodeOperations);
        }
    }

    public String getApiVersion() {
        return FakeGpu.GROUP + "/" + FakeGpu.VERSION;
    }

    public String getKind() {
        return "FakeGpu";
    }
}
