package dev.fakegpu.cli.input;

import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.slices.PoolLocations;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.ManifestFields;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;

/** The slices of manifests: ResourceSlices, and those that are published for FakeGpus. */
public final class GivenSlices {

    private GivenSlices() {}

    /**
     * Returns empty if there are none; reports what is omitted.
     *
     * @param locations selects nodes of a FakeGpu
     * @throws InvalidInputException if an object cannot be read or the operator would refuse a FakeGpu
     */
    public static List<Slice> of(List<Manifest> given, UnaryOperator<PoolLocations> locations, CommandSpec command) {
        SliceRenderer renderer = CatalogFiles.renderer(given);
        var slices = new ArrayList<Slice>();
        for (Manifest manifest : given) {
            manifest.note(note -> command.commandLine().getErr().println("fakegpu: note: " + note));
            if (ResourceSlices.isOne(manifest)) {
                Slice slice = MixinSlices.flat(manifest).slice();
                slices.add(slice);
                remarks(manifest, slice, command);
            } else if (FakeGpus.isOne(manifest)) {
                FakeGpus.Named fakeGpu = FakeGpus.read(manifest, renderer);
                var all = PoolLocations.of(fakeGpu.name(), fakeGpu.spec().nodes(), List.of());
                slices.addAll(renderer.slices(fakeGpu.name(), fakeGpu.spec(), locations.apply(all)));
            } else if (!CatalogFiles.isOne(manifest)) {
                manifest.refuseMisspelled(EnumSet.of(KnownKind.FakeGpu, KnownKind.ResourceSlice));
                command.commandLine()
                        .getErr()
                        .println("fakegpu: " + manifest.title() + " is not a FakeGpu or ResourceSlice; it is left out");
            }
        }
        return slices;
    }

    /** Only reports unknown fields and what the API server would refuse, because a slice may come from a newer one. */
    private static void remarks(Manifest manifest, Slice slice, CommandSpec command) {
        Manifest plain = MixinSlices.plain(manifest);
        ResourceSlices.remarks(manifest, slice)
                .forEach(remark -> command.commandLine().getErr().println("fakegpu: note: " + remark));
        ManifestFields.problems(plain.json(), ResourceSlice.class, "")
                .forEach(problem ->
                        command.commandLine().getErr().println("fakegpu: note: " + manifest.title() + ": " + problem));
    }
}
