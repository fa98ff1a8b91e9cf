package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.schedule.VendorManifest.Vendor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays the vendors' manifests in memory, as {@code fakegpu simulate} does, with both allocators. The comments at the top of each have the
 * result, which must equal that of a control plane for manifests that also run there. {@code -Dgolden.update=true} rewrites the comments of
 * the other manifests and fails, because they need a review.
 */
class PlayedManifestsTest {

    private static final String ORIGINALS = System.getProperty("manifests.originals", "");

    static Stream<Arguments> manifests() {
        return VendorManifest.all().stream()
                .filter(manifest -> !manifest.waitsForDevices())
                .flatMap(manifest ->
                        Stream.of(AllocatorName.values()).map(allocator -> Arguments.of(manifest, allocator)));
    }

    static Stream<Arguments> originals() {
        return VendorManifest.all().stream()
                .filter(manifest -> !manifest.vendor().isRun())
                .flatMap(manifest -> manifest.originals().stream()
                        .flatMap(original -> Stream.of(AllocatorName.values())
                                .map(allocator -> Arguments.of(manifest, original, allocator))));
    }

    @ParameterizedTest
    @MethodSource("manifests")
    void simulationSaysWhatIsDocumented(VendorManifest manifest, AllocatorName allocator) {
        String result = new PlayedManifest(manifest, allocator).play(manifest.text());

        if (Boolean.getBoolean("golden.update")
                && !manifest.vendor().isRun()
                && !result.equals(manifest.result(allocator))) {
            manifest.writeResult(allocator, result);
            fail(manifest + " is written anew; review it and run again without golden.update");
        }
        assertThat(result).isEqualTo(manifest.result(allocator));
    }

    /** The shortened manifests have the workers of MPIJobs and, if an original has no pods, one pod. */
    @EnabledIfSystemProperty(named = "manifests.originals", matches = ".+")
    @ParameterizedTest
    @MethodSource("originals")
    void simulationSaysTheSameOfTheOriginals(VendorManifest manifest, String original, AllocatorName allocator) {
        String text = VendorRepository.in(ORIGINALS, manifest.vendor()).read(original);

        assertThat(new PlayedManifest(manifest, allocator).play(text))
                .isIn(manifest.result(allocator), "", "not served: kubeflow.org/v2beta1");
    }

    @EnabledIfSystemProperty(named = "manifests.originals", matches = ".+")
    @ParameterizedTest
    @EnumSource
    void everyOriginalIsThere(Vendor vendor) throws IOException {
        var repository = VendorRepository.in(ORIGINALS, vendor);
        assertThat(repository.commit()).isEqualTo(vendor.commit());
        var named = new TreeSet<Path>();
        for (VendorManifest manifest : vendor.manifests()) {
            for (String original : manifest.originals()) {
                named.addAll(repository.files(original));
            }
        }
        assertThat(repository.manifests()).isSubsetOf(named);
    }
}
