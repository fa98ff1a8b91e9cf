package dev.fakegpu.cli;

import dev.fakegpu.catalog.Catalog;
import dev.fakegpu.catalog.GpuModel;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fakegpu models}: what {@code spec.model} and {@code spec.partitions} can name. */
@Command(
        name = "models",
        mixinStandardHelpOptions = true,
        description = "List the GPU models of the catalogue with their MIG profiles and vGPU types.")
final class ModelsCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        var catalog = Catalog.builtIn();
        catalog.names().stream().flatMap(name -> catalog.find(name).stream()).forEach(model -> print(out, model));
        out.flush();
    }

    private static void print(PrintWriter out, GpuModel model) {
        out.printf("%s%n", model.name());
    }
}
