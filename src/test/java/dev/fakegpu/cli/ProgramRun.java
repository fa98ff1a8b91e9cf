package dev.fakegpu.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;

/** Runs commands of the program in this process. */
public final class ProgramRun {

    private ProgramRun() {}

    /**
     * The standard output of a command.
     *
     * @param expected the exit codes of which it must have one
     * @throws IllegalStateException with what it printed if it has another exit code
     */
    public static String output(List<String> arguments, int... expected) {
        var out = new StringWriter();
        var err = new StringWriter();
        String[] words = arguments.toArray(String[]::new);
        int exit = FakeGpuCommand.commandLineFor(words)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
        if (Arrays.stream(expected).noneMatch(code -> code == exit)) {
            throw new IllegalStateException("%s: exit code %d: %s%s".formatted(arguments, exit, out, err));
        }
        return out.toString();
    }
}
