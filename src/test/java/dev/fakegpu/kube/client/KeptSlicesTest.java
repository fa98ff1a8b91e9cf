package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how slices are stored in memory. */
class KeptSlicesTest {

    private static final String SLICE = """
            {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
             "metadata":{"name":"%1$s-gpus","uid":"%1$s","resourceVersion":"1","annotations":{"a":"b"}},
             "spec":{"driver":"gpu.example.com","nodeName":"%1$s",
              "pool":{"name":"%1$s","generation":3,"resourceSliceCount":1},
              "sharedCounters":[{"name":"gpu-0","counters":{"memory":{"value":"40Gi"}}}],
              "devices":[{"name":"mig-0","bindsToNode":true,"bindingConditions":["ready"],
                "attributes":{"uuid":{"string":"MIG-%1$s"},"index":{"int":0},"productName":{"string":"A100"},"driverVersion":{"version":"1.2.3"}},
                "capacity":{"memory":{"value":"5Gi","requestPolicy":{"default":"1Gi","validRange":{"min":"1Gi"}}}},
                "consumesCounters":[{"counterSet":"gpu-0","counters":{"memory":{"value":"5Gi"}},"compatibilityGroups":["mig"]}],
                "taints":[{"key":"a","effect":"NoSchedule","timeAdded":"2026-01-01T00:00:00Z"}]}]}}""";

    private final KubernetesSerialization plain = serialization(false);
    private final KubernetesSerialization keeping = serialization(true);

    @Test
    void aSliceIsReadAsBefore() {
        String json = SLICE.formatted("node-1");

        var kept = keeping.unmarshal(json, ResourceSlice.class);

        assertThat(kept).isInstanceOf(CompactSlice.class);
        assertThat(SliceReader.read(kept)).isEqualTo(SliceReader.read(plain.unmarshal(json, ResourceSlice.class)));
        assertThat(kept.getMetadata().getAnnotations()).containsEntry("a", "b");
        assertThat(kept.getSpec().getPool().getGeneration()).isEqualTo(3);
        assertThat(kept.getPlural()).isEqualTo("resourceslices");
        assertThat(kept.getSpec().getDevices()).isEmpty();
    }

    @Test
    void slicesThatAreAlikeShareWhatIsEqual() {
        String json = "{\"kind\":\"ResourceSliceList\",\"apiVersion\":\"resource.k8s.io/v1\",\"items\":[%s,%s]}"
                .formatted(SLICE.formatted("node-1"), SLICE.formatted("node-2"));

        var kept = keeping.unmarshal(json, ResourceSliceList.class).getItems();

        Slice one = SliceReader.read(kept.get(0));
        Slice other = SliceReader.read(kept.get(1));
        assertThat(one.counterSets()).isSameAs(other.counterSets());
        var device = one.devices().get(0);
        var like = other.devices().get(0);
        assertThat(device.name()).isSameAs(like.name());
        assertThat(device.capacity()).isSameAs(like.capacity());
        assertThat(device.consumesCounters()).isSameAs(like.consumesCounters());
        assertThat(device.taints()).isSameAs(like.taints());
        assertThat(device.attributes().get("productName"))
                .isSameAs(like.attributes().get("productName"));
        assertThat(device.attributes().get("uuid"))
                .isNotEqualTo(like.attributes().get("uuid"));
    }

    @Test
    void aSliceWithoutSpecOrDevicesIsRead() {
        String json =
                "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"a\"}}";

        assertThat(SliceReader.read(keeping.unmarshal(json, ResourceSlice.class))
                        .devices())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata", "spec"})
    void aSliceSaysWhichFieldOfItCannotBeRead(String part) {
        String good = SLICE.formatted("good");
        String bad = SLICE.formatted("bad")
                .replace(
                        "\"" + part + "\":{",
                        "\"" + part + "\":{"
                                + (part.equals("metadata")
                                        ? "\"ownerReferences\":7,"
                                        : "\"perDeviceNodeSelection\":{},"));

        var kept = keeping.unmarshal(
                        "{\"kind\":\"ResourceSliceList\",\"apiVersion\":\"resource.k8s.io/v1\",\"items\":[%s,%s]}"
                                .formatted(bad, good),
                        ResourceSliceList.class)
                .getItems();

        assertThat(UnreadableFields.of(kept.get(0))).get().asString().contains("field " + part + ".");
        assertThat(kept.get(0).getMetadata().getName()).isEqualTo("bad-gpus");
        assertThat(UnreadableFields.isReadable(kept.get(1))).isTrue();
    }

    @Test
    void whileMemoryIsFullOnlySlicesOfFakeGpusKeepTheirDevices() {
        var mapper = ClientSerialization.mapper();
        KeptObjects.configure(mapper, () -> true);
        var full = new KubernetesSerialization(mapper, true);
        String json = SLICE.formatted("node-1");
        String ofAFakeGpu = json.replaceFirst(
                "\"metadata\":\\{",
                "\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"fakegpu.dev/v1alpha1\",\"kind\":\"FakeGpu\","
                        + "\"name\":\"a\",\"uid\":\"u\"}],");

        var foreign = (CompactSlice) full.unmarshal(json, ResourceSlice.class);
        var own = (CompactSlice) full.unmarshal(ofAFakeGpu, ResourceSlice.class);

        Slice known = SliceReader.read(keeping.unmarshal(json, ResourceSlice.class));
        assertThat(SliceReader.read(foreign))
                .isEqualTo(known.withDevices(List.of()).withCounterSets(List.of()));
        assertThat(CompactSlice.isWithoutDevices(foreign)).isTrue();
        assertThat(UnreadableFields.of(foreign)).get().asString().contains("memory is nearly full");
        var notStored =
                (CompactSlice) full.unmarshal(json.replace(",\"resourceVersion\":\"1\"", ""), ResourceSlice.class);
        assertThat(CompactSlice.isWithoutDevices(notStored)).isFalse();
        assertThat(CompactSlice.isWithoutDevices(own)).isFalse();
        assertThat(SliceReader.read(own)).isEqualTo(known);
    }

    @Test
    void slicesWithDifferentDevicesAreNotEqual() {
        String json = SLICE.formatted("node-1");

        var kept = keeping.unmarshal(json, ResourceSlice.class);

        assertThat(kept).isEqualTo(keeping.unmarshal(json, ResourceSlice.class));
        assertThat(kept).isNotEqualTo(keeping.unmarshal(json.replace("A100", "A30"), ResourceSlice.class));
    }

    private static KubernetesSerialization serialization(boolean isKeeping) {
        var mapper = ClientSerialization.mapper();
        if (isKeeping) {
            KeptObjects.configure(mapper, () -> false);
        }
        return new KubernetesSerialization(mapper, true);
    }
}
