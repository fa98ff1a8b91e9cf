package dev.fakegpu.cli;

import dev.fakegpu.allocate.pool.GroupsGate;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option {@code --gate}. */
final class GateOption {

    @Option(
            names = "--gate",
            paramLabel = "STATE",
            description =
                    "How schedulers treat compatibility groups: on, off or unaware (default: found out by explain, on for others).")
    private @Nullable String gate;

    /** What was chosen; empty if nothing was. */
    Optional<GroupsGate> chosen(CommandLine command) {
        if (gate == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(GroupsGate.valueOf(gate.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, "--gate is \"" + gate + "\"; allowed: on, off, unaware", e);
        }
    }

    GroupsGate orOn(CommandLine command) {
        return chosen(command).orElse(GroupsGate.ON);
    }
}
