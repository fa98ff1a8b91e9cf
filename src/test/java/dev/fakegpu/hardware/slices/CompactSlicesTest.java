package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.KeptObjects;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that slices are written and parsed without the client's model in the same way as with it. */
class CompactSlicesTest {

    private static final int SPECS = 24;
    private static final int SOME = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubernetesSerialization plain = new KubernetesSerialization(ClientSerialization.mapper(), true);
    private final KubernetesSerialization keeping = new KubernetesSerialization(keeping(), true);

    @Test
    void slicesOfRandomSpecsAreTheSame() throws IOException {
        var random = new RandomSpec(1);
        for (int i = 0; i < SPECS; i++) {
            var spec = Specs.spec(random.next());
            if (Specs.PLANNER.check(spec, "fake").isEmpty()) {
                check(PoolLayout.slices(AcceptedSpecsTest.target(spec), AcceptedSpecsTest.published(spec)));
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> slicesOfTheLargestAreTheSame() {
        return LargestSpecs.all().entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(
                        entry.getKey(),
                        () -> check(outermost(PoolLayout.slices(
                                AcceptedSpecsTest.target(entry.getValue()),
                                AcceptedSpecsTest.published(entry.getValue()))))));
    }

    /** Slices with counter sets come first; all other slices of a pool are similar, except the last one. */
    private static List<Slice> outermost(List<Slice> slices) {
        return Stream.concat(slices.stream().limit(SOME), slices.stream().skip(Math.max(SOME, slices.size() - SOME)))
                .toList();
    }

    private void check(List<Slice> slices) throws IOException {
        for (Slice slice : slices) {
            var metadata = new ObjectMetaBuilder().withName(slice.name()).build();
            String json = keeping.asJson(CompactSlice.of(metadata, slice));
            assertThat(JSON.readTree(json)).isEqualTo(JSON.readTree(plain.asJson(SliceWriter.write(slice))));
            var read = keeping.unmarshal(json, ResourceSlice.class);
            assertThat(SliceReader.read(read)).isEqualTo(slice);
            assertThat(SliceReader.read(read)).isEqualTo(SliceReader.read(plain.unmarshal(json, ResourceSlice.class)));
            assertThat(read.getSpec().getPool().getName())
                    .isEqualTo(slice.pool().name());
        }
    }

    private static ObjectMapper keeping() {
        var mapper = ClientSerialization.mapper();
        KeptObjects.configure(mapper, () -> false);
        return mapper;
    }
}
