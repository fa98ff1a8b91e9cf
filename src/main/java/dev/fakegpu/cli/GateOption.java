package dev.fakegpu.cli;

import dev.fakegpu.allocate.pool.GroupsGate;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option {@code --gate}. */
final class GateOption {

    @Option(
            names = "--gate",
            paramLabel = "STATE",
            defaultValue = "on",
            description = "How schedulers treat compatibility groups: on, off or unaware (default: ${DEFAULT-VALUE}).")
    private String gate = "on";

    GroupsGate value(CommandLine command) {
        try {
            return GroupsGate.valueOf(gate.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, "--gate is \"" + gate + "\"; allowed: on, off, unaware", e);
        }
    }
}
