package dev.fakegpu.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.fakegpu.junit.FakeGpuCluster.Allocator;
import dev.fakegpu.junit.cluster.ClusterException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManifestsTest {

    @FakeGpuCluster(
            model = "L40S",
            nodes = 3,
            count = 2,
            mig = {"1g.5gb", "2g.10gb"},
            vgpu = FakeGpuCluster.ALL,
            allocator = Allocator.KUBE_SCHEDULER,
            operator = "FAKEGPU_COMPANION_GATE=Off")
    private static final class Everything {}

    @FakeGpuCluster(manifests = "classpath:manifests-test.yaml")
    private static final class OfAResource {}

    @FakeGpuCluster(manifests = "classpath:absent.yaml")
    private static final class OfNothing {}

    @FakeGpuCluster(manifests = "classpath:manifests-empty.yaml")
    private static final class OfAnEmptyFile {}

    @FakeGpuCluster(manifests = "classpath:manifests-broken.yaml")
    private static final class OfABrokenFile {}

    @FakeGpuCluster(manifests = "classpath:manifests-test.yaml", count = 2, mig = FakeGpuCluster.ALL)
    private static final class OfBoth {}

    @Test
    void makesAFakeGpuOfTheAttributes() {
        Manifests manifests = Manifests.of(annotation(Everything.class));

        assertThat(manifests.others("team")).isEmpty();
        assertThat(manifests.fakeGpus()).singleElement().satisfies(fakeGpu -> {
            assertThat(fakeGpu.getMetadata().getName()).isEqualTo("gpus");
            assertThat(fakeGpu.<Object>get("spec"))
                    .isEqualTo(Map.of(
                            "model",
                            "L40S",
                            "count",
                            2,
                            "nodes",
                            Map.of("simulated", Map.of("count", 3, "taint", "None")),
                            "allocator",
                            "KubeScheduler",
                            "partitions",
                            Map.of(
                                    "whole", true,
                                    "mig", Map.of("profiles", List.of("1g.5gb", "2g.10gb")),
                                    "vgpu", Map.of("types", List.of("All")))));
        });
    }

    @Test
    void readsFakeGpusAndOthers() {
        Manifests manifests = Manifests.of(annotation(OfAResource.class));

        assertThat(manifests.fakeGpus())
                .extracting(each -> each.getMetadata().getName())
                .containsExactly("a", "b");
        assertThat(manifests.others("team"))
                .extracting(HasMetadata::getKind, each -> each.getMetadata().getNamespace())
                .containsExactly(
                        tuple("ResourceClaim", "team"), tuple("ConfigMap", "elsewhere"), tuple("DeviceClass", null));
    }

    @Test
    void saysWhatIsNotThere() {
        assertThatThrownBy(() -> Manifests.of(annotation(OfNothing.class)))
                .isInstanceOf(ClusterException.class)
                .hasMessage("manifests: there is no resource classpath:absent.yaml on the class path");
    }

    @Test
    void refusesAFileWithoutObjects() {
        assertThatThrownBy(() -> Manifests.of(annotation(OfAnEmptyFile.class)))
                .isInstanceOf(ClusterException.class)
                .hasMessage("manifests: classpath:manifests-empty.yaml has no objects");
    }

    @Test
    void namesAFileThatIsNoYaml() {
        assertThatThrownBy(() -> Manifests.of(annotation(OfABrokenFile.class)))
                .isInstanceOf(ClusterException.class)
                .hasMessageStartingWith("manifests: classpath:manifests-broken.yaml is not YAML of objects: ")
                .hasMessageContaining("line 2");
    }

    @Test
    void refusesAttributesThatWouldHaveNoEffect() {
        assertThatThrownBy(() -> Manifests.of(annotation(OfBoth.class)))
                .isInstanceOf(ClusterException.class)
                .hasMessage("count, mig: not allowed beside manifests, which has the FakeGpus");
    }

    @Test
    void wantsASchedulerForItsPods() {
        var settings = Settings.of(annotation(Everything.class));

        assertThat(settings.hasScheduler()).isTrue();
        assertThat(settings.featureGates()).isEqualTo("DRADeviceCompatibilityGroups=true");
        assertThat(settings.operator()).isEqualTo(Map.of("FAKEGPU_COMPANION_GATE", "Off"));
    }

    private static FakeGpuCluster annotation(Class<?> type) {
        return type.getAnnotation(FakeGpuCluster.class);
    }
}
