package dev.fakegpu.cli;

import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
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
                    "How schedulers treat compatibility groups: on, off or unaware (default: determined automatically, and listed under Assumed).")
    private @Nullable String gate;

    /**
     * The sources of the gate.
     *
     * @param apiServer reads its state from the API server, only if there is no other source
     */
    GateSources sources(CommandLine command, Supplier<Optional<GroupsGate>> apiServer) {
        return new GateSources(chosen(command), apiServer);
    }

    private Optional<GroupsGate> chosen(CommandLine command) {
        if (gate == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(GroupsGate.valueOf(gate.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, "--gate is \"" + gate + "\"; allowed: on, off, unaware", e);
        }
    }
}
