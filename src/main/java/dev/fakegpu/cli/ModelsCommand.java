package dev.fakegpu.cli;

import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigBackedVgpuType;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.Model;
import dev.fakegpu.hardware.catalog.TemplateModel;
import dev.fakegpu.hardware.catalog.VgpuType;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fakegpu models}: lists the values of {@code spec.model} and {@code spec.partitions}. */
@Command(
        name = "models",
        mixinStandardHelpOptions = true,
        description = {
            "List the models of the built-in catalog: GPUs with their MIG profiles and vGPU types, network cards, and CPUs.",
            "These are the values of spec.model and spec.partitions of a FakeGpu. The line \"also\" lists aliases of a model, which"
                    + " may contain spaces or dashes. Needs no cluster."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fakegpu models"})
final class ModelsCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        var catalog = Catalog.builtIn();
        catalog.models().forEach(model -> print(out, model));
        out.flush();
    }

    private static void print(PrintWriter out, Model model) {
        out.println(model.name());
        if (!model.aliasesOrNone().isEmpty()) {
            out.println("  also: " + String.join(", ", model.aliasesOrNone()));
        }
        if (model instanceof GpuModel gpu) {
            printPartitions(out, gpu);
        } else if (model instanceof TemplateModel template) {
            out.println("  kind: " + template.template().kind());
        } else {
            out.println("  equalParts");
        }
    }

    private static void printPartitions(PrintWriter out, GpuModel model) {
        if (model.mig() != null) {
            out.println("  mig.profiles: "
                    + model.mig().profiles().stream().map(MigProfile::name).collect(Collectors.joining(", ")));
        }
        if (model.vgpu() != null) {
            out.println("  vgpu.types: "
                    + model.vgpu().types().stream().map(VgpuType::name).collect(Collectors.joining(", ")));
            if (model.vgpu().migBacked() != null) {
                out.println("  migBackedVgpu.types: "
                        + model.vgpu().migBacked().types().stream()
                                .map(MigBackedVgpuType::name)
                                .collect(Collectors.joining(", ")));
            }
        }
    }
}
