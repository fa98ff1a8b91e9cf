package dev.fakegpu.cli;

import picocli.CommandLine;
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
        description = {
            "Fake GPUs for Kubernetes Dynamic Resource Allocation (DRA).",
            "operator and kubelet-plugin run in or against a cluster; explain, who and what-if read one. All other commands need none."
        },
        subcommands = {
            OperatorCommand.class,
            KubeletPluginCommand.class,
            ExplainCommand.class,
            RenderCommand.class,
            MatrixCommand.class,
            SimulateCommand.class,
            CheckCommand.class,
            WhoCommand.class,
            WhatIfCommand.class,
            ImportCommand.class,
            DiffCommand.class,
            FlattenCommand.class,
            AllocateCommand.class,
            ModelsCommand.class,
            CompletionCommand.class,
            CompleteCommand.class,
            HelpCommand.class
        })
final class FakeGpuCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    /** The command line with all subcommands. */
    static CommandLine commandLine() {
        var root = new CommandLine(new FakeGpuCommand());
        CompleteCommand.takeAllWords(root);
        return root.setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
    }

    private static int report(Exception failure, CommandLine command) throws Exception {
        if (!(failure instanceof InvalidInputException invalid)) {
            throw failure;
        }
        invalid.messages().forEach(message -> command.getErr().println("fakegpu: " + message));
        return CommandLine.ExitCode.SOFTWARE;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name one of the subcommands below");
    }
}
