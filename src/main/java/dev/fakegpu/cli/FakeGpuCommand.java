package dev.fakegpu.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fakegpu}. */
@Command(
        name = "fakegpu",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "GPUs for Kubernetes Dynamic Resource Allocation, without GPUs.",
        subcommands = {
            OperatorCommand.class,
            KubeletPluginCommand.class,
            AllocateCommand.class,
            ModelsCommand.class,
            HelpCommand.class
        })
final class FakeGpuCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name one of the subcommands below");
    }
}
