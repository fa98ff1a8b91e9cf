package dev.fakegpu.cli;

import io.quarkus.runtime.annotations.QuarkusMain;

/** Entry point of everything: the command line decides whether an operator is started at all. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String... args) {
        System.exit(FakeGpuCommand.commandLine().execute(args));
    }
}
