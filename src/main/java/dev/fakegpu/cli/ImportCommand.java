package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.cli.input.MixinSlices;
import dev.fakegpu.cli.input.ResourceSlices;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.importer.ImportDiff;
import dev.fakegpu.hardware.importer.ImportOptions;
import dev.fakegpu.hardware.importer.PoolContent;
import dev.fakegpu.hardware.importer.SliceImporter;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import dev.fakegpu.hardware.slices.PoolLocations;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.kube.manifest.KnownKind;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fakegpu import}: turns the slices of a cluster into FakeGpus. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = {
            "Print FakeGpus that publish the same devices as the ResourceSlices of a real cluster.",
            "Input is the output of: kubectl get resourceslices -o yaml",
            "Pools with equal devices on several nodes become one FakeGpu; every other pool becomes its own. The result is rendered and"
                    + " compared with the input. Standard error says for each FakeGpu whether it is equal, and lists the differences.",
            "Needs no cluster."
        },
        exitCodeList = {
            "0:the operator would accept the FakeGpus",
            "1:the command line or the input is invalid, or the operator would refuse a FakeGpu"
        },
        exitCodeOnInvalidInput = ExitCode.SOFTWARE,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu render -f config/samples/01-mig-devices-share-a-gpu/10.FakeGpu.a100.yaml > slices.yaml",
            "  fakegpu import -f slices.yaml --simulated --name copy"
        })
final class ImportCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Mixin
    private Manifests manifests = new Manifests();

    @Option(
            names = "--simulated",
            description = "Use simulated nodes instead of nodes with the names of the real ones.")
    private boolean simulated;

    @Option(
            names = "--node-names",
            paramLabel = "NAME",
            split = ",",
            description = "New names for the nodes, in the order of the old names.")
    private List<String> nodeNames = List.of();

    @Option(
            names = "--without-attributes",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Leave out attributes that differ on every node, such as uuid, so that equal nodes become one FakeGpu.")
    private List<String> withoutAttributes = List.of();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "Name of the FakeGpu, numbered if there are several (default: derived from the driver or pool).")
    private @Nullable String name;

    private final SliceRenderer renderer = new SliceRenderer(new InventoryPlanner(Catalog.builtIn()));

    @Override
    public Integer call() {
        var notes = new ArrayList<String>();
        SliceImporter.Result result = read(slices(notes));
        if (result.fakeGpus().isEmpty()) {
            throw new InvalidInputException("there are no devices to import");
        }
        notes.addAll(result.notes());
        var problems = new ArrayList<String>();
        var comparisons = new ArrayList<String>();
        PrintWriter out = spec.commandLine().getOut();
        for (SliceImporter.Imported imported : result.fakeGpus()) {
            ObjectNode written = written(imported);
            out.print(Serialization.asYaml(written));
            List<SpecProblem> refused = refused(imported, written.path("spec"), problems);
            if (refused.isEmpty()) {
                comparisons.add(comparison(imported, written.path("spec"), notes));
            }
        }
        out.flush();
        PrintWriter err = spec.commandLine().getErr();
        notes.forEach(note -> err.println("fakegpu: note: " + note));
        comparisons.forEach(comparison -> err.println("fakegpu: " + comparison));
        problems.forEach(problem -> err.println("fakegpu: " + problem));
        return problems.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private List<Slice> slices(List<String> notes) {
        var slices = new ArrayList<Slice>();
        for (Manifest manifest : manifests.read()) {
            manifest.note(notes::add);
            if (ResourceSlices.isOne(manifest)) {
                Slice slice = MixinSlices.flat(manifest).slice();
                slices.add(slice);
                notes.addAll(ResourceSlices.remarks(manifest, slice));
                ResourceSlices.unknownFields(MixinSlices.plain(manifest), slice)
                        .forEach(field ->
                                notes.add(manifest.title() + ": " + field + " is not known here; it is left out"));
            } else {
                manifest.refuseMisspelled(EnumSet.of(KnownKind.ResourceSlice));
                notes.add(manifest.title() + " is not a ResourceSlice; it is left out");
            }
        }
        return slices;
    }

    private SliceImporter.Result read(List<Slice> slices) {
        try {
            return SliceImporter.of(
                    slices, new ImportOptions(simulated, nodeNames, name, new HashSet<>(withoutAttributes)));
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("--node-names: " + e.getMessage());
        }
    }

    private static ObjectNode written(SliceImporter.Imported imported) {
        return Serialization.jsonMapper().valueToTree(imported.fakeGpu());
    }

    private List<SpecProblem> refused(SliceImporter.Imported imported, JsonNode written, List<String> problems) {
        String fakeGpu = imported.fakeGpu().metadata().name();
        List<SpecProblem> refused = renderer.check(fakeGpu, read(written));
        refused.forEach(problem ->
                problems.add("FakeGpu " + fakeGpu + ": the operator would refuse it: " + problem.sentence()));
        return refused;
    }

    /** Renders the FakeGpu as printed, and notes how its pools differ from the imported ones. */
    private String comparison(SliceImporter.Imported imported, JsonNode written, List<String> notes) {
        String fakeGpu = imported.fakeGpu().metadata().name();
        FakeGpuSpec read = read(written);
        PoolLocations locations = PoolLocations.of(fakeGpu, read.nodes(), List.of());
        List<PoolContent> published = pools(renderer.slices(fakeGpu, read, locations));
        int before = notes.size();
        for (int i = 0; i < imported.pools().size(); i++) {
            notes.addAll(ImportDiff.between(imported.pools().get(i), published.get(i)));
        }
        int differences = notes.size() - before;
        return "FakeGpu " + fakeGpu + ": "
                + (differences == 0
                        ? "equal: " + size(imported.pools())
                        : "not equal: " + number(differences, "difference") + ", see the notes");
    }

    private static String size(List<PoolContent> pools) {
        PoolContent first = pools.get(0);
        return number(first.devices().size(), "device")
                + ", " + number(first.counterSets().size(), "counter set")
                + (pools.size() == 1 ? "" : ", in each of " + pools.size() + " pools");
    }

    private static String number(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    private static List<PoolContent> pools(List<Slice> slices) {
        Map<PoolId, List<Slice>> byPool = new LinkedHashMap<>();
        slices.forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                .add(slice));
        var pools = new ArrayList<PoolContent>();
        byPool.forEach((pool, its) -> pools.add(PoolContent.of(pool, its, new ArrayList<>())));
        return pools;
    }

    private static FakeGpuSpec read(JsonNode written) {
        try {
            return Serialization.jsonMapper().treeToValue(written, FakeGpuSpec.class);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
