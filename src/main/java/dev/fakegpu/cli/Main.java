package dev.fakegpu.cli;

import dev.fakegpu.util.FatalErrors;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Entry point of the program. Only {@code fakegpu operator} starts Quarkus. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String... args) {
        FatalErrors.endProcess();
        ConsoleLogging.leaveOutDetails();
        ClusterPreparation.beginFor(args);
        System.exit(FakeGpuCommand.commandLineFor(args).execute(args));
    }
}
