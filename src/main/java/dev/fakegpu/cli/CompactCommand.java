package dev.fakegpu.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cli.input.GivenSlices;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.wire.MixedSlices;
import dev.fakegpu.hardware.slices.MixinCompactor;
import dev.fakegpu.hardware.slices.MixinReport;
import dev.fakegpu.hardware.slices.PoolLocations;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fakegpu compact}: prints slices with mixins. */
@Command(
        name = "compact",
        mixinStandardHelpOptions = true,
        description = {
            "Print ResourceSlices with mixins (KEP-5234: spec.mixins, includes), which list the common parts of devices, counter sets and"
                    + " consumptions only once. fakegpu flatten prints slices without mixins.",
            "The input is ResourceSlices or FakeGpus; for a FakeGpu, the slices of one node are printed. Standard error reports what the"
                    + " mixins save. No Kubernetes release supports mixins.",
            "Needs no cluster."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fakegpu compact -f config/samples/01-mig-devices-share-a-gpu/"})
final class CompactCommand implements Runnable {

    private final ObjectMapper json = new ObjectMapper();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Mixin
    private Manifests manifests = new Manifests();

    @Mixin
    private Output output = new Output();

    @Override
    public void run() {
        PrintWriter err = spec.commandLine().getErr();
        List<Slice> slices = GivenSlices.of(manifests.read(), PoolLocations::first, spec);
        if (slices.isEmpty()) {
            throw new InvalidInputException("there is no FakeGpu or ResourceSlice to compact");
        }
        var objects = new ArrayList<GenericKubernetesResource>();
        var remarks = new ArrayList<String>();
        for (Slice slice : slices) {
            MixedSlice mixed = MixinCompactor.compact(slice);
            ObjectNode written = MixedSlices.spec(mixed);
            objects.add(object(slice.name(), written));
            remarks.add("ResourceSlice " + slice.name() + ": "
                    + MixinReport.ofSlice(mixed.hardware())
                            .saved(bytes(written), bytes(MixedSlices.spec(MixedSlice.plain(slice)))));
        }
        output.print(spec.commandLine().getOut(), err, List.of(new Output.Part("", objects)));
        remarks.forEach(remark -> err.println("fakegpu: " + remark));
    }

    private GenericKubernetesResource object(String name, ObjectNode slice) {
        ObjectNode object =
                json.createObjectNode().put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceSlice");
        object.putObject("metadata").put("name", name);
        object.set("spec", slice);
        return json.convertValue(object, GenericKubernetesResource.class);
    }

    private static long bytes(JsonNode slice) {
        return slice.toString().getBytes(UTF_8).length;
    }
}
