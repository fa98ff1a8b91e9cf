package dev.fakegpu.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.cli.input.CatalogFiles;
import dev.fakegpu.cli.input.FakeGpus;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.cli.input.MixinSlices;
import dev.fakegpu.cli.input.ResourceSlices;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.hardware.importer.PoolContent;
import dev.fakegpu.hardware.importer.SliceImporter;
import dev.fakegpu.hardware.inventory.CustomInventory;
import dev.fakegpu.hardware.slices.MixinReport;
import dev.fakegpu.hardware.slices.PoolLocations;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.kube.manifest.KnownKind;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fakegpu flatten}: prints slices with their mixins resolved. */
@Command(
        name = "flatten",
        mixinStandardHelpOptions = true,
        description = {
            "Print ResourceSlices without mixins (KEP-5234: spec.mixins, includes): every include is replaced by its content.",
            "The input is ResourceSlices or FakeGpus; for FakeGpus, their slices are printed. Standard error reports what the mixins saved."
                    + " Unknown includes and values beyond the limits of the KEP are errors.",
            "Needs no cluster."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fakegpu flatten -f config/samples/08-custom-with-mixins/"})
final class FlattenCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Mixin
    private Manifests manifests = new Manifests();

    @Mixin
    private Output output = new Output();

    private final List<String> remarks = new ArrayList<>();

    @Override
    public void run() {
        PrintWriter err = spec.commandLine().getErr();
        remarks.clear(); // remarks of an earlier call
        var problems = new ArrayList<String>();
        var slices = new ArrayList<ResourceSlice>();
        List<Manifest> given = manifests.read();
        SliceRenderer renderer = CatalogFiles.renderer(given);
        for (Manifest manifest : given) {
            manifest.note(note -> err.println("fakegpu: note: " + note));
            try {
                slices.addAll(flatten(manifest, renderer));
            } catch (InvalidInputException e) {
                problems.addAll(e.messages());
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
        if (slices.isEmpty()) {
            throw new InvalidInputException("there is no FakeGpu or ResourceSlice to flatten");
        }
        output.print(spec.commandLine().getOut(), err, List.of(new Output.Part("", slices)));
        remarks.forEach(remark -> err.println("fakegpu: " + remark));
    }

    private List<ResourceSlice> flatten(Manifest manifest, SliceRenderer renderer) {
        if (ResourceSlices.isOne(manifest)) {
            return List.of(flattenSlice(manifest));
        }
        if (FakeGpus.isOne(manifest)) {
            return flattenFakeGpu(manifest, FakeGpus.read(manifest, renderer), renderer);
        }
        if (!CatalogFiles.isOne(manifest)) {
            manifest.refuseMisspelled(EnumSet.of(KnownKind.FakeGpu, KnownKind.ResourceSlice));
            remarks.add(manifest.title() + " is not a FakeGpu or ResourceSlice; it is left out");
        }
        return List.of();
    }

    private ResourceSlice flattenSlice(Manifest manifest) {
        MixinSlices.Flat mixed = MixinSlices.flat(manifest);
        ResourceSlice flat = SliceWriter.write(mixed.slice());
        ResourceSlices.unknownFields(MixinSlices.plain(manifest), mixed.slice())
                .forEach(field -> remarks.add(manifest.title() + ": " + field + " is not known here and left out"));
        JsonNode written = manifest.json().path("spec");
        remarks.add(manifest.title() + ": " + mixed.report().saved(bytes(written), bytes(flat.getSpec())));
        return flat;
    }

    private List<ResourceSlice> flattenFakeGpu(Manifest manifest, FakeGpus.Named fakeGpu, SliceRenderer renderer) {
        CustomSpec custom = fakeGpu.spec().custom();
        if (custom != null && custom.mixins() != null) {
            var report = MixinReport.of(CustomInventory.mixed(custom));
            var flat = new PoolContent(
                    new PoolId(fakeGpu.spec().driver(), ""),
                    new NodeSelection.AllNodes(),
                    report.counterSets(),
                    report.devices(),
                    null,
                    List.of());
            remarks.add(manifest.title() + ": spec.custom has "
                    + report.saved(bytes(custom), bytes(SliceImporter.toCustomSpec(flat))));
        } else {
            remarks.add(manifest.title() + ": has no mixins");
        }
        PoolLocations locations =
                PoolLocations.of(fakeGpu.name(), fakeGpu.spec().nodes(), List.of());
        return renderer.slices(fakeGpu.name(), fakeGpu.spec(), locations).stream()
                .map(SliceWriter::write)
                .toList();
    }

    private static long bytes(Object object) {
        return Serialization.jsonMapper().valueToTree(object).toString().getBytes(UTF_8).length;
    }
}
