package dev.fakegpu.cli;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The subcommands. Reading the options of all of them takes longer than everything else that {@code --help} does, so a command line may
 * have only the subcommands that its arguments name. The others are needed only with name and description, for the help of {@code fakegpu}
 * and for suggestions.
 */
final class Subcommands {

    /** In the order of the help text. */
    private static final List<Class<?>> ALL = List.of(
            OperatorCommand.class,
            KubeletPluginCommand.class,
            ExplainCommand.class,
            RenderCommand.class,
            MatrixCommand.class,
            SimulateCommand.class,
            CheckCommand.class,
            WhoCommand.class,
            TopologyCommand.class,
            MetadataCommand.class,
            DashboardCommand.class,
            WhatIfCommand.class,
            ImportCommand.class,
            DiffCommand.class,
            FlattenCommand.class,
            CompactCommand.class,
            GroupsCommand.class,
            AllocateCommand.class,
            ModelsCommand.class,
            CompletionCommand.class,
            CompleteCommand.class,
            HelpCommand.class);

    private Subcommands() {}

    /** Adds all subcommands with their options. */
    static void add(CommandLine root) {
        ALL.forEach(root::addSubcommand);
    }

    /** Adds subcommands that are among the words with their options, and the others without. */
    static void addNamed(CommandLine root, Collection<String> words) {
        Set<String> named = Set.copyOf(words);
        for (Class<?> type : ALL) {
            Command command = type.getAnnotation(Command.class);
            if (named.contains(command.name())) {
                root.addSubcommand(type);
            } else {
                root.addSubcommand(command.name(), titleOnly(command));
            }
        }
    }

    private static CommandSpec titleOnly(Command command) {
        CommandSpec spec = CommandSpec.create().name(command.name());
        spec.usageMessage()
                .header(command.header())
                .description(command.description())
                .hidden(command.hidden());
        return spec;
    }
}
