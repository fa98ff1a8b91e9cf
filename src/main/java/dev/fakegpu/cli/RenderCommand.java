package dev.fakegpu.cli;

import dev.fakegpu.api.Labels;
import dev.fakegpu.cli.input.CatalogFiles;
import dev.fakegpu.cli.input.FakeGpus;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.hardware.slices.PoolLocations;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.kube.manifest.KnownKind;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fakegpu render}: prints the slices that the operator would publish. */
@Command(
        name = "render",
        mixinStandardHelpOptions = true,
        description = {
            "Print the ResourceSlices that the operator would publish for FakeGpus.",
            "If the operator would refuse a FakeGpu, prints only the operator's message and no slices.",
            "Needs no cluster. Knows the models of the built-in catalog, and those of ConfigMaps with the label fakegpu.dev/catalog=true that"
                    + " are among the files."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu render -f config/samples/05-gpus-on-one-pcie-root/10.FakeGpu.a100.yaml",
            "  fakegpu render -f config/samples/12-models-of-your-own/ -o json"
        })
final class RenderCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Mixin
    private Manifests manifests = new Manifests();

    @Mixin
    private Output output = new Output();

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description =
                    "Print the slices of this node instead of the nodes that the FakeGpu names. Repeat it for several nodes.")
    private List<String> nodes = List.of();

    @Override
    public void run() {
        PrintWriter err = spec.commandLine().getErr();
        var fakeGpus = new ArrayList<FakeGpus.Named>();
        var problems = new ArrayList<String>();
        List<Manifest> given = manifests.read();
        SliceRenderer renderer = CatalogFiles.renderer(given);
        for (Manifest manifest : given) {
            manifest.note(note -> err.println("fakegpu: note: " + note));
            if (CatalogFiles.isOne(manifest)) {
                continue;
            }
            try {
                if (FakeGpus.isOne(manifest)) {
                    fakeGpus.add(FakeGpus.read(manifest, renderer));
                } else {
                    manifest.refuseMisspelled(EnumSet.of(KnownKind.FakeGpu));
                    err.println("fakegpu: " + manifest.title() + " is not a FakeGpu; it is left out");
                }
            } catch (InvalidInputException e) {
                problems.addAll(e.messages());
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
        if (fakeGpus.isEmpty()) {
            throw new InvalidInputException("there is no FakeGpu to render");
        }
        output.print(
                spec.commandLine().getOut(),
                err,
                fakeGpus.stream().map(fakeGpu -> render(fakeGpu, renderer)).toList());
    }

    private Output.Part render(FakeGpus.Named fakeGpu, SliceRenderer renderer) {
        PoolLocations locations =
                PoolLocations.of(fakeGpu.name(), fakeGpu.spec().nodes(), nodes);
        List<ResourceSlice> slices = renderer.slices(fakeGpu.name(), fakeGpu.spec(), locations).stream()
                .map(slice -> labeled(slice, fakeGpu.name()))
                .toList();
        String remark =
                locations.assumption() == null ? "" : "FakeGpu " + fakeGpu.name() + ": " + locations.assumption();
        return new Output.Part(remark, slices);
    }

    /** Omits the owner reference, which needs the UID of a stored FakeGpu. */
    private static ResourceSlice labeled(Slice slice, String fakeGpuName) {
        return new ResourceSliceBuilder(SliceWriter.write(slice))
                .editMetadata()
                .addToLabels(Labels.MANAGED_BY, Labels.OPERATOR)
                .addToLabels(Labels.FAKEGPU, fakeGpuName)
                .endMetadata()
                .build();
    }
}
