package dev.fakegpu.cli;

import io.quarkus.runtime.annotations.QuarkusMain;

/** Entry point of the program. Only {@code fakegpu operator} starts Quarkus. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String... args) {
        System.exit(FakeGpuCommand.commandLine().execute(args));
    }
}
